"""Largest entries and means of windows."""

from twinflow.base.dispatch import apply
from twinflow.base.op import REAL, InferError, define
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import pool_windows as nn_pool
from twinflow.ops.nn import xla_pool
from twinflow.ops.nn.window import as_ints, check_layout, count


def pooled(op, s, ksize, strides, padding, data_format):
    """The shape after pooling one of shape `s`."""
    check_layout(op, padding, data_format)
    if s is not None and len(s) != 4:
        raise InferError(
            f"tensor_in_shape must have 2 spatial dimensions. {len(s)} 0",
            f"Shape must be rank 4 but is rank {len(s)}",
        )
    _check_window(op, ksize, strides)
    s = s or (None,) * 4
    windows = zip(s[1:], ksize[1:], strides[1:], strict=True)
    return (
        s[0],  # the run refuses windows over the batch
        *(count(d, k, n, 1, padding) if k > 1 or n > 1 else d for d, k, n in windows),
    )


def _check_window(op, ksize, strides):
    for what, value in (("ksize", ksize), ("strides", strides)):
        if len(value) != 4:
            raise InferError(
                f"Length for attr '{what}' of {len(value)} must be at least minimum 4",
                f"Attr '{what}' of '{op}' Op passed list of length {len(value)} "
                "less than minimum 4.",
            )
        if min(value) < 1:
            raise InferError(f"Sliding window {what} must be positive, got {value}")


def _infer(op):
    return lambda x, **layout: pooled(op, x._shape, **layout)


def _infer_grad(x, y, dy, **layout):
    out = pooled("MaxPoolGrad", x._shape, **layout)
    check_grad(out, y)
    check_grad(out, dy)
    return x._shape


def _infer_grad_grad(x, y, dx, **layout):
    out = pooled("MaxPoolGradGrad", x._shape, **layout)
    check_grad(out, y)
    if x._shape is not None:
        check_grad(x._shape, dx)
    return out


def check_grad(wanted, dy):
    """Raise InferError unless `dy` has the shape of the pooled tensor."""
    found = dy._shape
    if found is None:
        return
    fits = len(found) == len(wanted) and all(
        None in (w, f) or w == f for w, f in zip(wanted, found, strict=True)
    )
    if not fits:
        raise InferError(
            f"Expected grad shape to be {list(wanted)}, but got {list(found)}"
        )


def apply_pool(op, inputs, ksize, strides, padding, data_format, name=None):
    """Call a pooling op."""
    attrs = {
        "ksize": ksize, "strides": strides, "padding": padding,
        "data_format": data_format,
    }  # fmt: skip
    return apply(op, inputs, attrs, name)


MaxPool = define(
    "MaxPool",
    infer=_infer("MaxPool"),
    kernel=lambda xp: nn_pool.max_pool,
    lower=xla_pool.max_pool,
    types=REAL,
    grad=[
        lambda dy, input, output, ksize, strides, padding, data_format: apply_pool(
            MaxPoolGrad, (input, output, dy), ksize, strides, padding, data_format
        )
    ],
)

MaxPoolGrad = define(
    "MaxPoolGrad",
    infer=_infer_grad,
    kernel=lambda xp: nn_pool.max_pool_grad,
    lower=xla_pool.max_pool_grad,
    grad=[
        lambda orig_input: zeros_like(orig_input),
        lambda orig_output: zeros_like(orig_output),
        lambda dy, orig_input, orig_output, ksize, strides, padding, data_format: (
            apply_pool(
                MaxPoolGradGrad, (orig_input, orig_output, dy), ksize, strides, padding,
                data_format,
            )
        ),
    ],
)  # fmt: skip

MaxPoolGradGrad = define(
    "MaxPoolGradGrad",
    infer=_infer_grad_grad,
    kernel=lambda xp: nn_pool.max_pool_grad_grad,
    lower=xla_pool.max_pool_grad_grad,
    grad=[
        lambda orig_input: zeros_like(orig_input),
        lambda orig_output: zeros_like(orig_output),
        lambda dy, orig_input, orig_output, ksize, strides, padding, data_format: (
            apply_pool(
                MaxPoolGrad, (orig_input, orig_output, dy), ksize, strides, padding,
                data_format,
            )
        ),
    ],
)  # fmt: skip


def max_pool(value, ksize, strides, padding, data_format="NHWC", name=None):
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
    ksize = as_ints(ksize, "ksize", "max_pool")
    strides = as_ints(strides, "strides", "max_pool")
    name = name or "MaxPool"
    return apply_pool(MaxPool, (value,), ksize, strides, padding, data_format, name)


def _infer_avg_grad(shape, dy, ksize, strides, padding, data_format):
    s = (None,) * 4 if shape is None else ints(shape)
    check_grad(pooled("AvgPoolGrad", s, ksize, strides, padding, data_format), dy)
    return s


AvgPool = define(
    "AvgPool",
    infer=_infer("AvgPool"),
    kernel=lambda xp: nn_pool.avg_pool,
    lower=xla_pool.avg_pool,
    grad=[
        lambda dy, shape_value, ksize, strides, padding, data_format: apply_pool(
            AvgPoolGrad, (shape_value, dy), ksize, strides, padding, data_format
        )
    ],
)

AvgPoolGrad = define(
    "AvgPoolGrad",
    on_host="orig_input_shape",
    infer=_infer_avg_grad,
    kernel=lambda xp: nn_pool.avg_pool_grad,
    lower=xla_pool.avg_pool_grad,
    grad=[
        lambda dy, ksize, strides, padding, data_format: apply_pool(
            AvgPool, (dy,), ksize, strides, padding, data_format
        )
    ],
)


def avg_pool(value, ksize, strides, padding, data_format="NHWC", name=None):
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
    ksize = as_ints(ksize, "ksize", "avg_pool")
    strides = as_ints(strides, "strides", "avg_pool")
    name = name or "AvgPool"
    return apply_pool(AvgPool, (value,), ksize, strides, padding, data_format, name)
