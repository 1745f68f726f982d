"""Arithmetic, as tf.keras.backend has it."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults
from twinflow.ops.core import compare, elementwise, reduction, rounding, scan
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math import clip as ops_clip
from twinflow.ops.math import positions, trigonometry

abs = elementwise.abs
cos, sin = trigonometry.cos, trigonometry.sin
exp, log, sign, square = (
    elementwise.exp,
    elementwise.log,
    elementwise.sign,
    elementwise.square,
)
round = rounding.round
maximum, minimum = elementwise.maximum, elementwise.minimum
equal, not_equal = compare.equal, compare.not_equal
greater, greater_equal = compare.greater, compare.greater_equal
less, less_equal = compare.less, compare.less_equal


def pow(x: TensorValue, a: TensorValue) -> Any:
    """x^a."""
    return elementwise.pow(x, a)


def sqrt(x: TensorValue) -> Tensor:
    """The root of x, of 0 where x is negative."""
    return elementwise.sqrt(ops_clip.clip_by_value(x, 0.0, float("inf")))


def clip(x: TensorValue, min_value: Any, max_value: Any) -> Tensor:
    """x kept within two numbers."""
    if max_value is not None and max_value < min_value:
        max_value = min_value
    if max_value is None:
        max_value = float("inf")
    dtype = x.dtype.base_dtype
    low, high = constant(min_value, dtype), constant(max_value, dtype)
    return ops_clip.clip_by_value(x, low, high)


def dot(x: TensorValue, y: TensorValue) -> Any:
    """The products of the last axis of x and the last but one of y."""
    n, m = len(x._shape), len(y._shape)
    if n <= 2 and m <= 2:
        return matmul(x, y)
    size = y._shape[-2]
    order = [m - 2, *range(m - 2), m - 1]
    rows = reshape(x, [-1, x._shape[-1]])
    columns = reshape(transpose(y, order), [size, -1])
    left, right = shape_of(x)[:-1], shape_of(y)
    out = concat([left, right[:-2], right[-1:]], 0)
    found = reshape(matmul(rows, columns), out)
    if found.symbolic:
        found.set_shape((*x._shape[:-1], *y._shape[:-2], y._shape[-1]))
    return found


def _float(x):
    return cast(x, defaults.floatx()) if x.dtype.base_dtype.name == "bool" else x


def max(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """The largest entry."""
    return reduction.reduce_max(x, axis, keepdims)


def min(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """The smallest entry."""
    return reduction.reduce_min(x, axis, keepdims)


def sum(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """The sum."""
    return reduction.reduce_sum(x, axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool | None = False) -> Any:
    """The product."""
    return reduction.reduce_prod(x, axis, keepdims)


def mean(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Tensor:
    """The mean."""
    return reduction.reduce_mean(_float(x), axis, keepdims)


def var(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """The variance."""
    x = _float(x)
    center = reduction.reduce_mean(x, axis, True)
    return reduction.reduce_mean(elementwise.square(x - center), axis, keepdims)


def std(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """The standard deviation."""
    return elementwise.sqrt(var(x, axis, keepdims))


def any(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """Whether some entry is not 0."""
    return reduction.reduce_any(cast(x, "bool"), axis, keepdims)


def all(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """Whether no entry is 0."""
    return reduction.reduce_all(cast(x, "bool"), axis, keepdims)


def argmax(x: TensorValue, axis: Any = -1) -> Any:
    """int64: where the largest entry is."""
    return positions.argmax(x, axis)


def argmin(x: TensorValue, axis: Any = -1) -> Any:
    """int64: where the smallest entry is."""
    return positions.argmin(x, axis)


def logsumexp(x: TensorValue, axis: Any = None, keepdims: bool | None = False) -> Any:
    """log(sum(exp(x))), without overflow."""
    return reduction.reduce_logsumexp(x, axis, keepdims)


def cumsum(x: TensorValue, axis: Any = 0) -> Any:
    """The sums of the entries up to each."""
    return scan.cumsum(x, axis)


def cumprod(x: TensorValue, axis: Any = 0) -> Any:
    """The products of the entries up to each."""
    return scan.cumprod(x, axis)
