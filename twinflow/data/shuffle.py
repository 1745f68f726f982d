"""Random order from a bounded buffer, by the rules of TensorFlow 1.12.

The order depends on two seeds, the size of the buffer and the number of the pass alone,
and is that of TensorFlow 1.12 for the same seeds: Philox words, taken modulo the number
of elements in the buffer, choose the element to give; the oldest one takes its place.

Variant: without `reshuffle_each_iteration` TensorFlow 1.12 ignores the op's own seed.
"""

import itertools
import os

import numpy as np

from twinflow.ops.philox import rounds

_MASK = 0xFFFFFFFF
_FIRST, _MOST = 32, 4096  # blocks of four words made at once: grows with the need


def words(seed, seed2):
    """Random words without end: Philox with key `seed`, counter (block, `seed2`).

    Args:
        seed, seed2: ints of 64 bits.
    Returns:
        An iterator of ints below 2**32.
    """
    key = seed & _MASK, seed >> 32 & _MASK
    low, high = np.uint64(seed2 & _MASK), np.uint64(seed2 >> 32 & _MASK)
    start, count = 0, _FIRST
    while True:
        block = np.arange(start, start + count, dtype=np.uint64)
        made = rounds(block & _MASK, block >> 32, low, high, *key)
        yield from np.stack(made, axis=1).ravel().tolist()
        start, count = start + count, min(2 * count, _MOST)


def epochs_of(seed, seed2, reshuffle):
    """The two seeds of each pass.

    Args:
        seed, seed2: ints; None = from the operating system.
        reshuffle: whether passes differ from each other.
    """
    if seed is None:
        seed, seed2 = (int.from_bytes(os.urandom(7), "little") for _ in range(2))
    if not reshuffle:
        return itertools.repeat((seed, seed2))
    draw = words(seed, seed2)
    return zip(draw, draw)


def shuffled_order(elements, size, seeds):
    """The elements of an iterator in random order.

    Args:
        size: how many elements wait in the buffer at most.
        seeds: the two seeds of this pass.
    """
    draw = words(*seeds)
    ring = list(itertools.islice(elements, size))
    count = slots = len(ring)
    front, more = 0, count == size
    while count:
        i = (front + next(draw) % count) % slots
        chosen, ring[i] = ring[i], ring[front]
        ring[front] = None
        yield chosen
        if more:
            for element in elements:
                ring[front] = element
                break
            else:
                more, count = False, count - 1
        else:
            count -= 1
        front = front + 1 if front + 1 < slots else 0
