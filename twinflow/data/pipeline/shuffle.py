"""Random order from a bounded buffer, by the rules of TensorFlow 1.12.

The order depends on two seeds, the size of the buffer and the number of the pass alone,
and is that of TensorFlow 1.12 for the same seeds: Philox words, taken modulo the number
of elements in the buffer, choose the element to give; the oldest one takes its place.

Variant: without `reshuffle_each_iteration` TensorFlow 1.12 ignores the op's own seed;
so it is here where random numbers are drawn as there.
"""

import itertools

from twinflow.base import progress
from twinflow.data.pipeline.positions import element_of, words_of
from twinflow.ops.random.philox_words import seeds_or_entropy, words


class Epochs:
    """The two seeds of each pass, without end; a memory (Note [Places]).

    Args:
        seed, seed2: ints; None = from the operating system.
        reshuffle: whether passes differ from each other.
    """

    def __init__(self, seed, seed2, reshuffle):
        if seed is None:
            seed, seed2 = seeds_or_entropy(0, 0)
        self.reshuffle = reshuffle
        self.resume(seed, seed2, 0)

    def __iter__(self):
        return self

    def __next__(self):
        if not self.reshuffle:
            return self.seeds
        self.passes += 1
        return next(self.draw), next(self.draw)

    def state(self):
        """The seeds, and how many passes have begun."""
        return words_of(self.seeds, self.passes)

    def resume(self, seed, seed2, passes):
        """Go on after as many passes of these seeds."""
        self.seeds, self.passes = (seed, seed2), passes
        self.draw = words(seed, seed2, 2 * passes)


class Order:
    """Elements of an iterator in random order, and how far that has come.

    Args:
        size: how many elements wait in the buffer at most.
        seeds: the two seeds of this pass.
    Attributes:
        ring: the elements that wait; None = a free place.
        more: whether the iterator may have more. over: whether all were given.
        total: how many there are, once that is known. counted: given until then.
    """

    def __init__(self, size, seeds):
        self.size, self.seeds, self.ring = size, seeds, []
        self.counted, self.more, self.over = 0, True, False
        self.total = None

    @property
    def given(self):
        """How many were given."""
        if self.total is None:
            return self.counted
        return self.total - self._waiting()

    def _waiting(self):
        return sum(e is not None for e in self.ring)

    def elements(self, source):
        """A generator over what is still to be given; after an error another goes on.

        A free place is filled when the next element is asked for, not before.
        """
        if self.more and not self.given and len(self.ring) < self.size:
            wanted = itertools.islice(source, self.size - len(self.ring))
            with progress.operation("filling the buffer of shuffle", often=True):
                self.ring.extend(progress.over("elements", wanted, self.size))
            self.more = len(self.ring) == self.size
        ring, draw = self.ring, words(*self.seeds, self.given)
        slots = len(ring)
        front = self.given % slots if slots else 0
        if self.more and self.given:
            self._fill(source, (front or slots) - 1)
        while self.more:
            i = (front + next(draw)) % slots
            chosen, ring[i], ring[front] = ring[i], ring[front], None
            self.counted += 1
            yield chosen
            for element in source:
                ring[front] = element
                break
            else:
                self.more = False
            front = front + 1 if front + 1 < slots else 0
        waiting = self._waiting()
        self.total = self.counted + waiting
        for count in range(waiting, 0, -1):
            i = (front + next(draw) % count) % slots
            chosen, ring[i], ring[front] = ring[i], ring[front], None
            front = front + 1 if front + 1 < slots else 0
            yield chosen
        self.over = True

    def _fill(self, source, place):
        """Fill the place that became free when the last element was given."""
        found = next(source, None)
        self.more, self.ring[place] = found is not None, found

    def state(self):
        """Its part of a place."""
        return [words_of(self.seeds, self.given), int(self.more), list(self.ring)]

    def resume(self, seeds, more, ring):
        """Go on with other seeds and elements that wait."""
        *self.seeds, self.counted = seeds
        self.more = bool(more)
        self.ring = [None if e is None else element_of(e) for e in ring]
