"""Random order from a bounded buffer, by the rules of TensorFlow 1.12.

The order depends on two seeds, the size of the buffer and the number of the pass alone,
and is that of TensorFlow 1.12 for the same seeds: Philox words, taken modulo the number
of elements in the buffer, choose the element to give; the oldest one takes its place.

Variant: without `reshuffle_each_iteration` TensorFlow 1.12 ignores the op's own seed.
"""

import itertools

from twinflow.ops.random.philox_words import seeds_or_entropy, words


def epochs_of(seed, seed2, reshuffle):
    """The two seeds of each pass.

    Args:
        seed, seed2: ints; None = from the operating system.
        reshuffle: whether passes differ from each other.
    """
    if seed is None:
        seed, seed2 = seeds_or_entropy(0, 0)
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
