"""Pictures of ten or a hundred kinds: digits, clothes, colours.

As many as the real sets have, because programs count on it.
"""

import gzip
import pickle
import struct
from pathlib import Path

import numpy as np

from twinflow.cli.samples import texts

try:
    from sklearn import datasets as _sklearn
except ImportError:  # an extra
    _sklearn = None

_TRAIN, _TEST = 60000, 10000
_COLOURED = 10000  # in a batch of CIFAR-10; CIFAR-100 has five of them, and one
_DIGITS = """
.###. ..#.. .###. ####. #..#. ##### .###. ##### .###. .###.
#...# .##.. #...# ....# #..#. #.... #.... ....# #...# #...#
#...# ..#.. ....# ....# #..#. ####. ####. ...#. #...# #...#
#...# ..#.. ...#. .###. ##### ....# #...# ..#.. .###. .####
#...# ..#.. ..#.. ....# ...#. ....# #...# .#... #...# ....#
.###. .###. ##### ####. ...#. ####. .###. .#... .###. .###.
"""
_CLOTHES = """
##.##. .####. ##..## .####. ##..## ...... ##..## ...... .####. ..##..
###### .####. ###### ..##.. ###### ...... ###### ...... .#..#. ..##..
.####. .#..#. ###### ..##.. ###.## ....## #.##.# ....## ###### ..##..
.####. .#..#. #.##.# .####. ###.## ..##.# ..##.. .##### ###### .###..
.####. .#..#. #.##.# .####. ###.## ##..## .####. ###### ###### ######
.####. .#..#. #.##.# ###### ###.## ###### .####. ###### ###### ######
"""


def _drawn(text):
    """float[10, rows, columns] of ten small drawings side by side."""
    rows = [line.split() for line in text.split("\n") if line]
    drawn = [[[c == "#" for c in row[i]] for row in rows] for i in range(10)]
    return np.array(drawn, np.float32)


def _stretch(size, old):
    """The matrix that makes `size` numbers of `old`, linearly."""
    places = np.linspace(0, old - 1, size)
    near = 1 - np.abs(places[:, None] - np.arange(old))
    return np.clip(near, 0, 1).astype(np.float32)


def _enlarged(small, size):
    rows, columns = (_stretch(size, n) for n in small.shape[1:])
    return np.einsum("ab,nbc,dc->nad", rows, small, columns)


def _scans():
    """(drawings, labels) for training and for testing, of different writers."""
    if _sklearn is not None:
        digits = _sklearn.load_digits()
        small, labels = digits.images.astype(np.float32) / 16, digits.target
        return (small[:1500], labels[:1500]), (small[1500:], labels[1500:])
    drawn = _drawn(_DIGITS), np.arange(10)
    return drawn, drawn


def _clothes():
    drawn = _drawn(_CLOTHES), np.arange(10)
    return drawn, drawn


def _placed(small, labels, n, rng):
    """uint8[n, 28, 28] and uint8[n]: drawings at places and of strengths by chance."""
    large = _enlarged(small, 20)
    which = rng.randint(len(large), size=n)
    shift = rng.randint(3, 6, size=(n, 2))
    found = np.zeros((n, 28, 28), np.float32)
    for i, j in np.ndindex(9, 9):
        here = np.flatnonzero((shift == (i, j)).all(1))
        found[here, i : i + 20, j : j + 20] = large[which[here]]
    found *= rng.uniform(160, 255, size=(n, 1, 1)).astype(np.float32)
    found += (found > 30) * rng.randint(-30, 31, size=(1, 28, 28))
    return np.clip(found, 0, 255).astype(np.uint8), labels[which].astype(np.uint8)


def _parts(scans, seed):
    rng = np.random.RandomState(seed)
    train, test = scans()
    return _placed(*train, _TRAIN, rng), _placed(*test, _TEST, rng)


def _write_small(path, name, scans, seed):
    """One file of MNIST or of Fashion-MNIST."""
    (x, y), (x_test, y_test) = _parts(scans, seed)
    if name.endswith(".npz"):
        with open(path, "wb") as file:
            np.savez(file, x_train=x, y_train=y, x_test=x_test, y_test=y_test)
        return
    images, labels = (x_test, y_test) if name.startswith("t10k") else (x, y)
    head = struct.pack(">4i", 2051, len(images), 28, 28)
    if "labels" in name:
        head, images = struct.pack(">2i", 2049, len(labels)), labels
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 1, file, 0) as packed:
        packed.write(head + images.tobytes())


def _coloured(labels, kinds, rng):
    """uint8[n, 3072]: a pattern of 16 squares for each kind, changed by chance."""
    patterns = np.random.RandomState(kinds).uniform(40, 215, size=(kinds, 3, 16))
    found = np.empty((len(labels), 3072), np.uint8)
    for i in range(0, len(labels), 1000):
        small = patterns[labels[i : i + 1000]].astype(np.float32)
        small += rng.normal(0, 25, size=small.shape).astype(np.float32)
        small *= rng.uniform(0.7, 1.2, size=(len(small), 1, 1)).astype(np.float32)
        small = np.clip(small, 0, 255).astype(np.uint8).reshape(-1, 3, 4, 4)
        large = small.repeat(8, axis=2).repeat(8, axis=3)
        found[i : i + 1000] = large.reshape(len(small), -1)
    return found


_NAMES = [
    "airplane",
    "automobile",
    "bird",
    "cat",
    "deer",
    "dog",
    "frog",
    "horse",
    "ship",
    "truck",
]


def _batches(name):
    """(the name in the archive, its dict), one after another."""
    rng = np.random.RandomState(10)
    if "100" in name:
        for part, n in (("train", 5 * _COLOURED), ("test", _COLOURED)):
            fine = rng.permutation(n) % 100
            yield f"cifar-100-python/{part}", {
                b"data": _coloured(fine, 100, rng), b"fine_labels": fine.tolist(),
                b"coarse_labels": (fine // 5).tolist(),
                b"filenames": [b"%05d.png" % i for i in range(n)],
            }  # fmt: skip
        names = {f"{k}_label_names": [f"{k} {i}" for i in range(n)]
                 for k, n in (("fine", 100), ("coarse", 20))}  # fmt: skip
        yield "cifar-100-python/meta", names
        return
    for part in [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]:
        labels = rng.permutation(_COLOURED) % 10
        yield f"cifar-10-batches-py/{part}", {
            b"data": _coloured(labels, 10, rng), b"labels": labels.tolist(),
            b"batch_label": part.encode(),
            b"filenames": [b"%05d.png" % i for i in range(_COLOURED)],
        }  # fmt: skip
    yield "cifar-10-batches-py/batches.meta", {"label_names": _NAMES}


def _write_cifar(path: Path, name: str) -> None:
    texts.pack(path, ((n, pickle.dumps(batch, 2)) for n, batch in _batches(name)))


MAKERS = {
    "MNIST": lambda path, name: _write_small(path, name, _scans, 1),
    "Fashion-MNIST": lambda path, name: _write_small(path, name, _clothes, 2),
    "CIFAR-10": _write_cifar,
    "CIFAR-100": _write_cifar,
}
