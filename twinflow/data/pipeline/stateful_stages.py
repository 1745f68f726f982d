"""Stages that carry a state from element to element, some of them at random."""

import numpy as np

from twinflow.base import errors
from twinflow.data.pipeline.positions import element_of, place_of, put, words_of
from twinflow.data.pipeline.stages import After, Inner, Pass, Stage
from twinflow.ops.random.philox_words import seeds_or_entropy, words


def drawn(seeds):
    """The seeds, from the operating system where there are none."""
    return seeds_or_entropy(0, 0) if seeds[0] is None else seeds


class Words(Stage):
    """Random int64 scalars in [0, 2**32), without end.

    Args:
        seeds: two ints, or None for both.
    """

    def __init__(self, seeds):
        self.seeds, self.given = drawn(seeds), 0

    def elements(self):
        for word in words(*self.seeds, self.given):
            self.given += 1
            yield [np.int64(word)]

    def state(self):
        return [words_of(self.seeds, self.given)]

    def resume(self, seeds):
        *self.seeds, self.given = seeds


class Draws(After):
    """Numbers of sources, chosen at random by weights.

    Args:
        inner: a pass over weights, float[sources]. seeds: two ints, or None for both.
    """

    def __init__(self, inner, seeds):
        self.inner, self.seeds, self.given = inner, drawn(seeds), 0

    def elements(self):
        draw = words(*self.seeds, self.given)
        for (weights,) in self.inner:
            self.given += 1
            share = np.cumsum(np.asarray(weights, np.float64))
            place = next(draw) / 2**32 * share[-1]
            chosen = np.searchsorted(share, place, "right")
            yield [np.int64(min(chosen, len(share) - 1))]
        self.over = True

    def state(self):
        return [place_of(self.inner), words_of(self.seeds, self.given)]

    def resume(self, place, seeds):
        put(self.inner, place)
        *self.seeds, self.given = seeds


class Accepted(After):
    """Elements (class, ...) of a pass, some left out so that classes are as wanted.

    Args:
        wanted: float[classes]. known: the spread there is, or None: it is learnt.
        seeds: two ints, or None for both.
    """

    def __init__(self, inner, wanted, known, seeds):
        self.inner, self.wanted, self.known = inner, wanted, known
        self.seeds, self.given = drawn(seeds), 0
        self.seen = np.ones(len(wanted))

    def elements(self):
        draw = words(*self.seeds, self.given)
        for element in self.inner:
            kind = int(element[0])
            self.seen[kind] += 1
            self.given += 1
            there = self.seen / self.seen.sum() if self.known is None else self.known
            ratio = self.wanted / (there if self.known is None else there + 1e-37)
            if next(draw) / 2**32 < ratio[kind] / ratio.max():
                yield element
        self.over = True

    def state(self):
        given = words_of(self.seeds, self.given)
        return [place_of(self.inner), given, self.seen.copy()]

    def resume(self, place, seeds, seen):
        put(self.inner, place)
        *self.seeds, self.given = seeds
        self.seen = np.array(seen)


class Scanned(After):
    """What a function gives for a carried state and each element.

    Args:
        run: from the components of both to those of the next state and the output.
        carried: the components of the first state.
    """

    def __init__(self, inner, run, carried):
        self.inner, self.run, self.carried = inner, run, carried

    def elements(self):
        count = len(self.carried)
        for element in self.inner:
            found = self.run([*self.carried, *element])
            self.carried = found[:count]
            yield found[count:]
        self.over = True

    def state(self):
        return [place_of(self.inner), list(self.carried)]

    def resume(self, place, carried):
        put(self.inner, place)
        self.carried = element_of(carried)


class New(After):
    """Elements that were not there before."""

    def __init__(self, inner):
        self.inner, self.seen = inner, set()

    def elements(self):
        for element in self.inner:
            key = np.asarray(element[0]).tolist()
            if key not in self.seen:
                self.seen.add(key)
                yield element
        self.over = True

    def state(self):
        return [place_of(self.inner), sorted(self.seen)]

    def resume(self, place, seen):
        put(self.inner, place)
        self.seen = set(seen)


class WithoutErrors(Inner, Pass):
    """The elements of a pass that can be computed."""

    def __init__(self, inner):
        self.inner = inner

    def __next__(self):
        while True:
            try:
                return next(iter(self.inner))
            except errors.OpError:
                continue
