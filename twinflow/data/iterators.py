"""Transforms of data: iterators over iterators of NumPy arrays.

Note [Passes]: an *element* is a sequence of arrays, one for each component. A *pass* is
an iterator over elements. A *source* is a function of no arguments that starts a new
pass; what must survive from pass to pass (the epochs of a shuffle) lives in its
closure. Each transform takes a source and returns one. `Pass.block` is what makes
batches fast: where rows lie in one array, a whole batch is one slice or one index.
"""

import itertools

import numpy as np

from twinflow.base import errors
from twinflow.data.shuffle import shuffled_order

_END = object()


class Pass:
    """One pass over elements; see Note [Passes]."""

    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration

    def block(self, count):
        """The next `count` elements with each component stacked; None at the end.

        Raises:
            InvalidArgumentError: elements differ in shape.
        """
        rows = list(itertools.islice(self, count))
        return stacked(rows) if rows else None


class Elements(Pass):
    """A pass over what any Python iterator gives."""

    __slots__ = ("iterator",)

    def __init__(self, iterator):
        self.iterator = iterator

    def __iter__(self):
        return self.iterator

    def __next__(self):
        return next(self.iterator)


class Slices(Pass):
    """A pass over the rows `start` to `stop` of arrays."""

    def __init__(self, arrays, start, stop):
        self.arrays, self.place, self.stop = arrays, start, stop

    def __next__(self):
        i = self.place
        if i >= self.stop:
            raise StopIteration
        self.place = i + 1
        return [row(a, i) for a in self.arrays]

    def block(self, count):
        start = self.place
        if start >= self.stop:
            return None
        self.place = min(start + count, self.stop)
        return [a[start : self.place] for a in self.arrays]


class Picked(Pass):
    """A pass over the rows of arrays in the order of an iterator of indices."""

    def __init__(self, arrays, order):
        self.arrays, self.order = arrays, order

    def __next__(self):
        i = next(self.order)
        return [row(a, i) for a in self.arrays]

    def block(self, count):
        picked = list(itertools.islice(self.order, count))
        return [a[picked] for a in self.arrays] if picked else None


def row(array, i):
    """Row `i`; a string as an array, not as Python's bytes."""
    found = array[i]
    if type(found) is bytes:
        return np.array(found, object)
    return found


def stacked(rows):
    """The arrays of elements, each with a new first axis.

    Raises:
        InvalidArgumentError: their shapes differ.
    """
    return [_stack(column, c) for c, column in enumerate(zip(*rows))]


def _stack(column, component):
    first = column[0]
    shape = first.shape
    _check_shapes([a.shape for a in column], component)
    if not shape and first.dtype != object:
        return np.array(column, first.dtype)
    out = np.empty((len(column), *shape), first.dtype)
    for i, array in enumerate(column):
        out[i] = array if shape else array[()]
    return out


def _check_shapes(shapes, component):
    shape = shapes[0]
    i = next((i for i, s in enumerate(shapes) if s != shape), None)
    if i is None:
        return
    raise errors.InvalidArgumentError(
        None,
        None,
        f"Cannot batch tensors with different shapes in component {component}. First "
        f"element had shape {_brackets(shape)} and element {i} had shape "
        f"{_brackets(shapes[i])}.",
    )


def _brackets(shape):
    return "[" + ",".join(map(str, shape)) + "]"


# ---------------------------------------------------------------------- sources
def once(element):
    """The source of a single element."""
    return lambda: Elements(iter((element,)))


def slices(arrays):
    """The source of the rows of arrays that are equally long."""
    return lambda: Slices(arrays, 0, len(arrays[0]))


def counting(start, stop, step):
    """The source of int64 scalars, as Python's range."""
    return lambda: Elements((np.int64(i),) for i in range(start, stop, step))


def generated(make):
    """The source of what the iterators that `make()` gives yield."""
    return lambda: Elements(make())


