"""Moments, and what is normalized with them, as one op each: large arrays, eagerly.

In graphs both stay the ops that TensorFlow has. Two passes over an array take the place
of six, and so on the way back.
"""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.base.tape_record import Ahead, Onto
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.ops.core.broadcast import axes_tuple, broadcast_to, unbroadcast
from twinflow.ops.core.constant import cast, stop_gradient
from twinflow.ops.core.elementwise import add, multiply, realdiv, rsqrt, subtract
from twinflow.ops.core.infer import broadcast_shapes, reduced
from twinflow.ops.core.size import size
from twinflow.ops.nn import normal

_TYPES = {"T": frozenset((dtypes.float32, dtypes.float64))}


def _alone(*tensors: Any) -> bool:
    """Whether these are eager, and nobody looks on."""
    kinds = {type(t) for t in tensors}
    return kinds == {dispatch.EagerTensor} and dispatch.unseen()


def _large(x: Any) -> bool:
    """Whether x is eager on this machine, and large, while at most tapes look on."""
    if type(x) is not dispatch.EagerTensor or x._a.size < normal.LARGE:
        return False
    return dispatch.seen_by_tapes_only()


# ------------------------------------------------------------------ moments
def _infer_moments(x, axes):
    shape = reduced(x, axes, True)
    return [shape, shape]


@bind_first
def _moments_kernel(xp, x, axes):
    axes = axes_tuple(axes, x.ndim)
    found = normal.moments(x, axes) if xp is np else None
    mean = xp.mean(x, axes, keepdims=True) if found is None else None
    if mean is not None:
        apart = x - mean
        return mean, xp.mean(apart * apart, axes, keepdims=True)
    return tuple(np.expand_dims(t, axes) for t in found)


def _moments_back(d_mean, d_variance, x, mean):
    """d_mean / n + d_variance * 2 * (x - mean) / n"""
    given = [d for d in (d_mean, d_variance) if d is not None]
    if len(given) == 2 and _alone(x, mean, *given):
        arrays = x._a, mean._a, d_mean._a, d_variance._a
        found = normal.moments_back(*arrays)
        if found is not None:
            return (Onto(found, x.dtype, arrays),)
    n = realdiv(cast(size(x), x.dtype), cast(size(mean), x.dtype))
    total = None
    if d_mean is not None:
        total = broadcast_to(realdiv(d_mean, n), x._shape_value())
    if d_variance is not None:
        apart = subtract(x, stop_gradient(mean))  # as in the graph of tf.nn.moments
        slope = multiply(apart, realdiv(multiply(d_variance, 2.0), n))
        total = slope if total is None else add(total, slope)
    return (total,)


Moments = define(
    "TwinMoments(x: T, axes: host int32) -> (mean: T, variance: T)",
    infer=_infer_moments,
    kernel=quiet(_moments_kernel),
    types=_TYPES,
    grad=_moments_back,
    none_ok=True,
)


def eager_moments(x: Tensor, axes: Any) -> Any:
    """(mean, variance) with the axes kept; None where it is for the other ops."""
    if not _large(x) or not normal.takes(x._a):
        return None
    axes = (axes,) if type(axes) is int else axes
    n = x._a.ndim
    if not isinstance(axes, list | tuple) or not all(type(a) is int for a in axes):
        return None
    if any(not -n <= a < n for a in axes):
        return None
    if normal.side(x._a.shape, [a % n for a in axes]) is None:
        return None
    return apply(Moments, (x, tuple(axes)))


# ------------------------------------------------------------------ normalized
def _infer_normalized(x, mean, variance, offset, scale, epsilon):
    shape = x._shape
    for t in (mean, variance, offset, scale):
        shape = broadcast_shapes(shape, t._shape)
    return shape


@bind_first
def _normalized_kernel(xp, x, mean, variance, offset, scale, epsilon):
    if xp is np:
        found = normal.normalized(x, mean, variance, offset, scale, epsilon)
        if found is not None:
            return found
    factor = scale / xp.sqrt(variance + x.dtype.type(epsilon))
    return x * factor + (offset - mean * factor)


def _normalized_back(dy, x, mean, variance, offset, scale, epsilon):
    ins = (x, mean, variance, offset, scale)
    if _alone(dy, *ins):
        found = normal.normalized_back(dy._a, *(t._a for t in ins), epsilon)
        if found is not None:
            kept = (a if type(a) is Ahead else dispatch.wrap(a, x.dtype) for a in found)
            return tuple(kept)
    rate = rsqrt(add(variance, epsilon))
    apart, slope = subtract(x, mean), multiply(dy, scale)
    dx = multiply(slope, rate)
    cube = multiply(multiply(multiply(rate, rate), rate), -0.5)
    grads = (
        dx,
        multiply(dx, -1.0),
        multiply(multiply(slope, apart), cube),
        dy,
        multiply(dy, multiply(apart, rate)),
    )
    pairs = zip(grads, ins, strict=True)
    return tuple(unbroadcast(d, t._shape_value()) for d, t in pairs)


Normalized = define(
    "TwinNormalized(x: T, mean: T, variance: T, offset: T, scale: T) -> (y: T); "
    "epsilon=0.001",
    infer=_infer_normalized,
    kernel=quiet(_normalized_kernel),
    types=_TYPES,
    grad=_normalized_back,
)


def _now(x: Any) -> Any:
    """The value of a variable."""
    return x._as_tensor() if isinstance(x, TensorLike) else x


def eager_normalized(ins: tuple, epsilon: Any) -> Any:
    """Batch or layer normalization; None where it is for the other ops.

    Args:
        ins: x, mean, variance, offset and scale. epsilon: a number, or else.
    """
    if not _large(ins[0]) or type(epsilon) is not float:
        return None
    ins = tuple(_now(t) for t in ins)
    if {type(t) for t in ins} != {dispatch.EagerTensor}:
        return None
    if not normal.fits(*(t._a for t in ins)):
        return None
    return apply(Normalized, ins, {"epsilon": epsilon})
