"""Rows of a tensor replaced, or added to: the result is a tensor of its own."""

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.ops.arrays.passing import (
    DeepCopy,
    Empty,
    InplaceAdd,
    InplaceSub,
    InplaceUpdate,
)
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.shape import expand_dims, reshape, shape


def _changed(op, x, i, v):
    """x with the rows `i` changed by those of `v`; all of x where `i` is None."""
    x = apply(DeepCopy, (convert_to_tensor(x),))
    v = convert_to_tensor(v, x.dtype)
    if i is None:
        rows = reshape(x, [1, -1]), [0], reshape(v, [1, -1])
        return reshape(apply(op, rows), shape(x))
    i = convert_to_tensor(i, dtypes.int32)
    if i._shape == ():
        i, v = reshape(i, [1]), expand_dims(v, 0)
    return apply(op, (x, i, v))


def inplace_update(x, i, v):
    """A copy of x where the rows `i` (of x[i], or all with None) are those of `v`.

    Args:
        x: a tensor. i: int32[n], one number, or None; they count modulo the rows.
        v: the rows, of the shape of x[i].
    """
    return _changed(InplaceUpdate, x, i, v)


def inplace_add(x, i, v):
    """A copy of x where `v` is added to the rows `i`; see `inplace_update`."""
    return _changed(InplaceAdd, x, i, v)


def inplace_sub(x, i, v):
    """A copy of x where `v` is taken from the rows `i`; see `inplace_update`."""
    return _changed(InplaceSub, x, i, v)


def empty(shape, dtype, init=False):
    """A tensor of zeros, or of whatever the memory holds.

    Args:
        shape: int32[rank]. dtype: the DType. init: whether it must be zeros.
    """
    attrs = {"dtype": dtypes.as_dtype(dtype), "init": bool(init)}
    return apply(Empty, (convert_to_tensor(shape, dtypes.int32),), attrs)


def empty_like(x, init=None):
    """A tensor like x, whose values are zeros."""
    x = convert_to_tensor(x)
    attrs = {"dtype": x.dtype, "init": bool(init)}
    with dispatch.current_mode().name_scope("empty_like"):
        return apply(Empty, (shape(x),), attrs)
