"""Which elements of passes come when: fewer, more, repeated, in random order."""

import itertools

from twinflow.data.pipeline import shuffle
from twinflow.data.pipeline.positions import element_of, place_of, put, words_of
from twinflow.data.pipeline.stages import (
    After,
    Pass,
    Slices,
    Stage,
    Staged,
    check_length,
    joined,
    row,
)


def failed(error):
    """An iterator that raises `error`, once."""
    raise error
    yield


# ---------------------------------------------------------------------- one by one
class Chained(Stage):
    """The elements of passes one after another; `_open` gives the next one or None."""

    inner = resumed = None

    def begin(self):
        return itertools.chain.from_iterable(iter(self._next, None))

    def _next(self):
        found, self.resumed = self.resumed, None
        return self._open() if found is None else found


class Flattened(Chained):
    """The elements of the pass that a function gives for each element.

    Its place has the element whose pass is open; that pass is made anew from it.
    """

    def __init__(self, outer, function):
        self.outer, self.function = outer, function
        self.element = None

    def _open(self):
        self.element = self.inner = None
        try:
            element = next(iter(self.outer), None)
            if element is not None:
                self.inner = self.function(element)
        except Exception as error:
            return failed(error)
        self.element = element
        return self.inner

    def state(self):
        inner = None if self.inner is None else place_of(self.inner)
        return [place_of(self.outer), self.element, inner]

    def resume(self, outer, element, inner):
        put(self.outer, outer)
        if inner is not None:
            self.element = element_of(element)
            self.inner = self.resumed = self.function(self.element)
            put(self.inner, inner)


def flattened(source, function):
    """The elements of the pass that `function` gives for each element."""
    return lambda: Staged(Flattened(source(), function))


class Concatenated(Chained):
    """The elements of sources one after another; each starts when it is needed."""

    def __init__(self, sources):
        self.sources, self.number = sources, 0

    def _open(self):
        if self.number == len(self.sources):
            return None
        self.inner = self.sources[self.number]()
        self.number += 1
        return self.inner

    def state(self):
        inner = None if self.inner is None else place_of(self.inner)
        return [len(self.sources), self.number, inner]

    def resume(self, count, number, inner):
        check_length(count, len(self.sources))
        self.number = number
        if number:
            self.inner = self.resumed = self.sources[number - 1]()
            put(self.inner, inner)


def concatenated(first, second):
    """The elements of one source, then those of another, which starts when needed."""
    return lambda: Staged(Concatenated((first, second)))


# ---------------------------------------------------------------------- fewer
class Taken(After):
    """The first elements of a pass; what fails is not counted."""

    kept = ("left",)

    def __init__(self, inner, left):
        self.inner, self.left = inner, left

    def elements(self):
        for element in itertools.islice(self.inner, self.left):
            self.left -= 1
            yield element
        self.over = True


def taken(source, count):
    """The first `count` elements; all of them if it is negative."""
    if count < 0:
        return source

    def start():
        elements = source()
        if type(elements) is Slices:
            stop = min(elements.place + count, elements.stop)
            return Slices(elements.arrays, elements.place, stop)
        return Staged(Taken(elements, count))

    return start


class Skipped(Taken):
    """What follows the first elements of a pass; what fails is not counted."""

    def begin(self):
        return itertools.chain.from_iterable(iter(self._next, None))

    def _next(self):
        if self.over:
            return None
        elements = iter(self.inner)
        try:
            while self.left and next(elements, None) is not None:
                self.left -= 1
        except Exception as error:
            return failed(error)
        self.over = True
        return elements


def skipped(source, count):
    """What follows the first `count` elements; nothing if it is negative."""

    def start():
        elements = source()
        if count < 0:
            return Slices([], 0, 0)
        if type(elements) is Slices:
            place = min(elements.place + count, elements.stop)
            return Slices(elements.arrays, place, elements.stop)
        return Staged(Skipped(elements, count))

    return start


