"""Two-dimensional convolutions and their gradients."""

import numpy as np

from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import InferError, define
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ints, rank_of, text
from twinflow.ops.nn import im2col as nn_im2col
from twinflow.ops.nn import xla_conv
from twinflow.ops.nn.window import (
    as_ints,
    channel,
    check_layout,
    count,
    placed,
    spatial,
)

_ONES = (1, 1, 1, 1)


def _image(x, data_format):
    """The input's shape, which must have 4 axes."""
    s = x._shape
    if s is not None and len(s) != 4:
        raise InferError(
            f"input must be 4-dimensional{text(s)}",
            f"Shape must be rank 4 but is rank {len(s)}",
        )
    return s or (None,) * 4


def _check(padding, data_format, strides, dilations):
    check_layout("Conv2D", padding, data_format)
    _check_steps("stride", strides, data_format)
    _check_steps("dilation", dilations, data_format)


def _check_steps(what, steps, data_format):
    plural = {"stride": "strides", "dilation": "dilations"}[what]
    if len(steps) != 4:
        raise InferError(
            f"Sliding window {plural} field must specify 4 dimensions",
            f"Conv2D on data format {data_format} requires the {what} attribute to "
            f"contain 4 values, but got: {len(steps)}",
        )
    if steps[0] != 1 or steps[channel(data_format)] != 1:
        raise InferError(
            f"Current implementation does not yet support {plural} in the batch and "
            "depth dimensions."
        )
    low = min(steps[a] for a in spatial(data_format))
    if low < 1:
        name = "Row and column strides" if what == "stride" else "Dilated rates"
        rule = "Stride must be > 0"
        if what == "dilation":
            rule = "Dilation rate must be >= 1"
        raise InferError(f"{name} should be larger than 0.", f"{rule}, but got {low}")


def _infer_conv(input, filter, strides, padding, data_format, dilations):
    _check(padding, data_format, strides, dilations)
    x, f = _image(input, data_format), rank_of(filter, 4, "filter")
    c = x[channel(data_format)]
    if None not in (c, f[2]) and c != f[2]:
        raise InferError(
            f"input depth must be evenly divisible by filter depth: {c} vs {f[2]}",
            f"Dimensions must be equal, but are {c} and {f[2]}",
        )
    sizes = counts(x, f, strides, padding, data_format, dilations)
    return placed(x[0], sizes, f[3], data_format)


def counts(x, f, strides, padding, data_format, dilations):
    """The spatial sizes of the output."""
    return tuple(
        count(x[a], k, strides[a], dilations[a], padding)
        for a, k in zip(spatial(data_format), f, strict=False)
    )


def _infer_backprop(kind, x, f, dy, strides, padding, data_format, dilations):
    """Check the three shapes of a backprop op; None entries are not known."""
    _check(padding, data_format, strides, dilations)
    start = f"Conv2DCustomBackprop{kind}:"
    check_backprop(start, x, f, dy, strides, padding, data_format, dilations)


def check_backprop(start, x, f, dy, strides, padding, data_format, dilations):
    """Raise InferError unless the shapes of input, filter and out_backprop fit."""
    at = channel(data_format)
    if differ(x[0], dy[0]):
        raise InferError(
            f"{start} input and out_backprop must have the same batch size"
            f"input batch: {x[0]}outbackprop batch: {dy[0]} batch_dim: 0"
        )
    if differ(x[at], f[-2]):
        raise InferError(
            f"{start} input depth must be evenly divisible by filter depth"
        )
    if differ(dy[at], f[-1]):
        raise InferError(
            f"{start} filter and out_backprop must have the same out_depth"
        )
    sizes = counts(x, f, strides, padding, data_format, dilations)
    for i, (a, n) in enumerate(zip(spatial(data_format), sizes, strict=True)):
        if differ(n, dy[a]):
            raise InferError(
                f"{start} Size of out_backprop doesn't match computed: actual = "
                f"{dy[a]}, computed = {n} spatial_dim: {a} input: {x[a]} filter: "
                f"{f[i]} output: {dy[a]} stride: {strides[a]} dilation: {dilations[a]}"
            )


