"""Batches of elements that do not stack as they are: sparse, padded, windows."""

import collections
import itertools

import numpy as np

from twinflow.base import errors
from twinflow.data.iterators import Elements, Pass, slices, stacked


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


class Stacked(Pass):
    """Elements stacked by a function of their list."""

    def __init__(self, elements, size, drop, stack):
        self.elements, self.size, self.drop = elements, size, drop
        self.stack = stack

    def __next__(self):
        rows = list(itertools.islice(self.elements, self.size))
        if not rows or (self.drop and len(rows) < self.size):
            raise StopIteration
        return self.stack(rows)


def batched_by(source, size, drop_remainder, stack):
    """As iterators.batched, by a function of the list of elements."""
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

    def start():
        for i in range(int(dense_shape[0])):
            at = slice(*np.searchsorted(firsts, [i, i + 1]))
            yield [indices[at, 1:], values[at], dense_shape[1:]]

    return lambda: Elements(start())


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
def windowed(source, size, shift, stride, drop_remainder):
    """Elements that are windows: for each component the source of its rows.

    Args:
        size: how many rows a window has. shift: from one window to the next.
        stride: between the rows of a window.
        drop_remainder: leave out windows that are shorter.
    """

    def start():
        kept: collections.deque = collections.deque()
        elements, span, first = iter(source()), (size - 1) * stride + 1, 0
        while True:
            for _ in range(min(first, len(kept))):
                kept.popleft()
                first -= 1
            first -= sum(1 for _ in itertools.islice(elements, first))
            kept.extend(itertools.islice(elements, max(0, span - len(kept))))
            rows = list(itertools.islice(kept, 0, span, stride))
            if first or not rows or (drop_remainder and len(rows) < size):
                return
            yield [boxed([[a] for a in column]) for column in zip(*rows)]
            first = shift

    return lambda: Elements(start())


def boxed(rows):
    """The source of elements that are there, as an array that holds it."""
    box = np.empty((), object)
    box[()] = lambda: Elements(iter(rows))
    return box


def unboxed(box):
    """The source in an array made by `boxed`."""
    return np.asarray(box, object)[()]


def unbatched(source):
    """The rows of each element as elements."""

    def start():
        for element in source():
            lengths = {len(a) for a in element}
            if len(lengths) != 1:
                raise _fail(
                    errors.InvalidArgumentError,
                    f"Components to unbatch differ in length: {sorted(lengths)}",
                )
            yield from slices(list(element))()

    return lambda: Elements(start())
