"""Largest entries and means of windows in volumes."""

from twinflow.base.op import FLOAT, InferError, define
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import pool_windows as nn_pool
from twinflow.ops.nn import xla_pool
from twinflow.ops.nn.pool import apply_pool, check_grad
from twinflow.ops.nn.window import (
    FORMATS_3D,
    as_ints,
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
    if s is not None and len(s) != 5:
        raise InferError(
            "tensor_in must be 5-dimensional",
            f"Shape must be rank 5 but is rank {len(s)}",
        )
    return tuple(
        count(d, k, step, 1, padding) if k > 1 or step > 1 else d
        for d, k, step in zip(s or (None,) * 5, ksize, strides, strict=True)
    )


def _check_window(ksize, strides, at):
    if min(strides) < 1:
        raise InferError(f"Stride must be > 0, but got {min(strides)}")
    if min(ksize) < 1:
        raise InferError(f"Sliding window ksize must be positive, got {min(ksize)}")
    for where, a in (("batch", 0), ("depth", at)):
        if ksize[a] != 1 or strides[a] != 1:
            raise InferError(f"Pooling is not yet supported on the {where} dimension.")


def _infer(op):
    return lambda x, **layout: _pooled(op, x._shape, **layout)


def _infer_max_grad(x, y, dy, **layout):
    out = _pooled("MaxPool3DGrad", x._shape, **layout)
    check_grad(out, y)
    check_grad(out, dy)
    return x._shape


def _infer_max_grad_grad(x, y, dx, **layout):
    out = _pooled("MaxPool3DGradGrad", x._shape, **layout)
    check_grad(out, y)
    if x._shape is not None:
        check_grad(x._shape, dx)
    return out


def _infer_avg_grad(shape, dy, **layout):
    s = (None,) * 5 if shape is None else ints(shape)
    if len(s) != 5:
        raise InferError(
            "tensor_in must be 1-dimensional and 5 elements",
            f"Shape must be rank 5 but is rank {len(s)}",
        )
    check_grad(_pooled("AvgPool3DGrad", s, **layout), dy)
    return s


def _zeros(orig_input):
    return zeros_like(orig_input)


def _zeros_of_output(orig_output):
    return zeros_like(orig_output)


def _max_slope(dy, input, output, ksize, strides, padding, data_format):
    inputs = (input, output, dy)
    return apply_pool(MaxPool3DGrad, inputs, ksize, strides, padding, data_format)


MaxPool3D = define(
    "MaxPool3D",
    infer=_infer("MaxPool3D"),
    kernel=lambda xp: nn_pool.max_pool,
    lower=xla_pool.max_pool,
    types=FLOAT,
    grad=[_max_slope],
)


def _grad_slope(dy, orig_input, orig_output, ksize, strides, padding, data_format):
    inputs = (orig_input, orig_output, dy)
    return apply_pool(MaxPool3DGradGrad, inputs, ksize, strides, padding, data_format)


MaxPool3DGrad = define(
    "MaxPool3DGrad",
    infer=_infer_max_grad,
    kernel=lambda xp: nn_pool.max_pool_grad,
    lower=xla_pool.max_pool_grad,
    types={"T": FLOAT, "TInput": FLOAT},
    grad=[_zeros, _zeros_of_output, _grad_slope],
)


def _grad_grad_slope(dy, orig_input, orig_output, ksize, strides, padding,
                     data_format):  # fmt: skip
    inputs = (orig_input, orig_output, dy)
    return apply_pool(MaxPool3DGrad, inputs, ksize, strides, padding, data_format)


MaxPool3DGradGrad = define(
    "MaxPool3DGradGrad",
    infer=_infer_max_grad_grad,
    kernel=lambda xp: nn_pool.max_pool_grad_grad,
    lower=xla_pool.max_pool_grad_grad,
    types=FLOAT,
    grad=[_zeros, _zeros_of_output, _grad_grad_slope],
)


def max_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
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
    ksize = as_ints(ksize, "ksize", "max_pool3d")
    strides = as_ints(strides, "strides", "max_pool3d")
    return apply_pool(MaxPool3D, (input,), ksize, strides, padding, data_format, name)


def _avg_slope(dy, shape_input, ksize, strides, padding, data_format):
    inputs = (shape_input, dy)
    return apply_pool(AvgPool3DGrad, inputs, ksize, strides, padding, data_format)


AvgPool3D = define(
    "AvgPool3D",
    infer=_infer("AvgPool3D"),
    kernel=lambda xp: nn_pool.avg_pool,
    lower=xla_pool.avg_pool,
    grad=[_avg_slope],
)

AvgPool3DGrad = define(
    "AvgPool3DGrad",
    on_host="orig_input_shape",
    infer=_infer_avg_grad,
    kernel=lambda xp: nn_pool.avg_pool_grad,
    lower=xla_pool.avg_pool_grad,
    grad=[
        lambda dy, ksize, strides, padding, data_format: apply_pool(
            AvgPool3D, (dy,), ksize, strides, padding, data_format
        )
    ],
)


def avg_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
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
    ksize = as_ints(ksize, "ksize", "avg_pool3d")
    strides = as_ints(strides, "strides", "avg_pool3d")
    return apply_pool(AvgPool3D, (input,), ksize, strides, padding, data_format, name)
