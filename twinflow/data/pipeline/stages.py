"""Transforms of data: iterators over iterators of NumPy arrays.

Note [Passes]: an *element* is a sequence of arrays, one for each component. A *pass* is
an iterator over elements. A *source* is a function of no arguments that starts a new
pass; what must survive from pass to pass (the epochs of a shuffle) lives in its
closure. Each transform takes a source and returns one. `Pass.block` is what makes
batches fast: where rows lie in one array, a whole batch is one slice or one index.

Note [Stages]: most passes are a `Staged`: a Stage, which knows its place (Note
[Places]), and an iterator that the stage makes when the first element is asked for, in
C where there is one. The stage never refers to that iterator's owner, so what is
dropped half-way ends at once. A generator ends when an error passes through it; a stage
keeps its state in itself, and a new generator goes on after the error.
"""

import itertools
import operator
import sys

import numpy as np

from twinflow.base import errors
from twinflow.data.pipeline.positions import elsewhere, place_of, put


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

    @property
    def label(self):
        """What kind of pass it is, for places."""
        return type(self).__name__

    def state(self):
        """What `resume` needs to go on from here: a list; see Note [Places].

        Raises:
            UnimplementedError: this kind of pass does not tell.
        """
        raise errors.UnimplementedError(
            None, None, f"A pass of kind {self.label} cannot be saved."
        )

    def resume(self, *state):
        """Go on from a state of a pass of the same source; nothing was taken yet."""


class Elements(Pass):
    """A pass over what any Python iterator gives.

    Its place is how many it has given; to go on it takes as many from a new iterator.
    """

    __slots__ = ("iterator", "left")

    def __init__(self, iterator):
        self.left = itertools.repeat(True, sys.maxsize)  # counts at the speed of C
        self.iterator = itertools.compress(iterator, self.left)

    def __iter__(self):
        return self.iterator

    def __next__(self):
        return next(self.iterator)

    def state(self):
        return [sys.maxsize - operator.length_hint(self.left)]

    def resume(self, given):
        while self.state()[0] < given:
            try:
                next(self.iterator)
            except StopIteration:
                return
            except errors.OpError:  # it was given, too
                continue


class Stage:
    """What a pass does and where it is; see Note [Stages].

    Attributes:
        over: whether all elements were given.
    """

    over = False

    def begin(self):
        """The iterator over the elements that are to come."""
        return itertools.chain.from_iterable(iter(self._run, None))

    def _run(self):
        return None if self.over else self.elements()

    def elements(self):
        """A generator from here on; sets `over` at the end."""
        raise errors.InternalError(None, None, "a stage needs begin or elements")

    def state(self):
        """See Pass.state."""
        return []

    def resume(self, *state):
        """See Pass.resume."""


class Staged(Pass):
    """The pass over the elements of a Stage."""

    __slots__ = ("iterator", "stage")

    def __init__(self, stage):
        self.stage, self.iterator = stage, None

    def __iter__(self):
        if self.iterator is None:
            self.iterator = self.stage.begin()
        return self.iterator

    def __next__(self):
        return next(self.iterator or iter(self))

    @property
    def label(self):
        return type(self.stage).__name__

    def state(self):
        return self.stage.state()

    def resume(self, *state):
        self.stage.resume(*state)


class Inner:
    """What goes on from `inner`, the pass before it, and from numbers of its own.

    Attributes:
        kept: the names of the attributes that are part of its place.
    """

    kept: tuple[str, ...] = ()

    def state(self):
        return [place_of(self.inner), *(getattr(self, name) for name in self.kept)]

    def resume(self, place, *values):
        put(self.inner, place)
        for name, value in zip(self.kept, values, strict=True):
            setattr(self, name, value)


class After(Inner, Stage):
    """A stage whose place is that of the pass before it."""

    def __init__(self, inner):
        self.inner = inner


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

    def state(self):
        return [self.place, self.stop]

    def resume(self, place, stop):
        check_length(stop, self.stop)
        self.place = place


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
    raise errors.invalid(
        f"Cannot batch tensors with different shapes in component {component}. First "
        f"element had shape {_brackets(shape)} and element {i} had shape "
        f"{_brackets(shapes[i])}.",
    )


def _brackets(shape):
    return "[" + ",".join(map(str, shape)) + "]"


def joined(blocks):
    """Blocks one after another, as one block."""
    if len(blocks) == 1:
        return blocks[0]
    for c, column in enumerate(zip(*blocks)):
        _check_shapes([part.shape[1:] for part in column], c)
    return [np.concatenate(column) for column in zip(*blocks)]