def differ(a, b):
    """Whether two sizes are known and not equal."""
    return None not in (a, b) and a != b


def _sizes(name, value):
    found = (None,) * 4 if value is None else ints(value)
    if len(found) != 4:
        raise InferError(
            f"{name} must be 1-D and have 4 elements, got {len(found)}",
            f"Shape must be rank 4 but is rank {len(found)}",
        )
    return found


def _infer_input(input_sizes, filter, out_backprop, strides, padding, **layout):
    x, f = _sizes("input_sizes", input_sizes), rank_of(filter, 4, "filter")
    dy = rank_of(out_backprop, 4, "out_backprop")
    _infer_backprop("Input", x, f, dy, strides, padding, **layout)
    return x


def _infer_filter(input, filter_sizes, out_backprop, strides, padding, **layout):
    x, f = rank_of(input, 4, "input"), _sizes("filter_sizes", filter_sizes)
    dy = rank_of(out_backprop, 4, "out_backprop")
    _infer_backprop("Filter", x, f, dy, strides, padding, **layout)
    return f


def _grad_of_input(dy, shape_input, filter, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv2DBackpropInput, (shape_input, filter, dy), *layout)


def _grad_of_filter(dy, input, shape_filter, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv2DBackpropFilter, (input, shape_filter, dy), *layout)


Conv2D = define(
    "Conv2D",
    unread="use_cudnn_on_gpu",
    infer=_infer_conv,
    kernel=lambda xp: nn_im2col.conv,
    lower=xla_conv.conv,
    grad=[_grad_of_input, _grad_of_filter],
)


def _input_to_filter(dy, out_backprop, shape_filter, strides, padding, data_format,
                     dilations):  # fmt: skip
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv2DBackpropFilter, (dy, shape_filter, out_backprop), *layout)


def _forward(dy, filter, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv2D, (dy, filter), *layout)


Conv2DBackpropInput = define(
    "Conv2DBackpropInput",
    on_host="input_sizes",
    unread="use_cudnn_on_gpu",
    infer=_infer_input,
    kernel=lambda xp: nn_im2col.conv_input,
    lower=xla_conv.conv_input,
    grad=[_input_to_filter, _forward],
)


def _filter_to_input(dy, shape_input, out_backprop, strides, padding, data_format,
                     dilations):  # fmt: skip
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv2DBackpropInput, (shape_input, dy, out_backprop), *layout)


def _filter_to_output(dy, input, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv2D, (input, dy), *layout)


Conv2DBackpropFilter = define(
    "Conv2DBackpropFilter",
    on_host="filter_sizes",
    unread="use_cudnn_on_gpu",
    infer=_infer_filter,
    kernel=lambda xp: nn_im2col.conv_filter,
    lower=xla_conv.conv_filter,
    grad=[_filter_to_input, _filter_to_output],
)


def apply_conv(op, inputs, strides, padding, data_format, dilations, name=None):
    """Call a convolution op."""
    attrs = {
        "strides": strides, "padding": padding, "data_format": data_format,
        "dilations": dilations,
    }  # fmt: skip
    return apply(op, inputs, attrs, name)


def _public(op, inputs, strides, padding, data_format, dilations, name):
    strides = as_ints(strides, "strides", op.type)
    dilations = as_ints(dilations, "dilations", op.type)
    return apply_conv(
        op, inputs, strides, padding, data_format or "NHWC", dilations, name
    )


def conv2d(
    input, filter, strides, padding, use_cudnn_on_gpu=True, data_format="NHWC",
    dilations=_ONES, name=None,
):  # fmt: skip
    """The correlation of images with filters.

    y[b, i, j, k] = sum over p, q, c of
    x[b, i * stride + p * dilation, j * stride + q * dilation, c] * filter[p, q, c, k]

    Args:
        input: float[batch, height, width, in_channels] (NCHW: channels second).
        filter: float[filter_height, filter_width, in_channels, out_channels].
        strides: 4 ints in the order of `data_format`; 1 for batch and channels.
        padding: "SAME" or "VALID".
        use_cudnn_on_gpu: has no effect.
        data_format: "NHWC" or "NCHW".
        dilations: 4 ints, as `strides`: how far apart the entries of a filter are.
        name: the name of the call.
    Returns:
        float[batch, out_height, out_width, out_channels]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, f = tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1])
        tf.nn.conv2d(x, f, [1, 1, 1, 1], "VALID")  # 4., 4., 4., 4.
    """
    layout = (strides, padding, data_format, dilations)
    return _public(Conv2D, (input, filter), *layout, name)


