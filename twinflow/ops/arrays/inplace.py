"""Rows of a tensor replaced, or added to: the result is a tensor of its own."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import bind_first, define
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import host_ranked, host_shape, text, unchanged
from twinflow.ops.core.shape import expand_dims, reshape, shape


def _check(x, i, v):
    if i.ndim != 1:
        raise invalid(f"i must be a vector. {text(i.shape)}")
    if x.ndim != v.ndim:
        raise invalid(
            f"x and v shape doesn't match (ranks differ): {text(x.shape)} vs. "
            f"{text(v.shape)}"
        )
    for axis in range(1, x.ndim):
        if x.shape[axis] != v.shape[axis]:
            raise invalid(
                f"x and v shape doesn't match at index {axis} : {text(x.shape)} vs. "
                f"{text(v.shape)}"
            )
    if i.shape[0] != v.shape[0]:
        raise invalid(
            f"i and x shape doesn't match at index 0: {text(i.shape)} vs. "
            f"{text(v.shape)}"
        )


def _define(kind, change):
    def kernel(x, i, v):
        _check(x, i, v)
        out = x.copy()
        if len(i):
            change(out, i % len(x), v)
        return out

    return define(kind, infer=unchanged, host=kernel)


def _put(out, i, v):
    out[i] = v


InplaceUpdate = _define("InplaceUpdate", _put)
InplaceAdd = _define("InplaceAdd", np.add.at)
InplaceSub = _define("InplaceSub", np.subtract.at)
DeepCopy = define("DeepCopy", infer=unchanged, kernel=lambda xp: lambda x: x.copy())


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


# ---------------------------------------------------------------------- empty tensors
@bind_first
def _empty(xp, shape, dtype, init):
    dims = tuple(np.ravel(shape).tolist())
    if dtype is dtypes.string:
        return np.full(dims, b"", object)
    return xp.zeros(dims, dtype.np)


def _infer_empty(shape, dtype, init):
    host_ranked(shape, 1)
    return host_shape(shape)


Empty = define("Empty", infer=_infer_empty, kernel=_empty, on_host="shape")


def empty_like(x, init=None):
    """A tensor like x, whose values are zeros."""
    x = convert_to_tensor(x)
    attrs = {"dtype": x.dtype, "init": bool(init)}
    with dispatch.current_mode().name_scope("empty_like"):
        return apply(Empty, (shape(x),), attrs)
