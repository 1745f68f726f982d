"""The random words of TensorFlow's own kernels, one after another."""

import os

import numpy as np

from twinflow.ops.random.philox import rounds

_MASK = 0xFFFFFFFF
_FIRST, _MOST = 32, 4096  # blocks of four words made at once: grows with the need


def words(seed, seed2, skip=0):
    """Random words without end: Philox with key `seed`, counter (block, `seed2`).

    Args:
        seed, seed2: ints of 64 bits. skip: how many words to leave out.
    Returns:
        An iterator of ints below 2**32.
    """
    key = seed & _MASK, seed >> 32 & _MASK
    low, high = np.uint64(seed2 & _MASK), np.uint64(seed2 >> 32 & _MASK)
    start, count, skip = skip // 4, _FIRST, skip % 4
    while True:
        block = np.arange(start, start + count, dtype=np.uint64)
        made = rounds(block & _MASK, block >> 32, low, high, *key)
        yield from np.stack(made, axis=1).ravel()[skip:].tolist()
        skip = 0
        start, count = start + count, min(2 * count, _MOST)


def seeds_or_entropy(seed, seed2):
    """The seeds; from the operating system where both are 0."""
    if seed or seed2:
        return seed, seed2
    first, second = os.urandom(8), os.urandom(8)
    return int.from_bytes(first, "little"), int.from_bytes(second, "little")
