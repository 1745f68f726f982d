"""Values without their repetitions, and those of one list that are not in another.

How many there are depends on the values, so these run on the host.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays import ordered
from twinflow.ops.core.infer import ints, ranked


class Unique(NamedTuple):
    """The distinct values, and for each element the place of its value among them."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """As Unique, and how often each value comes."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # it hides tuple.count


class ListDiff(NamedTuple):
    """The values that are left, and where they were."""

    out: Tensor
    idx: Tensor


def _vector(t, message):
    s = t._shape
    ranked(s, 1, message)
    return s


def _infer_unique(counts):
    def infer(x, out_idx):
        s = _vector(x, "unique expects a 1D vector.")
        return [(None,), s, (None,)][: 2 + counts]

    return infer


def _axis(axis, ndim):
    """The axis of UniqueV2, which comes as a vector of one int or none."""
    found = ints(axis)
    if len(found) > 1:
        raise InferError(
            f"axis does not have 1 or 0 elements: got [{len(found)}] elements"
        )
    if not found:
        return None
    if not -ndim <= found[0] < ndim:
        raise InferError(f"axis has to be between [0, {ndim})")
    return found[0] % ndim


def _infer_along(counts):
    def infer(x, axis, out_idx):
        s = x._shape
        if s is None or axis is None or None in ints(axis):
            return [None if s is None else (None,) * len(s), (None,), (None,)][
                : 2 + counts
            ]
        along = _axis(axis, len(s))
        if along is None:
            s, along = _vector(x, "unique expects a 1D vector."), 0
            if s is None:
                return [(None,), (None,), (None,)][: 2 + counts]
        y = s[:along] + (None,) + s[along + 1 :]
        return [y, s[along : along + 1], (None,)][: 2 + counts]

    return infer


def _groups(x):
    """(where each distinct row is first, the number of each row's value, counts)."""
    if x.dtype == object or x.ndim > 1 or x.dtype.kind == "c":
        return _groups_by_key(x)
    found = ordered.groups(x)
    if found is not None:
        return found
    _, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return first[order], place[inverse], counts[order]


def _groups_by_key(x):
    seen: dict = {}
    first: list = []
    inverse = np.empty(len(x), np.int64)
    rows = x.reshape(len(x), math.prod(x.shape[1:]))
    for i, row in enumerate(rows.tolist()):
        place = seen.setdefault(tuple(row), len(first))
        if place == len(first):
            first.append(i)
        inverse[i] = place
    counts = np.bincount(inverse, minlength=len(first))
    return np.array(first, np.int64), inverse, counts


def _kernel(counts):
    def kernel(x, out_idx):
        if x.ndim != 1:
            raise ValueError("a vector is wanted")  # infer says it better
        first, inverse, count = _groups(x)
        found = x[first], inverse.astype(out_idx.np), count.astype(out_idx.np)
        return found[: 2 + counts]

    return kernel


def _along_kernel(counts):
    def kernel(x, axis, out_idx):
        along = _axis(axis, x.ndim) or 0
        first, inverse, count = _groups(np.moveaxis(x, along, 0))
        y = np.take(x, first, along)
        found = y, inverse.astype(out_idx.np), count.astype(out_idx.np)
        return found[: 2 + counts]

    return kernel


def _define(kind, counts):
    facts = {"host": True}
    plain = define(
        kind, infer=_infer_unique(counts), kernel=lambda xp: _kernel(counts), **facts
    )
    define(
        f"{kind}V2",
        on_host="axis",
        infer=_infer_along(counts),
        kernel=lambda xp: _along_kernel(counts),
        **facts,
    )
    return plain


_UNIQUE = _define("Unique", 0)
_WITH_COUNTS = _define("UniqueWithCounts", 1)


def unique(
    x: TensorValue, out_idx: Any = dtypes.int32, name: str | None = None
) -> Unique:
    """The distinct values of `x`, in the order in which they first come.

    Args:
        x: a tensor[n] of any dtype. name: the name of the node in a graph.
        out_idx: int32 or int64, the dtype of the places.
    Returns:
        (y, idx): the values, and for each element of `x` its place in y, `out_idx[n]`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): `x` has not one axis.
    Example:
        y, idx = tf.unique([7, 5, 7])  # [7, 5], [0, 1, 0]
    """
    attrs = {"out_idx": dtypes.as_dtype(out_idx)}
    return Unique(*apply(_UNIQUE, (x,), attrs, name))


def unique_with_counts(
    x: TensorValue, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """As tf.unique, and how often each value comes.

    Args:
        x, out_idx, name: see tf.unique.
    Returns:
        (y, idx, count).
    Example:
        tf.unique_with_counts([7, 5, 7])  # [7, 5], [0, 1, 0], [2, 1]
    """
    attrs = {"out_idx": dtypes.as_dtype(out_idx)}
    return UniqueWithCounts(*apply(_WITH_COUNTS, (x,), attrs, name))


def _infer_diff(x, y, out_idx):
    _vector(x, "x should be a 1D vector.")
    _vector(y, "y should be a 1D vector.")
    return [(None,), (None,)]


def _diff_kernel(x, y, out_idx):
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError("vectors are wanted")  # infer says it better
    if x.dtype == object:
        gone = set(y.tolist())
        kept = np.array([v not in gone for v in x.tolist()], bool)
    else:
        kept = ~np.isin(x, y)
    return x[kept], np.flatnonzero(kept).astype(out_idx.np)


_DIFF = define("ListDiff", infer=_infer_diff, host=_diff_kernel)


def setdiff1d(
    x: TensorValue, y: TensorValue, index_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> ListDiff:  # fmt: skip
    """The elements of `x` that are not in `y`, in their order.

    Args:
        x: a tensor[n]. y: a tensor[m] of the same dtype.
        index_dtype: int32 or int64, the dtype of the places. name: for a graph.
    Returns:
        (out, idx): the elements, and their places in `x`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is not one axis.
    Example:
        out, idx = tf.setdiff1d([1, 2, 3], [2])  # [1, 3], [0, 2]
    """
    attrs = {"out_idx": dtypes.as_dtype(index_dtype)}
    return ListDiff(*apply(_DIFF, (x, y), attrs, name))
