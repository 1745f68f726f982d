"""Batches of elements that do not stack as they are: sparse, padded, windows."""

import itertools

import numpy as np

from twinflow.base import errors
from twinflow.data.pipeline.positions import (
    element_of,
    of_outcome,
    outcome,
    place_of,
    put,
)
from twinflow.data.pipeline.stages import (
    After,
    Inner,
    Pass,
    Staged,
    given,
    slices,
    stacked,
)


def _fail(kind, message):
    return kind(None, None, message)


# ---------------------------------------------------------------------- sparse
def stacker(structure):
    """The function that stacks elements of a structure, some of them sparse."""
    leaves = structure.leaves

    def stack(rows):
        columns, out = list(zip(*rows)), []
        for leaf, at in leaves:
            part = columns[at]
            out += _stacked_sparse(*part) if leaf else stacked(list(zip(*part)))
        return out

    return stack


def _stacked_sparse(indices, values, shapes):
    """Sparse tensors as one, with a first axis; the others are as long as the longest.

    Raises:
        InvalidArgumentError: their ranks differ.
    """
    if len({len(s) for s in shapes}) > 1:
        raise _fail(
            errors.InvalidArgumentError,
            "Cannot batch sparse tensors of different ranks: "
            f"{[len(s) for s in shapes]}",
        )
    places = [
        np.insert(np.asarray(places, np.int64), 0, i, axis=1)
        for i, places in enumerate(indices)
    ]
    shape = [len(shapes), *np.max(np.stack(shapes), axis=0)]
    return [np.concatenate(places), np.concatenate(values), np.array(shape, np.int64)]


class Stacked(Inner, Pass):
    """Elements stacked by a function of their list."""

    def __init__(self, inner, size, drop, stack):
        self.inner, self.size, self.drop = inner, size, drop
        self.stack = stack

    def __next__(self):
        rows = list(itertools.islice(self.inner, self.size))
        if not rows or (self.drop and len(rows) < self.size):
            raise StopIteration
        return self.stack(rows)


def batched_by(source, size, drop_remainder, stack):
    """As stages.batched, by a function of the list of elements."""
    return lambda: Stacked(source(), size, drop_remainder, stack)


def sparse_rows(indices, values, dense_shape):
    """The source of the slices of a sparse tensor along its first axis.

    Args:
        indices: int64[n, rank], the first column in ascending order.
    """
    firsts = indices[:, 0]
    if (np.diff(firsts) < 0).any():
        raise _fail(errors.InvalidArgumentError, "Sparse tensor is not ordered: its "
                    "indices must ascend along the first axis")  # fmt: skip

    def rows_of(i):
        at = slice(*np.searchsorted(firsts, [i, i + 1]))
        return [indices[at, 1:], values[at], dense_shape[1:]]

    return given(range(int(dense_shape[0])), lambda numbers: map(rows_of, numbers))


# ---------------------------------------------------------------------- padding
def padder(shapes, values):
    """The function that stacks elements, filled up at the end of each axis.

    Args:
        shapes: for each component, ints or None (as long as the longest).
        values: what each is filled with.
    Raises:
        InvalidArgumentError, DataLossError: an element does not fit.
    """

    def stack(rows):
        columns = zip(*rows)
        each = enumerate(zip(columns, shapes, values, strict=True))
        return [_padded(i, *column) for i, column in each]

    return stack


def _padded(component, arrays, shape, fill):
    rank = len(shape)
    for a in arrays:
        if a.ndim != rank:
            raise _fail(
                errors.InvalidArgumentError,
                "All elements in a batch must have the same rank as the padded shape "
                f"for component{component}: expected rank {rank} got element with "
                f"rank {a.ndim}",
            )
    low = next((d for d in shape if d is not None and d < 0), None)
    if low is not None:
        raise errors.invalid(f"Dimension {low} must be >= -1")
    longest = [max(a.shape[k] for a in arrays) for k in range(rank)]
    sizes = [n if d is None else d for n, d in zip(longest, shape, strict=True)]
    if any(n > m for n, m in zip(longest, sizes, strict=True)):
        raise _fail(
            errors.DataLossError,
            "Attempted to pad to a smaller size than the input element.",
        )
    out = np.full((len(arrays), *sizes), fill, arrays[0].dtype)
    for i, a in enumerate(arrays):
        out[(i, *map(slice, a.shape))] = a if a.ndim else a[()]
    return out


