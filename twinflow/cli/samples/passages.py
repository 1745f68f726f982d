"""Prose and plays, letter by letter."""

from pathlib import Path

import numpy as np

from twinflow.cli.samples.words import follow, words

_SPEAKERS = ("First Citizen", "All", "MENENIUS", "Second Citizen", "CORIOLANUS")


def _sentence(known, drawn, at, size):
    text = " ".join(known[r - 1] for r in drawn[at : at + size])
    return text[0].upper() + text[1:]


def _passages(n, seed):
    """`n` sentences."""
    rng, known = np.random.RandomState(seed), words(2000)
    drawn = follow(n * 16, len(known), rng)
    sizes, ends = rng.randint(6, 16, size=n), rng.choice(list("...,;:!?"), size=n)
    for i, (size, end) in enumerate(zip(sizes.tolist(), ends)):
        yield _sentence(known, drawn, i * 16, size) + end


def _write_play(path: Path, name: str) -> None:
    lines = list(_passages(6000, 11))
    speeches = (
        f"{_SPEAKERS[i % len(_SPEAKERS)]}:\n" + "\n".join(lines[3 * i : 3 * i + 3])
        for i in range(len(lines) // 3)
    )
    path.write_text("\n\n".join(speeches) + "\n")


def _write_prose(path: Path, name: str) -> None:
    sentences = list(_passages(6000, 12))
    parts = (
        f"{i + 1}. {' '.join(sentences[10 * i : 10 * i + 10])}"
        for i in range(len(sentences) // 10)
    )
    path.write_text("PREFACE\n\n\n" + "\n\n".join(parts) + "\n")


MAKERS = {"Shakespeare": _write_play, "Nietzsche": _write_prose}
