"""What TensorFlow 1.12's modules of ops have for themselves, and programs use."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.partition import dynamic_stitch
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import fill
from twinflow.ops.core.creation import range as range_
from twinflow.ops.core.elementwise import rsqrt
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.convolution import conv1d
from twinflow.ops.nn.moments import batch_norm_with_global_normalization


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """The shape, as int32[n], of a reduction that keeps its axes with length 1."""
    input_shape = cast(convert_to_tensor(input_shape), dtypes.int32)
    axes = cast(convert_to_tensor(axes), dtypes.int32)
    rank = size(input_shape)
    axes = (axes + rank) % rank
    ones = fill(shape(axes), 1)
    return dynamic_stitch([range_(rank), axes], [input_shape, ones])


def strict_conv(x: Any, h: Any) -> Tensor:
    """The convolution of two vectors, as long as the first."""
    kernel = reshape(h, [-1, 1, 1])
    return reshape(conv1d(reshape(x, [1, -1, 1]), kernel, 1, "SAME"), [-1])


def strict_cumsum(tensor: Any, len_tensor: int) -> Tensor:
    """The first sums of a vector of a known length."""
    return cumsum(convert_to_tensor(tensor)[:len_tensor])


# ------------------------------------------------------------------ batch normalization
def batch_norm_grad(
    grad_y: Any, x: Any, scale: Any, pop_mean: Any, pop_var: Any, epsilon: float,
    data_format: str | bytes, is_training: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of tf.nn.fused_batch_norm, of plain ops.

    Returns:
        (for x, for scale, for offset)
    """
    first = data_format in ("NCHW", b"NCHW")
    wide = dtypes.float32 if x.dtype == dtypes.float16 else x.dtype
    dtype, x, dy = x.dtype, cast(x, wide), cast(grad_y, wide)
    if first:
        x, dy = transpose(x, [0, 2, 3, 1]), transpose(dy, [0, 2, 3, 1])
    axes = [0, 1, 2]
    mean = reduce_mean(x, axes) if is_training else pop_mean
    centred = x - mean
    variance = reduce_mean(centred * centred, axes) if is_training else pop_var
    r = rsqrt(variance + epsilon)
    found = scale * r
    if is_training:
        along = reduce_mean(dy * centred, axes) * r * r
        dx = found * (dy - reduce_mean(dy, axes) - centred * along)
    else:
        dx = found * dy
    d_scale = reduce_sum(dy * centred * r, axes)
    dx = transpose(dx, [0, 3, 1, 2]) if first else dx
    return cast(dx, dtype), d_scale, reduce_sum(dy, axes)


def global_normalization(
    t: Any, m: Any, v: Any, beta: Any, gamma: Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> Tensor:  # fmt: skip
    """tf.nn.batch_norm_with_global_normalization, whose gradients are never None."""
    beta = beta if scale_after_normalization else beta + 0.0 * gamma
    return batch_norm_with_global_normalization(
        t, m, v, beta, gamma, variance_epsilon, scale_after_normalization, name
    )


def global_normalization_grad(
    t: Any, m: Any, v: Any, gamma: Any, backprop: Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> tuple:  # fmt: skip
    """Its gradients: for t, m, v, beta and gamma."""
    t, m, v, gamma, dy = (convert_to_tensor(x) for x in (t, m, v, gamma, backprop))
    axes, r = [0, 1, 2], rsqrt(v + variance_epsilon)
    inner = dy * gamma if scale_after_normalization else dy
    d_m = -r * reduce_sum(inner, axes)
    d_v = -0.5 * r * r * r * reduce_sum(inner * (t - m), axes)
    d_gamma = reduce_sum(dy * (t - m) * r, axes)
    if not scale_after_normalization:
        d_gamma = d_gamma * 0.0
    return inner * r, d_m, d_v, reduce_sum(dy, axes), d_gamma