# ---------------------------------------------------------------------- windows
class Windowed(After):
    """Windows of the elements of a pass; one that holds an error raises it.

    Attributes:
        kept: the elements, and errors in their place, that the next windows may hold.
        first: how many elements to leave out before the next window.
    """

    def __init__(self, inner, size, shift, stride, drop_remainder, slices):
        self.inner, self.size, self.shift = inner, size, shift
        self.stride, self.drop, self.slices = stride, drop_remainder, slices
        self.kept, self.first = [], 0

    def elements(self):
        while rows := self._window():
            error = next((r for r in rows if isinstance(r, Exception)), None)
            if error is not None:
                raise error
            yield [boxed([row[at] for row in rows]) for at in self.slices]
        self.over = True

    def _window(self):
        """The rows of the next window; None at the end."""
        left_out = min(self.first, len(self.kept))
        del self.kept[:left_out]
        self.first -= left_out
        while self.first and self._one() is not None:
            self.first -= 1
        span = (self.size - 1) * self.stride + 1
        while not self.first and len(self.kept) < span:
            found = self._one()
            if found is None:
                break
            self.kept.append(found)
        rows = self.kept[: span : self.stride]
        if self.first or (self.drop and len(rows) < self.size):
            return None
        self.first = self.shift
        return rows

    def _one(self):
        """The next element, or the error in its place; None at the end."""
        try:
            return next(iter(self.inner), None)
        except Exception as error:
            return error

    def state(self):
        kept = [
            outcome(None, e) if isinstance(e, Exception) else outcome(e, None)
            for e in self.kept
        ]
        return [place_of(self.inner), self.first, kept]

    def resume(self, place, first, kept):
        put(self.inner, place)
        self.first = first
        pairs = map(of_outcome, kept)
        self.kept = [element if error is None else error for element, error in pairs]


def windowed(source, size, shift, stride, drop_remainder, slices):
    """Elements that are windows: for each leaf the source of its rows.

    Args:
        size: how many rows a window has. shift: from one window to the next.
        stride: between the rows of a window.
        drop_remainder: leave out windows that are shorter.
        slices: of the components that each leaf is.
    """
    options = size, shift, stride, drop_remainder, slices
    return lambda: Staged(Windowed(source(), *options))


class Rows:
    """The source of elements that are there: what a window is."""

    __slots__ = ("rows",)

    def __init__(self, rows):
        self.rows = rows

    def __call__(self):
        return given(self.rows)()


def boxed(rows):
    """The source of elements that are there, as an array that holds it."""
    box = np.empty((), object)
    box[()] = Rows(rows)
    return box


def unboxed(box):
    """The source in an array made by `boxed`."""
    return np.asarray(box, object)[()]


class Unbatched(After):
    """The rows of each element of a pass."""

    def __init__(self, inner):
        self.inner, self.open, self.place = inner, None, 0

    def elements(self):
        while True:
            if self.open is None:
                self.open = next(iter(self.inner), None)
            element = self.open
            if element is None:
                break
            try:
                rows = slices(list(element))()
                rows.place, rows.stop = self.place, _rows_of(element)
            except Exception:
                self.open = None
                raise
            for found in rows:
                self.place += 1
                yield found
            self.open, self.place = None, 0
        self.over = True

    def state(self):
        return [place_of(self.inner), self.open, self.place]

    def resume(self, place, element, row):
        put(self.inner, place)
        self.open = None if element is None else element_of(element)
        self.place = row


def _rows_of(element):
    if any(a.ndim == 0 for a in element):
        raise _fail(errors.InvalidArgumentError, "Cannot unbatch scalars.")
    lengths = {len(a) for a in element}
    if len(lengths) != 1:
        raise _fail(
            errors.InvalidArgumentError,
            f"Components to unbatch differ in length: {sorted(lengths)}",
        )
    return lengths.pop()


def unbatched(source):
    """The rows of each element as elements."""
    return lambda: Staged(Unbatched(source()))