class Sharded(After):
    """Every n-th element of a pass; what fails is counted."""

    kept = ("left",)

    def __init__(self, inner, shards, index):
        self.inner, self.shards, self.left = inner, shards, index

    def elements(self):
        try:
            for element in self.inner:
                if self.left:
                    self.left -= 1
                    continue
                self.left = self.shards - 1
                yield element
        except Exception:
            self.left = (self.left - 1) % self.shards
            raise
        self.over = True


def sharded(source, shards, index):
    """Every `shards`-th element, from number `index` on."""
    return lambda: Staged(Sharded(source(), shards, index))


# ---------------------------------------------------------------------- random order
class Picked(Pass):
    """A pass over rows of arrays in random order: only their numbers are shuffled."""

    def __init__(self, rows, size, seeds):
        self.arrays, self.first, self.stop = rows.arrays, rows.place, rows.stop
        self._shuffle(size, seeds)

    def _shuffle(self, size, seeds):
        self.size, self.seeds, self.given = size, seeds, 0
        order = shuffle.Order(size, seeds)
        self.order = order.elements(iter(range(self.first, self.stop)))

    def __next__(self):
        i = next(self.order)
        self.given += 1
        return [row(a, i) for a in self.arrays]

    def block(self, count):
        picked = list(itertools.islice(self.order, count))
        self.given += len(picked)
        return [a[picked] for a in self.arrays] if picked else None

    def state(self):
        return [self.first, self.stop, words_of(self.seeds, self.given)]

    def resume(self, first, stop, seeds):
        check_length([first, stop], [self.first, self.stop])
        *seeds, given = seeds
        self._shuffle(self.size, seeds)
        self.given = len(list(itertools.islice(self.order, given)))


class Shuffled(After):
    """The elements of a pass in random order; those that wait are part of its place."""

    def __init__(self, inner, size, seeds):
        self.inner, self.order = inner, shuffle.Order(size, seeds)

    def _run(self):
        return None if self.order.over else self.order.elements(iter(self.inner))

    def state(self):
        return [place_of(self.inner), *self.order.state()]

    def resume(self, place, *order):
        put(self.inner, place)
        self.order.resume(*order)


def shuffled(source, size, epochs):
    """The elements in random order, from a buffer of `size` of them.

    Args:
        epochs: an iterator of two seeds for each pass (see data.pipeline.shuffle).
    """

    def start():
        elements, seeds = source(), next(epochs)
        if type(elements) is Slices:
            return Picked(elements, size, seeds)
        return Staged(Shuffled(elements, size, seeds))

    return start


# ---------------------------------------------------------------------- more
class Repeated(Pass):
    """The passes of a source one after another."""

    def __init__(self, source, count):
        self.source, self.left = source, count
        self.inner = None
        self.elements, self.empty = iter(()), False

    def _restart(self):
        """Begin the next pass; forever is over when a pass has no elements."""
        if self.left == 0 or (self.empty and self.left < 0):
            raise StopIteration
        self.left -= 1
        self.inner, self.empty = self.source(), True
        self.elements = iter(self.inner)

    def __next__(self):
        while True:
            found = next(self.elements, None)
            if found is not None:
                self.empty = False
                return found
            self._restart()

    def block(self, count):
        parts, missing = [], count
        while missing:
            part = None if self.inner is None else self.inner.block(missing)
            if part is not None:
                self.empty = False
                parts.append(part)
                missing -= len(part[0])
                continue
            try:
                self._restart()
            except StopIteration:
                break
        return joined(parts) if parts else None

    def state(self):
        inner = None if self.inner is None else place_of(self.inner)
        return [self.left, int(self.empty), inner]

    def resume(self, left, empty, inner):
        if inner is not None:
            self.inner = self.source()
            put(self.inner, inner)
            self.elements = iter(self.inner)
        self.left, self.empty = left, bool(empty)


def repeated(source, count):
    """The elements `count` times; forever if it is negative."""
    return lambda: Repeated(source, count)
