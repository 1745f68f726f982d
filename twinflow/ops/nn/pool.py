"""Largest entries and means of windows."""

from typing import Any

from twinflow.base.op import REAL, InferError
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.nn.pool_family import apply_pool, call_pool, define_avg, define_max
from twinflow.ops.nn.window import check_layout, check_length, count


def pooled(op, s, ksize, strides, padding, data_format):
    """The shape after pooling one of shape `s`."""
    check_layout(op, padding, data_format)
    if s is not None and len(s) != 4:
        raise InferError(
            f"tensor_in_shape must have 2 spatial dimensions. {len(s)} 0",
            f"Shape must be rank 4 but is rank {len(s)}",
        )
    for what, value in (("ksize", ksize), ("strides", strides)):
        check_length(op, what, value, 4)
        if len(value) > 4:
            raise InferError(f"Sliding window {what} field must specify 4 dimensions")
        if min(value) < 1:
            raise InferError(f"Sliding window {what} must be positive, got {value}")
    s = s or (None,) * 4
    windows = zip(s[1:], ksize[1:], strides[1:], strict=True)
    return (
        s[0],  # the run refuses windows over the batch
        *(count(d, k, n, 1, padding) if k > 1 or n > 1 else d for d, k, n in windows),
    )


MaxPool, MaxPoolGrad, MaxPoolGradGrad = define_max(
    "MaxPool", "", pooled, types=(REAL, None, None)
)


def max_pool(
    value: TensorValue, ksize: Any, strides: Any, padding: str,
    data_format: str = "NHWC", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest entry of each window.

    y[b, i, j, c] = max over di < ksize[1], dj < ksize[2] of
    x[b, i * strides[1] + di, j * strides[2] + dj, c]; the gradient goes to the first
    of equal entries.

    Args:
        value: number[batch, height, width, channels] (NCHW: channels second).
        ksize: 4 ints, the size of the window along each axis; 1 for the batch.
        strides: 4 ints, the step of the window along each axis; 1 for the batch.
        padding: "SAME" or "VALID". data_format: "NHWC" or "NCHW".
        name: the name of the call.
    Returns:
        number[batch, out_height, out_width, channels]
    Raises:
        tf.errors.InvalidArgumentError: `value` has not 4 axes, or is too small.
    Example:
        x = tf.reshape(tf.range(16.), [1, 4, 4, 1])
        tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")  # 5, 7, 13, 15
    """
    layout = (ksize, strides, padding, data_format)
    return call_pool(MaxPool, value, *layout, name or "MaxPool", "max_pool")


def _slope(dy, shape_value, ksize, strides, padding, data_format):
    layout = (ksize, strides, padding, data_format)
    return apply_pool(AvgPoolGrad, (shape_value, dy), *layout)


AvgPool, AvgPoolGrad = define_avg("AvgPool", 4, pooled, _slope)


def avg_pool(
    value: TensorValue, ksize: Any, strides: Any, padding: str,
    data_format: str = "NHWC", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window; entries of the padding do not count.

    Args:
        value: float[batch, height, width, channels] (NCHW: channels second).
        ksize: 4 ints, the size of the window along each axis; 1 for the batch.
        strides: 4 ints, the step of the window along each axis; 1 for the batch.
        padding: "SAME" or "VALID". data_format: "NHWC" or "NCHW".
        name: the name of the call.
    Returns:
        float[batch, out_height, out_width, channels]
    Raises:
        tf.errors.InvalidArgumentError: `value` has not 4 axes, or is too small.
    Example:
        x = tf.reshape(tf.range(16.), [1, 4, 4, 1])
        tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")  # 2.5, 4.5, 10.5, 12.5
    """
    layout = (ksize, strides, padding, data_format)
    return call_pool(AvgPool, value, *layout, name or "AvgPool", "avg_pool")
