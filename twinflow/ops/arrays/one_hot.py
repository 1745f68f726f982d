"""Vectors with one element set: tf.one_hot."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import AxisValue, DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.movement import marked
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import host_rank, host_shape, one_int, ranked


def _infer_one_hot(indices, depth, on_value, off_value, axis):
    if host_rank(depth):
        raise InferError(
            f"depth must be scalar, not shape {host_shape(depth)}",
            f"Input must be scalar but has rank {host_rank(depth)}",
        )
    s, depth = indices._shape, one_int(depth)
    if depth is not None and depth < 0:
        raise InferError(f"depth must be non-negative, got: {depth}")
    for value, what in ((on_value, "on_value"), (off_value, "off_value")):
        ranked(value._shape, 0, f"{what} must be a scalar, but got: {{}}", later=True)
    if s is None:
        return None
    n = len(s)
    if axis != -1 and not 0 <= axis <= n:
        raise InferError(
            f"Expected axis to be -1 or between [0, {n + 1}).  But received: {axis}",
            "axis must be >= -1",
            later=axis > n,
        )
    axis = n if axis == -1 else axis
    return s[:axis] + (depth,) + s[axis:]


def _of_rows(indices, depth, on_value, off_value):
    """Only the entries that are on are written one by one."""
    on_value, off_value = np.asarray(on_value), np.asarray(off_value)
    found = marked(indices, depth, on_value, off_value)
    if found is not None:
        return found
    out = np.zeros((indices.size, depth), off_value.dtype)
    if off_value.dtype.hasobject or off_value.tobytes().strip(b"\0"):
        out[...] = off_value
    ids = indices.reshape(-1)
    (inside,) = np.nonzero((ids >= 0) & (ids < depth))
    out[inside, ids[inside]] = on_value
    return out.reshape(*indices.shape, depth)


@bind_first
def _one_hot_kernel(xp, indices, depth, on_value, off_value, axis):
    axis = indices.ndim if axis == -1 else axis
    if xp is np and axis == indices.ndim:
        return _of_rows(indices, one_int(depth), on_value, off_value)
    along = (-1,) + (1,) * (indices.ndim - axis)
    places = xp.arange(one_int(depth), dtype=indices.dtype).reshape(along)
    return xp.where(xp.expand_dims(indices, axis) == places, on_value, off_value)


OneHot = define("OneHot", on_host="depth", infer=_infer_one_hot, kernel=_one_hot_kernel)


def one_hot(
    indices: TensorValue, depth: TensorValue, on_value: TensorValue | None = None,
    off_value: TensorValue | None = None, axis: AxisValue | None = None,
    dtype: DTypeValue | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Vectors with `on_value` at one place each.

    Args:
        indices: uint8, int32 or int64 tensor; one out of [0, depth) gives no place.
        depth: the length of a vector.
        on_value, off_value: scalars of one dtype; 1 and 0 if not given.
        axis: where the vectors lie in the result; the last axis if not given.
        dtype: that of the values; float32 by default. name: for a graph.
    Returns:
        dtype[..., depth].
    Raises:
        TypeError: the values and `dtype` do not agree.
    Example:
        tf.one_hot([0, 2], 3)  # [[1., 0., 0.], [0., 0., 1.]]
    """
    with dispatch.current_mode().name_scope(name or "one_hot") as scope:
        wanted = _one_hot_dtype(on_value, off_value, dtype)
        on = convert_to_tensor(1 if on_value is None else on_value, wanted, "on_value")
        off = 0 if off_value is None else off_value
        off = convert_to_tensor(off, wanted, "off_value")
        attrs = {"axis": -1 if axis is None else axis}
        return apply(OneHot, (indices, depth, on, off), attrs, scope)


def _one_hot_dtype(on_value, off_value, dtype):
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    given = {"on_value": on_value, "off_value": off_value}
    found = {
        k: convert_to_tensor(v).dtype.base_dtype
        for k, v in given.items()
        if v is not None
    }
    for name, kind in found.items():
        if wanted is not None and kind is not wanted:
            raise TypeError(
                f"dtype {kind} of {name} does not match dtype parameter {wanted}"
            )
    if len(set(found.values())) > 1:
        raise TypeError(
            f"dtype {found['on_value']} of on_value does not match dtype "
            f"{found['off_value']} of off_value"
        )
    return wanted or next(iter(found.values()), dtypes.float32)
