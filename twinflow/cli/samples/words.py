"""Words: common ones, those of praise and blame, and as many made-up ones as wanted."""

import itertools
from pathlib import Path

import numpy as np

_KINDS = dict(
    line.split(": ")
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines()
)
COMMON, PRAISE, BLAME = (_KINDS[k].split() for k in ("common", "praise", "blame"))
_HEADS = (*"bcdfghlmnprstvw", "br", "cr", "dr", "gr", "pl", "st", "tr")
_VOWELS = (*"aeiou", "ai", "ea", "ou")
_TAILS = ("", *"nrstlm", "nd", "st", "ck")


def words(n: int) -> list[str]:
    """`n` different words, the most common first."""
    known = [*COMMON[:30], *PRAISE, *BLAME, *COMMON[30:]]
    seen = dict.fromkeys(known)
    parts = list(itertools.product(_HEADS, _VOWELS, _TAILS))
    syllables = ["".join(p) for p in parts]
    order = np.random.RandomState(7).permutation(len(syllables))
    mixed = [syllables[i] for i in order]
    shorter = itertools.product(mixed[:400], mixed)
    for made in itertools.chain(mixed, map("".join, shorter)):
        if len(seen) >= n:
            break
        seen.setdefault(made)
    return list(seen)[:n]


def ranks(n: int, most: int, rng: np.random.RandomState) -> np.ndarray:
    """int[n]: from 1 to `most`, a word the rarer the higher its rank."""
    drawn = np.exp(rng.uniform(0, np.log(most + 1), size=n))
    return np.minimum(drawn.astype(int), most)


def follow(n: int, most: int, rng: np.random.RandomState) -> np.ndarray:
    """int[n]: ranks of which each second one depends on the one before."""
    found = ranks(n, most, rng)
    found[1::2] = found[::2][: len(found[1::2])] * 7 % min(most, 997) + 1
    return found
