"""Seeds one after the other, made from one."""

import hashlib
from operator import attrgetter
from typing import Any


class SeedStream:
    """Calls give one seed after the other, each made of a seed, a word and a count.

    Args:
        seed: int, None (all are None then), or a SeedStream, whose seed is taken.
        salt: a word that tells streams of one seed apart.
    Example:
        stream = tf.contrib.distributions.SeedStream(3, salt="mine")
        first, second = stream(), stream()
    """

    def __init__(self, seed: Any, salt: str) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt, self._counter = salt, 0

    original_seed = property(attrgetter("_seed"), doc="The seed.")
    salt = property(attrgetter("_salt"), doc="The word.")

    def __call__(self) -> int | None:
        self._counter += 1
        if self._seed is None:
            return None
        words = str((self._seed, self._counter, self._salt)).encode("utf-8")
        return int(hashlib.sha512(words).hexdigest(), 16)
