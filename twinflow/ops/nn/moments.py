"""Moments, and what is normalized with them."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import (
    cast,
    constant,
    convert_to_tensor,
    stop_gradient,
)
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import (
    add,
    maximum,
    multiply,
    negative,
    reciprocal,
    rsqrt,
    square,
    squared_difference,
    subtract,
)  # fmt: skip
from twinflow.ops.core.infer import ints
from twinflow.ops.core.reduction import reduce_mean, reduce_prod, reduce_sum
from twinflow.ops.core.shape import renamed, shape, squeeze
from twinflow.ops.nn.batch_norm import FusedBatchNorm, FusedBatchNormV2
from twinflow.ops.nn.normal import LARGE
from twinflow.ops.nn.normalized import eager_moments, eager_normalized

_MIN_EPSILON = 1.001e-5


def moments(
    x: TensorValue, axes: Any, shift: Any = None, name: str | None = None,
    keep_dims: bool | None = False,
) -> tuple[Any, Any]:  # fmt: skip
    """The mean and variance of x along axes; halves are computed in float32.

    mean = E(x), variance = E((x - mean) ** 2)

    Args:
        x: a numeric tensor. axes: ints. shift: has no effect.
        name: the name of the call. keep_dims: keep the axes, with size 1.
    Returns:
        (mean, variance) of the dtype of `x`
    Example:
        tf.nn.moments(tf.constant([1., 3.]), [0])  # 2., 1.
    """
    with current_mode().name_scope(name or "moments"):
        x = convert_to_tensor(x, name="x")
        if (both := eager_moments(x, axes)) is not None:
            return tuple(_finished(t, axes, keep_dims, x.dtype) for t in both)
        y = cast(x, dtypes.float32) if x.dtype is dtypes.float16 else x
        mean = reduce_mean(y, axes, True, name="mean")
        apart = squared_difference(y, stop_gradient(mean, "StopGradient"))
        variance = reduce_mean(apart, axes, True, name="variance")
        return tuple(_finished(t, axes, keep_dims, x.dtype) for t in (mean, variance))


def _finished(t, axes, keep_dims, dtype):
    t = t if keep_dims else squeeze(t, axes)
    return cast(t, dtype) if t.dtype is not dtype else t


def sufficient_statistics(
    x: TensorValue, axes: Any, shift: Any = None, keep_dims: bool | None = False,
    name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """What the mean and variance of x along axes are computed from.

    Args:
        x: a numeric tensor. axes: ints.
        shift: a value near the mean, subtracted first for accuracy; None for 0.
        keep_dims: keep the axes, with size 1. name: the name of the call.
    Returns:
        (count, sum of x - shift, sum of (x - shift) ** 2, shift)
    Example:
        tf.nn.sufficient_statistics([1., 3.], [0])  # 2., 4., 10., None
    """
    with current_mode().name_scope(name or "sufficient_statistics"):
        x = convert_to_tensor(x, name="x")
        count = _entries(x, axes)
        if shift is None:
            moved, squares = x, square(x, "Square")
        else:
            shift = convert_to_tensor(shift, x.dtype, "shift")
            moved, squares = subtract(x, shift, "Sub"), squared_difference(x, shift)
        total = reduce_sum(moved, axes, keep_dims, name="mean_ss")
        return count, total, reduce_sum(squares, axes, keep_dims, name="var_ss"), shift


def _entries(x, axes):
    """How many entries of x there are along axes, in the dtype of x."""
    sizes = x._shape
    if sizes is not None and all(sizes[a] is not None for a in ints(axes)):
        total = 1
        for a in {a % len(sizes) for a in ints(axes)}:
            total *= sizes[a]
        return constant(total, x.dtype)
    along = [shape(x)[a] for a in ints(axes)]
    return cast(reduce_prod(along), x.dtype, "count")


def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Any, Any]:
    """The mean and variance from `sufficient_statistics`.

    mean = mean_ss / counts + shift
    variance = variance_ss / counts - (mean - shift) ** 2

    Args:
        counts: a scalar. mean_ss, variance_ss: the sums. shift: the shift, or None.
        name: the name of the call.
    Returns:
        (mean, variance)
    Example:
        tf.nn.normalize_moments(2., 4., 10., None)  # 2., 1.
    """
    with current_mode().name_scope(name or "normalize"):
        divisor = reciprocal(convert_to_tensor(counts), "divisor")
        if shift is None:
            moved = mean = multiply(mean_ss, divisor, "mean")
        else:
            moved = multiply(mean_ss, divisor, "shifted_mean")
            mean = add(moved, shift, "mean")
        squares = multiply(variance_ss, divisor, "Mul")
        return mean, subtract(squares, square(moved, "Square"), "variance")


def weighted_moments(
    x: TensorValue, axes: Any, frequency_weights: Any, name: str | None = None,
    keep_dims: bool | None = False,
) -> tuple[Any, Any]:  # fmt: skip
    """The mean and variance of x along axes, entries counted by their weights.

    Args:
        x: a numeric tensor. axes: ints.
        frequency_weights: a tensor that broadcasts to `x`; integers are converted.
        name: the name of the call. keep_dims: keep the axes, with size 1.
    Returns:
        (mean, variance)
    Example:
        tf.nn.weighted_moments([1., 3.], [0], [1., 3.])  # 2.5, 0.75
    """
    with current_mode().name_scope(name or "weighted_moments"):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        kept = x.dtype
        if kept is dtypes.float16:
            x = cast(x, dtypes.float32)
        weights = cast(weights, x.dtype)
        total = reduce_sum(
            multiply(weights, x, "mul"), axes, True, name="weighted_input_sum"
        )
        whole = add(weights, zeros_like(x), "add")
        whole = reduce_sum(whole, axes, True, name="sum_of_weights")
        per_weight = reciprocal(whole, "inv_weight_sum")
        mean = multiply(total, per_weight, "Mul")
        apart = multiply(weights, squared_difference(x, mean), "mul")
        spread = reduce_sum(apart, axes, True, name="weighted_distsq")
        variance = multiply(spread, per_weight, "Mul")
        return tuple(_finished(t, axes, keep_dims, kept) for t in (mean, variance))


def batch_normalization(
    x: TensorValue, mean: TensorValue, variance: Any, offset: Any, scale: Any,
    variance_epsilon: Any, name: str | None = None,
) -> Tensor:  # fmt: skip
    """(x - mean) * scale / sqrt(variance + variance_epsilon) + offset.

    Args:
        x: a float tensor. mean, variance: tensors that broadcast to `x`.
        offset, scale: likewise, or None.
        variance_epsilon: a small number that is added. name: the name of the call.
    Returns:
        a tensor like `x`
    Example:
        x = tf.constant([3.])
        tf.nn.batch_normalization(x, [1.], [4.], None, None, 0.)  # [1.]
    """
    if type(x) is dispatch.EagerTensor and x._a.size >= LARGE:
        ins = (x, mean, variance, offset, scale)
        if (y := eager_normalized(ins, variance_epsilon)) is not None:
            return y
    with current_mode().name_scope(name or "batchnorm"):
        factor = rsqrt(add(variance, variance_epsilon, "add"))
        if scale is not None:
            factor = multiply(factor, scale, "mul")
        y = multiply(x, factor, "mul")
        if offset is None:
            rest = multiply(negative(mean), factor, "mul")
        else:
            rest = subtract(offset, multiply(mean, factor, "mul"), "sub")
        return add(y, rest, "add")


def batch_norm_with_global_normalization(
    t: TensorValue, m: Any, v: Any, beta: Any, gamma: Any, variance_epsilon: Any,
    scale_after_normalization: Any, name: str | None = None,
) -> Any:  # fmt: skip
    """As `batch_normalization`, with the arguments of its predecessor.

    Args:
        t: a float tensor. m, v, beta, gamma: one number per channel.
        variance_epsilon: a small number that is added.
        scale_after_normalization: whether to multiply by gamma.
        name: the name of the call.
    """
    gamma = gamma if scale_after_normalization else None
    return batch_normalization(t, m, v, beta, gamma, variance_epsilon, name)


def fused_batch_norm(
    x: TensorValue, scale: Any, offset: Any, mean: TensorValue | None = None,
    variance: Any = None, epsilon: Any = 0.001, data_format: str = "NHWC",
    is_training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """Batch normalization of images as one op.

    y = (x - mean) * scale / sqrt(variance + epsilon) + offset, per channel. Halves are
    computed in float32.

    Args:
        x: float[batch, height, width, channels] (NCHW: channels second).
        scale, offset: float[channels].
        mean, variance: float[channels], needed when not training, else None.
        epsilon: a small number that is added. data_format: "NHWC" or "NCHW".
        is_training: take the mean and variance of the batch.
        name: the name of the call.
    Returns:
        (y, mean, variance); when training, variance = sum((x - mean) ** 2) / (n - 1)
    Raises:
        ValueError: mean or variance is given when training.
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        y, mean, variance = tf.nn.fused_batch_norm([[[[1.]]], [[[3.]]]], [1.], [0.])
        y  # -1.0, 1.0
        mean  # [2.]
    """
    if is_training and (mean is not None or variance is not None):
        raise ValueError(
            "Both 'mean' and 'variance' must be None if is_training is True."
        )
    x = convert_to_tensor(x, name="input")
    scale = convert_to_tensor(scale, name="scale")
    offset = convert_to_tensor(offset, name="offset")
    mean = constant([], scale.dtype) if mean is None else mean
    variance = constant([], scale.dtype) if variance is None else variance
    small = x.dtype in (dtypes.float16, dtypes.bfloat16)
    op = FusedBatchNormV2 if small else FusedBatchNorm
    attrs = {
        "epsilon": max(float(epsilon), _MIN_EPSILON), "data_format": data_format,
        "is_training": bool(is_training),
    }  # fmt: skip
    return tuple(apply(op, (x, scale, offset, mean, variance), attrs, name)[:3])


def l2_normalize(
    x: TensorValue, axis: AxisValue | None = None, epsilon: Any = 1e-12,
    name: str | None = None, dim: AxisValue | None = None,
) -> Tensor:  # fmt: skip
    """x / sqrt(max(sum(x ** 2), epsilon)) along axes.

    Args:
        x: a float tensor. axis: an int or ints; all axes if None.
        epsilon: the least divisor, squared. name: the name of the call.
        dim: the old name of `axis`.
    Returns:
        a tensor like `x`
    Example:
        tf.nn.l2_normalize([3., 4.])  # [0.6, 0.8]
    """
    axis = renamed("axis", axis, "dim", dim)
    with current_mode().name_scope(name or "l2_normalize") as scope:
        x = convert_to_tensor(x, name="x")
        total = reduce_sum(square(x, "Square"), axis, True)
        return multiply(x, rsqrt(maximum(total, epsilon)), scope)