def conv2d_backprop_input(
    input_sizes, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True,
    data_format="NHWC", dilations=_ONES, name=None,
):  # fmt: skip
    """The gradient of `conv2d` with respect to its input.

    Args:
        input_sizes: int32[4], the shape of that input.
        filter: float[filter_height, filter_width, in_channels, out_channels].
        out_backprop: the incoming gradient, in the shape of the convolution's output.
        strides: see `conv2d`. padding, data_format, dilations, name: likewise.
    """
    inputs = (input_sizes, filter, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return _public(Conv2DBackpropInput, inputs, *layout, name)


def conv2d_backprop_filter(
    input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True,
    data_format="NHWC", dilations=_ONES, name=None,
):  # fmt: skip
    """The gradient of `conv2d` with respect to its filter.

    Args:
        input: float[batch, height, width, in_channels].
        filter_sizes: int32[4], the shape of that filter.
        out_backprop: the incoming gradient, in the shape of the convolution's output.
        strides: see `conv2d`. padding, data_format, dilations, name: likewise.
    """
    inputs = (input, filter_sizes, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return _public(Conv2DBackpropFilter, inputs, *layout, name)


def conv2d_transpose(
    value, filter, output_shape, strides, padding="SAME", data_format="NHWC", name=None
):
    """The transpose (gradient) of `conv2d`, as a layer that enlarges images.

    Args:
        value: float[batch, height, width, in_channels].
        filter: float[filter_height, filter_width, output_channels, in_channels].
        output_shape: int32[4], the shape of the result.
        strides: 4 ints. padding: "SAME" or "VALID". data_format: "NHWC" or "NCHW".
        name: the name of the call.
    Returns:
        float of `output_shape`
    Raises:
        ValueError: the channels do not fit, or padding or data_format is unknown.
    Example:
        x, f = tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1])
        tf.nn.conv2d_transpose(x, f, [1, 4, 4, 1], [1, 2, 2, 1])  # float32[1, 4, 4, 1]
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    mode = current_mode()
    with mode.name_scope(name or "conv2d_transpose") as scope:
        value, filter = convert_to_tensor(value), convert_to_tensor(filter)
        check_transpose(value, filter, output_shape, padding, channel(data_format))
        if not mode.eager:
            output_shape = convert_to_tensor(output_shape, name="output_shape")
        inputs = (output_shape, filter, value)
        layout = (strides, padding, data_format, _ONES)
        return _public(Conv2DBackpropInput, inputs, *layout, scope)


def check_transpose(value, filter, output_shape, padding, at, n=4):
    """Raise ValueError where a transposed convolution's arguments do not fit.

    Args:
        value, filter: tensors. output_shape: as the user gave it.
        padding: "SAME" or "VALID". at: the axis of the channels. n: the rank.
    """
    for what, t in (("value", value), ("filter", filter)):
        if t._shape is not None and len(t._shape) != n:
            raise ValueError(f"{what} must have {n} axes, got shape {t.shape}")
    f, x = filter._shape or (None,) * n, value._shape or (None,) * n
    if differ(x[at], f[-1]):
        raise ValueError(
            f"input channels does not match filter's input channels, {x[at]} != {f[-1]}"
        )
    if isinstance(output_shape, list | tuple | np.ndarray):
        if len(output_shape) != n:
            raise ValueError(
                f"output_shape must have shape ({n},), got ({len(output_shape)},)"
            )
        found = output_shape[at]
        if isinstance(found, int | np.integer) and differ(found, f[-2]):
            raise ValueError(
                "output_shape does not match filter's output channels, "
                f"{found} != {f[-2]}"
            )
    if padding not in ("VALID", "SAME"):
        raise ValueError(f"padding must be either VALID or SAME: {padding}")