# ---------------------------------------------------------------------- sources
class Given(Stage):
    """Rows of a list or range that is there, made elements by `make`, of iterators."""

    def __init__(self, rows, make):
        self.rows, self.make, self.place, self.left = rows, make, 0, None

    def begin(self):
        self.left = iter(self.rows[self.place :] if self.place else self.rows)
        return self.make(self.left)

    def state(self):
        count = len(self.rows)
        left = self.left
        place = self.place if left is None else count - operator.length_hint(left)
        return [place, count]

    def resume(self, place, count):
        check_length(count, len(self.rows))
        self.place = place


def check_length(saved, found):
    """Refuse a place among another number of rows."""
    if saved != found:
        raise elsewhere(f"there {saved} rows, here {found}")


def given(rows, make=lambda rows: rows):
    """The source of rows that are there, see Given."""
    return lambda: Staged(Given(rows, make))


def once(element):
    """The source of a single element."""
    return given((element,))


def slices(arrays):
    """The source of the rows of arrays that are equally long."""
    return lambda: Slices(arrays, 0, len(arrays[0]))


def counting(start, stop, step):
    """The source of int64 scalars, as Python's range."""
    numbers = range(start, stop, step)[: sys.maxsize]
    return given(numbers, lambda rows: zip(map(np.int64, rows)))


def generated(make):
    """The source of what the iterators that `make()` gives yield."""
    return lambda: Elements(make())


# ---------------------------------------------------------------------- transforms
class Mapped(After):
    """A function of each element."""

    def __init__(self, inner, function):
        self.inner, self.function = inner, function

    def begin(self):
        return map(self.function, self.inner)


def mapped(source, function):
    """`function` of each element, a sequence of arrays."""
    return lambda: Staged(Mapped(source(), function))


class Filtered(Mapped):
    """The elements of which a function is true."""

    def begin(self):
        return filter(self.function, self.inner)


def filtered(source, predicate):
    """The elements of which `predicate` is true."""
    return lambda: Staged(Filtered(source(), predicate))


class Zipped(Stage):
    """Elements of several passes side by side."""

    def __init__(self, passes):
        self.passes = passes

    def begin(self):
        return map(list, map(itertools.chain.from_iterable, zip(*self.passes)))

    def state(self):
        return [place_of(p) for p in self.passes]

    def resume(self, *places):
        check_length(len(places), len(self.passes))
        for p, place in zip(self.passes, places):
            put(p, place)


def zipped(sources):
    """Elements with the components of one element from each source."""

    def start():
        passes = [source() for source in sources]
        if all(type(p) is Slices for p in passes):
            stop = min(p.stop - p.place for p in passes)
            parts = [a[p.place : p.place + stop] for p in passes for a in p.arrays]
            return Slices(parts, 0, stop)
        return Staged(Zipped(passes))

    return start


class Batched(Inner, Pass):
    """Blocks of elements as elements."""

    def __init__(self, inner, size, drop_remainder):
        self.inner, self.size, self.drop = inner, size, drop_remainder

    def __next__(self):
        found = self.inner.block(self.size)
        if found is None or (self.drop and len(found[0]) < self.size):
            raise StopIteration
        return found


class Ended(Inner, Pass):
    """What map_and_batch stacks: elements until one is out of range, which TensorFlow
    takes for the end, in the shape of the first one of their batch."""

    def __init__(self, inner):
        self.inner, self.ended = inner, False

    def __next__(self):
        try:
            if not self.ended:
                return next(self.inner)
        except errors.OutOfRangeError:
            self.ended = True
        raise StopIteration

    def block(self, count):
        rows = list(itertools.islice(self, count))
        if not rows:
            return None
        return stacked([tuple(map(_shaped, row, rows[0])) for row in rows])


def _shaped(array, first):
    """An array in the shape of the one that begins its batch."""
    if array.size != first.size:
        raise errors.invalid(
            "Cannot add tensor to the batch: number of elements does not match. Shapes "
            f"are: [tensor]: {_brackets(array.shape)}, [batch]: "
            f"{_brackets(first.shape)}"
        )
    return array.reshape(first.shape)


def ended(source):
    """The elements of a source for map_and_batch."""
    return lambda: Ended(source())


def batched(source, size, drop_remainder=False):
    """Stacks of `size` elements; the last one may be smaller.

    Args:
        drop_remainder: leave out a last batch that is smaller.
    """
    return lambda: Batched(source(), size, drop_remainder)