# ---------------------------------------------------------------------- transforms
def mapped(source, function):
    """`function` of each element, a sequence of arrays."""
    return lambda: Elements(map(function, source()))


def filtered(source, predicate):
    """The elements of which `predicate` is true."""
    return lambda: Elements(filter(predicate, source()))


def flattened(source, function):
    """The elements of the pass that `function` gives for each element."""
    return lambda: Elements(itertools.chain.from_iterable(map(function, source())))


def zipped(sources):
    """Elements with the components of one element from each source."""

    def start():
        passes = [source() for source in sources]
        if all(type(p) is Slices for p in passes):
            stop = min(p.stop - p.place for p in passes)
            parts = [a[p.place : p.place + stop] for p in passes for a in p.arrays]
            return Slices(parts, 0, stop)
        return Elements(list(itertools.chain(*rows)) for rows in zip(*passes))

    return start


def concatenated(first, second):
    """The elements of one source, then those of another, which starts when needed."""
    return lambda: Elements(
        itertools.chain.from_iterable(source() for source in (first, second))
    )


def taken(source, count):
    """The first `count` elements; all of them if it is negative."""
    if count < 0:
        return source

    def start():
        elements = source()
        if type(elements) is Slices:
            stop = min(elements.place + count, elements.stop)
            return Slices(elements.arrays, elements.place, stop)
        return Elements(itertools.islice(elements, count))

    return start


def skipped(source, count):
    """What follows the first `count` elements; nothing if it is negative."""

    def start():
        elements = source()
        if count < 0:
            return Elements(iter(()))
        if type(elements) is Slices:
            place = min(elements.place + count, elements.stop)
            return Slices(elements.arrays, place, elements.stop)
        return Elements(itertools.islice(elements, count, None))

    return start


def sharded(source, shards, index):
    """Every `shards`-th element, from number `index` on."""
    return lambda: Elements(itertools.islice(source(), index, None, shards))


def shuffled(source, size, epochs):
    """The elements in random order, from a buffer of `size` of them.

    Args:
        epochs: an iterator of two seeds for each pass (see data.shuffle).
    """

    def start():
        elements, seeds = source(), next(epochs)
        if type(elements) is Slices:
            places = iter(range(elements.place, elements.stop))
            return Picked(elements.arrays, shuffled_order(places, size, seeds))
        return Elements(shuffled_order(iter(elements), size, seeds))

    return start


class Repeated(Pass):
    """The passes of a source one after another."""

    def __init__(self, source, count):
        self.source, self.left = source, count
        self.inner, self.empty = Pass(), False

    def _restart(self):
        """Begin the next pass; forever is over when a pass has no elements."""
        if self.left == 0 or (self.empty and self.left < 0):
            raise StopIteration
        self.left -= 1
        self.inner, self.empty = self.source(), True

    def __next__(self):
        while True:
            found = next(self.inner, _END)
            if found is not _END:
                self.empty = False
                return found
            self._restart()

    def block(self, count):
        parts, missing = [], count
        while missing:
            part = self.inner.block(missing)
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


def joined(blocks):
    """Blocks one after another, as one block."""
    if len(blocks) == 1:
        return blocks[0]
    for c, column in enumerate(zip(*blocks)):
        _check_shapes([part.shape[1:] for part in column], c)
    return [np.concatenate(column) for column in zip(*blocks)]


def repeated(source, count):
    """The elements `count` times; forever if it is negative."""
    return lambda: Repeated(source, count)


class Batched(Pass):
    """Blocks of elements as elements."""

    def __init__(self, inner, size, drop_remainder):
        self.inner, self.size, self.drop = inner, size, drop_remainder

    def __next__(self):
        found = self.inner.block(self.size)
        if found is None or (self.drop and len(found[0]) < self.size):
            raise StopIteration
        return found


def batched(source, size, drop_remainder=False):
    """Stacks of `size` elements; the last one may be smaller.

    Args:
        drop_remainder: leave out a last batch that is smaller.
    """
    return lambda: Batched(source(), size, drop_remainder)
