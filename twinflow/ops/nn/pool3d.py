"""Largest entries and means of windows in volumes."""

from typing import Any

from twinflow.base.op import FLOAT, InferError
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ranked
from twinflow.ops.nn.pool_family import apply_pool, call_pool, define_avg, define_max
from twinflow.ops.nn.window import (
    FORMATS_3D,
    channel,
    check_layout,
    check_length,
    count,
)


def _pooled(op, s, ksize, strides, padding, data_format):
    """The shape after pooling one of shape `s`."""
    check_layout(op, padding, data_format, FORMATS_3D)
    check_length(op, "ksize", ksize, 5)
    check_length(op, "strides", strides, 5)
    _check_window(ksize, strides, channel(data_format))
    of_sizes = op == "AvgPool3DGrad"
    axes = "1-dimensional and 5 elements" if of_sizes else "5-dimensional"
    s = ranked(s, 5, f"tensor_in must be {axes}")
    return tuple(
        count(d, k, step, 1, padding) if k > 1 or step > 1 else d
        for d, k, step in zip(s, ksize, strides, strict=True)
    )


def _check_window(ksize, strides, at):
    if min(strides) < 1:
        raise InferError(f"Stride must be > 0, but got {min(strides)}")
    if min(ksize) < 1:
        raise InferError(f"Sliding window ksize must be positive, got {min(ksize)}")
    for where, a in (("batch", 0), ("depth", at)):
        if ksize[a] != 1 or strides[a] != 1:
            raise InferError(f"Pooling is not yet supported on the {where} dimension.")


MaxPool3D, MaxPool3DGrad, MaxPool3DGradGrad = define_max(
    "MaxPool3D", "", _pooled, types=(FLOAT, {"T": FLOAT, "TInput": FLOAT}, FLOAT)
)


def max_pool3d(
    input: TensorValue, ksize: Any, strides: Any, padding: str,
    data_format: str = "NDHWC", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest entry of each window of volumes.

    Args:
        input: float[batch, depth, height, width, channels] (NCDHW: channels second).
        ksize: 5 ints, the size of the window along each axis; 1 for batch and channels.
        strides: 5 ints, the step of the window along each axis, likewise.
        padding: "SAME" or "VALID". data_format: "NDHWC" or "NCDHW".
        name: the name of the call.
    Returns:
        float[batch, out_depth, out_height, out_width, channels]
    Raises:
        tf.errors.InvalidArgumentError: `input` has not 5 axes, or is too small.
    Example:
        x = tf.reshape(tf.range(8.), [1, 2, 2, 2, 1])
        tf.nn.max_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "VALID")  # 7
    """
    layout = (ksize, strides, padding, data_format)
    return call_pool(MaxPool3D, input, *layout, name, "max_pool3d")


def _slope(dy, shape_input, ksize, strides, padding, data_format):
    layout = (ksize, strides, padding, data_format)
    return apply_pool(AvgPool3DGrad, (shape_input, dy), *layout)


AvgPool3D, AvgPool3DGrad = define_avg("AvgPool3D", 5, _pooled, _slope)


def avg_pool3d(
    input: TensorValue, ksize: Any, strides: Any, padding: str,
    data_format: str = "NDHWC", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window of volumes; entries of the padding do not count.

    Args:
        input: float[batch, depth, height, width, channels] (NCDHW: channels second).
        ksize: 5 ints, the size of the window along each axis; 1 for batch and channels.
        strides: 5 ints, the step of the window along each axis, likewise.
        padding: "SAME" or "VALID". data_format: "NDHWC" or "NCDHW".
        name: the name of the call.
    Returns:
        float[batch, out_depth, out_height, out_width, channels]
    Raises:
        tf.errors.InvalidArgumentError: `input` has not 5 axes, or is too small.
    Example:
        x = tf.reshape(tf.range(8.), [1, 2, 2, 2, 1])
        tf.nn.avg_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "VALID")  # 3.5
    """
    layout = (ksize, strides, padding, data_format)
    return call_pool(AvgPool3D, input, *layout, name, "avg_pool3d")
