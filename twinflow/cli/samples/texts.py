"""Texts as numbers and as files: reviews, news, sentences."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from twinflow.cli.samples.words import PRAISE, follow, ranks, words

_IMDB_WORDS, _REUTERS_WORDS = 88584, 30979
_REVIEWS = 25000  # to train with, and to test with
_SET = 30  # common words come before those of praise, then those of blame


def _texts(n, most, rng, own, shortest=20, longest=120):
    """Lists of ranks; a fifth of the words of each are its kind's own.

    Args:
        own: int[n, k], the words of the kind of each text.
    """
    sizes = rng.randint(shortest, longest, size=n)
    flat = ranks(sizes.sum(), most, rng)
    kind = np.repeat(np.arange(n), sizes)
    mine = rng.rand(len(flat)) < 0.2
    column = rng.randint(own.shape[1], size=mine.sum())
    flat[mine] = own[kind[mine], column]
    ends = np.cumsum(sizes)
    return [flat[end - size : end].tolist() for size, end in zip(sizes, ends)]


def _objects(lists):
    found = np.empty(len(lists), object)
    found[:] = lists
    return found


def _save(path, **arrays):
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def _opinions(labels):
    """The ranks of praise for 1, those of blame for 0."""
    praise = _SET + 1 + np.arange(len(PRAISE))
    return np.where(labels[:, None] == 1, praise, praise + len(PRAISE))


def _write_imdb(path: Path, name: str) -> None:
    if name.startswith("aclImdb"):
        _write_reviews(path)
    elif name.endswith(".json"):
        _write_index(path, _IMDB_WORDS)
    else:
        rng, found = np.random.RandomState(3), {}
        for part in ("train", "test"):
            labels = np.repeat([1, 0], _REVIEWS // 2)
            x = _texts(_REVIEWS, _IMDB_WORDS, rng, _opinions(labels))
            found.update({f"x_{part}": _objects(x), f"y_{part}": labels})
        _save(path, **found)


def _write_index(path, most):
    path.write_text(json.dumps({w: i for i, w in enumerate(words(most), 1)}))


def pack(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a .tar.gz of files, each with its name; the same ones give the same."""
    with (
        open(path, "wb") as file,
        gzip.GzipFile("", "wb", 1, file, 0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def _write_reviews(path):
    """The folders of aclImdb, with 500 reviews of a kind."""
    rng, known = np.random.RandomState(4), words(5000)
    files = [("aclImdb/imdb.vocab", "\n".join(known).encode())]
    for part in ("train", "test"):
        for label, kind in enumerate(("neg", "pos")):
            own = _opinions(np.full(500, label))
            for i, text in enumerate(_texts(500, 5000, rng, own)):
                stars = rng.randint(1, 5) + 6 * label - label
                name = f"aclImdb/{part}/{kind}/{i}_{stars}.txt"
                line = " ".join(known[r - 1] for r in text) + "."
                files.append((name, line.encode()))
    pack(path, files)


def _write_reuters(path: Path, name: str) -> None:
    if name.endswith(".json"):
        _write_index(path, _REUTERS_WORDS)
        return
    rng, n = np.random.RandomState(6), 11228
    shares = np.array([0.05, 0.04, 0.01, 0.35, 0.2] + [0.35 / 41] * 41)
    labels = rng.choice(46, size=n, p=shares / shares.sum())
    own = 40 + 15 * labels[:, None] + np.arange(15)
    _save(path, x=_objects(_texts(n, _REUTERS_WORDS, rng, own)), y=labels)


_PTB = {"train": 120000, "valid": 10000, "test": 10000}  # words


def _sentences(part):
    """A part of PTB: lines of words, a space before and behind."""
    rng = np.random.RandomState(len(part) + 20)
    known = ["<unk>", "N", *words(9000)]
    found = [known[r - 1] for r in follow(_PTB[part], len(known), rng)]
    lines, at = [], 0
    while at < len(found):
        size = rng.randint(8, 30)
        lines.append(f" {' '.join(found[at : at + size])} \n")
        at += size
    return "".join(lines)


def _write_ptb(path: Path, name: str) -> None:
    if name.startswith("ptb."):
        path.write_text(_sentences(name.split(".")[1]))
        return
    folder = "./simple-examples/data/ptb"
    pack(path, ((f"{folder}.{p}.txt", _sentences(p).encode()) for p in _PTB))


def _write_text8(path: Path, name: str) -> None:
    """Words in a .zip that has the size of the real one, which programs check."""
    rng, known = np.random.RandomState(8), words(60000)
    drawn = follow(500000, len(known), rng)
    text = " ".join([*(known[r - 1] for r in drawn), *known])
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr(zipfile.ZipInfo("text8"), f" {text}", zipfile.ZIP_DEFLATED)
    with open(path, "wb") as file:  # a hole before it: a .zip is read from its end
        file.seek(31344016 - len(memory.getvalue()))
        file.write(memory.getvalue())


MAKERS = {
    "IMDB": _write_imdb,
    "Reuters": _write_reuters,
    "PTB": _write_ptb,
    "text8": _write_text8,
}
