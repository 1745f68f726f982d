"""Clipping values and norms."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.op import REAL, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import (
    add_n,
    maximum,
    minimum,
    multiply,
    realdiv,
    sqrt,
    square,
)
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.infer import merge
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.size import size
from twinflow.ops.debugging.numbers import check_numerics
from twinflow.ops.debugging.static import with_dependencies


def _clipped(t, clip_value_min, clip_value_max):
    for limit in (clip_value_min, clip_value_max):
        if limit._shape != ():
            merge(t._shape, limit._shape)
    return t._shape


ClipByValue = define(  # of programs of TensorFlow 1.4; it has no gradient
    "ClipByValue",
    infer=_clipped,
    kernel=lambda xp: lambda t, low, high: xp.maximum(xp.minimum(t, high), low),
    types=REAL,
)


def clip_by_value(
    t: TensorValue, clip_value_min: Any, clip_value_max: Any, name: str | None = None
) -> Tensor:
    """min(max(t, clip_value_min), clip_value_max), elementwise.

    Args:
        t: int or float tensor.
        clip_value_min, clip_value_max: scalars, or tensors that broadcast to `t`.
        name: the name of the last node in a graph.
    Returns:
        A tensor like `t`; gradients pass where it was not clipped.
    Raises:
        ValueError: a limit would change the shape.
    Example:
        tf.clip_by_value([-2., 0.5], -1., 1.)  # [-1., 0.5]
    """
    with dispatch.current_mode().name_scope(name or "clip_by_value") as scope:
        values = convert_to_tensor(t, name="t")
        low = minimum(values, clip_value_max)
        values.shape.merge_with(low.shape)
        out = maximum(low, clip_value_min, scope)
        values.shape.merge_with(out.shape)
        return out


def clip_by_norm(
    t: TensorValue, clip_norm: TensorValue, axes: Any = None, name: str | None = None
) -> Tensor:
    """t * clip_norm / max(norm, clip_norm), where norm is the L2 norm along axes.

    Args:
        t: float tensor. clip_norm: a scalar > 0, the largest norm to have.
        axes: the axes of one vector; None = `t` is one vector.
        name: the name of the last node in a graph.
    Example:
        tf.clip_by_norm([3., 4.], 1.)  # [0.6, 0.8]
    """
    mode = dispatch.current_mode()
    with mode.name_scope(name or "clip_by_norm") as scope:
        values = convert_to_tensor(t, name="t")
        total = reduce_sum(values * values, axes, keepdims=True)
        some = greater(total, 0.0)  # keeps the gradient of sqrt finite at 0
        norm = where(some, sqrt(where(some, total, ones_like(total))), total)
        scaled = values * clip_norm
        values.shape.assert_is_compatible_with(scaled.shape)
        return identity(scaled / maximum(norm, clip_norm), scope)


def clip_by_average_norm(
    t: TensorValue, clip_norm: TensorValue, name: str | None = None
) -> Tensor:
    """As tf.clip_by_norm, for the norm divided by the number of elements.

    Args:
        t: float tensor. clip_norm: a scalar > 0. name: for a graph.
    """
    with dispatch.current_mode().name_scope(name or "clip_by_average_norm") as scope:
        values = convert_to_tensor(t, name="t")
        count = cast(size(values), values.dtype)
        norm = realdiv(sqrt(reduce_sum(square(values))), count)
        factor = minimum(realdiv(1.0, norm), realdiv(1.0, _like(clip_norm, values)))
        return identity(multiply(multiply(values, clip_norm), factor), scope)


def _like(value, t):
    return convert_to_tensor(value, t.dtype.base_dtype)


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The L2 norm of several tensors taken as one vector.

    Args:
        t_list: a list of float tensors; None entries are left out.
        name: the name of the scope in a graph.
    Returns:
        A scalar: sqrt(sum of squares).
    Example:
        tf.global_norm([[3.], [4.]])  # 5.0
    """
    _check_list(t_list)
    mode = dispatch.current_mode()
    with mode.name_scope(name or "global_norm"):
        mode.leave_ids(4 - 2 * len(t_list) if len(t_list) > 1 else 3)
        parts = [reduce_sum(square(_values(t))) for t in t_list if t is not None]
        return sqrt(add_n(parts), "global_norm")


def _values(t):
    return t.values if isinstance(t, IndexedSlices) else convert_to_tensor(t)


def _check_list(t_list):
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"t_list should be a sequence of tensors, got {t_list!r}")


def clip_by_global_norm(
    t_list: Any, clip_norm: TensorValue, use_norm: Any = None, name: str | None = None
) -> tuple[Any, ...]:
    """Scale several tensors by clip_norm / max(their global norm, clip_norm).

    Args:
        t_list: a list of float tensors, with None where there is nothing to scale.
        clip_norm: a scalar > 0. use_norm: the global norm, where it is known.
        name: the name of the scope in a graph.
    Returns:
        (list of scaled tensors, global norm)
    Raises:
        InvalidArgumentError: the global norm is NaN or infinite.
    Example:
        tf.clip_by_global_norm([[3.], [4.]], 1.)  # [[0.6], [0.8]], 5.0
    """
    _check_list(t_list)
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with dispatch.current_mode().name_scope("VerifyFinite"):
        check = check_numerics(norm, "Found Inf or NaN global norm.")
        norm = with_dependencies([check], norm)
    mode, label = dispatch.current_mode(), name or "clip_by_global_norm"
    with mode.name_scope(label):
        mode.leave_ids(1)
        limit = _like(clip_norm, norm)
        factor = multiply(limit, minimum(realdiv(1.0, norm), realdiv(1.0, limit)))
        scaled = [None if t is None else multiply(_values(t), factor) for t in t_list]
        return [
            _like_given(t, s, f"{label}/_{i}")
            for i, (t, s) in enumerate(zip(t_list, scaled, strict=True))
        ], norm


def _like_given(given, values, name):
    """`values` in the form of the tensor they were computed from."""
    if values is None:
        return None
    values = identity(values, name)
    if isinstance(given, IndexedSlices):
        return given._with((values, given.indices, given._dense_shape))
    return values


def saturate_cast(
    value: TensorValue, dtype: DTypeValue, name: str | None = None
) -> Tensor:
    """`value` as `dtype`; what does not fit becomes the nearest that does.

    Args:
        value: int or float tensor. dtype: the DType. name: for a graph.
    Example:
        tf.saturate_cast([300., -5.], tf.uint8)  # [255, 0]
    """
    with dispatch.current_mode().name_scope(name or "saturate_cast") as scope:
        value, dtype = convert_to_tensor(value, name="value"), dtypes.as_dtype(dtype)
        if value.dtype.min < dtype.min:
            value = maximum(value, _like(dtype.min, value))
        if value.dtype.max > dtype.max:
            value = minimum(value, _like(dtype.max, value))
        return cast(value, dtype, scope)
