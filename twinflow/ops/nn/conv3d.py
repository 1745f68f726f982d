"""Three-dimensional convolutions and their gradients."""

from twinflow.base.dispatch import current_mode
from twinflow.base.op import InferError, define
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import im2col as nn_im2col
from twinflow.ops.nn import xla_conv
from twinflow.ops.nn.conv import (
    apply_conv,
    check_backprop,
    check_transpose,
    counts,
    differ,
)
from twinflow.ops.nn.window import (
    FORMATS_3D,
    as_ints,
    channel,
    check_layout,
    check_length,
    placed,
    spatial,
)

_ONES = (1, 1, 1, 1, 1)


def _check(padding, data_format, strides, dilations):
    check_layout("Conv3D", padding, data_format, FORMATS_3D)
    check_length("Conv3D", "strides", strides, 5)
    if len(dilations) != 5:
        raise InferError(
            "Dilation rates field must specify 5 dimensions",
            "Conv3D requires the dilation attribute to contain 5 values, but got: "
            f"{len(dilations)}",
        )
    _check_steps("strides", strides, data_format)
    _check_steps("dilation rates", dilations, data_format)


def _check_steps(what, steps, data_format):
    if steps[0] != 1 or steps[channel(data_format)] != 1:
        raise InferError(
            f"Current implementation does not yet support {what} in the batch and "
            "depth dimensions."
        )
    low = min(steps[a] for a in spatial(data_format))
    if low < 1 and what == "strides":
        raise InferError(
            "Spatial strides should be larger than 0.",
            f"Stride must be > 0, but got {low}",
        )
    if low < 1:
        raise InferError(
            "Dilated rates should be larger than 0.",
            f"Dilation rate must be >= 1, but got {low}",
        )


def _five(s, what):
    if s is not None and len(s) != 5:
        raise InferError(
            f"{what} must be 5-dimensional",
            f"Shape must be rank 5 but is rank {len(s)}",
        )
    return s or (None,) * 5


def _infer(input, filter, strides, padding, data_format, dilations):
    _check(padding, data_format, strides, dilations)
    x, f = _five(input._shape, "input"), _five(filter._shape, "filter")
    c = x[channel(data_format)]
    if differ(c, f[3]):
        raise InferError(
            "input and filter must have the same depth",
            f"Dimensions must be equal, but are {c} and {f[3]}",
        )
    sizes = counts(x, f, strides, padding, data_format, dilations)
    return placed(x[0], sizes, f[4], data_format)


def _host_shape(value):
    return None if value is None else ints(value)


def _infer_input(input_sizes, filter, out_backprop, strides, padding, data_format,
                 dilations):  # fmt: skip
    layout = (strides, padding, data_format, dilations)
    _check(padding, data_format, strides, dilations)
    start = "Conv3DBackpropInputOp:"
    x = _five(_host_shape(input_sizes), f"{start} input")
    f = _five(filter._shape, f"{start} filter")
    dy = _five(out_backprop._shape, f"{start} out_backprop")
    check_backprop(start, x, f, dy, *layout)
    return x


def _infer_filter(input, filter_sizes, out_backprop, strides, padding, data_format,
                  dilations):  # fmt: skip
    layout = (strides, padding, data_format, dilations)
    _check(padding, data_format, strides, dilations)
    start = "Conv3DBackpropFilterOp:"
    x = _five(input._shape, f"{start} input")
    f = _five(_host_shape(filter_sizes), f"{start} filter")
    dy = _five(out_backprop._shape, f"{start} out_backprop")
    check_backprop(start, x, f, dy, *layout)
    return f


def _to_input(dy, shape_input, filter, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv3DBackpropInputV2, (shape_input, filter, dy), *layout)


def _to_filter(dy, input, shape_filter, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv3DBackpropFilterV2, (input, shape_filter, dy), *layout)


Conv3D = define(
    "Conv3D",
    infer=_infer,
    kernel=lambda xp: nn_im2col.conv,
    lower=xla_conv.conv,
    grad=[_to_input, _to_filter],
)


def _input_to_filter(dy, out_backprop, shape_filter, strides, padding, data_format,
                     dilations):  # fmt: skip
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv3DBackpropFilterV2, (dy, shape_filter, out_backprop), *layout)


def _input_to_output(dy, filter, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv3D, (dy, filter), *layout)


Conv3DBackpropInputV2 = define(
    "Conv3DBackpropInputV2",
    on_host="input_sizes",
    infer=_infer_input,
    kernel=lambda xp: nn_im2col.conv_input,
    lower=xla_conv.conv_input,
    grad=[_input_to_filter, _input_to_output],
)


def _filter_to_input(dy, shape_input, out_backprop, strides, padding, data_format,
                     dilations):  # fmt: skip
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv3DBackpropInputV2, (shape_input, dy, out_backprop), *layout)


def _filter_to_output(dy, input, strides, padding, data_format, dilations):
    layout = (strides, padding, data_format, dilations)
    return apply_conv(Conv3D, (input, dy), *layout)


Conv3DBackpropFilterV2 = define(
    "Conv3DBackpropFilterV2",
    on_host="filter_sizes",
    infer=_infer_filter,
    kernel=lambda xp: nn_im2col.conv_filter,
    lower=xla_conv.conv_filter,
    grad=[_filter_to_input, _filter_to_output],
)


def _public(op, inputs, strides, padding, data_format, dilations, name):
    strides = as_ints(strides, "strides", op.type)
    dilations = as_ints(dilations, "dilations", op.type)
    data_format = data_format or "NDHWC"
    return apply_conv(op, inputs, strides, padding, data_format, dilations, name)


def conv3d(
    input, filter, strides, padding, data_format="NDHWC", dilations=_ONES, name=None
):
    """The correlation of volumes with filters.

    y[b, i, j, k, o] = sum over p, q, r, c of
    x[b, i * s1 + p * d1, j * s2 + q * d2, k * s3 + r * d3, c] * filter[p, q, r, c, o],
    s the strides and d the dilations

    Args:
        input: float[batch, depth, height, width, in_channels] (NCDHW: channels
            second).
        filter: float[filter_depth, filter_height, filter_width, in_channels,
            out_channels].
        strides: 5 ints in the order of `data_format`; 1 for batch and channels.
        padding: "SAME" or "VALID".
        data_format: "NDHWC" or "NCDHW".
        dilations: 5 ints, as `strides`: how far apart the entries of a filter are.
        name: the name of the call.
    Returns:
        float[batch, out_depth, out_height, out_width, out_channels]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, f = tf.ones([1, 2, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1])
        tf.nn.conv3d(x, f, [1, 1, 1, 1, 1], "VALID")  # 8., 8., 8., 8.
    """
    layout = (strides, padding, data_format, dilations)
    return _public(Conv3D, (input, filter), *layout, name)


def conv3d_backprop_filter_v2(
    input, filter_sizes, out_backprop, strides, padding, data_format="NDHWC",
    dilations=_ONES, name=None,
):  # fmt: skip
    """The gradient of `conv3d` with respect to its filter.

    Args:
        input: float[batch, depth, height, width, in_channels].
        filter_sizes: int32[5], the shape of that filter.
        out_backprop: the incoming gradient, in the shape of the convolution's output.
        strides: see `conv3d`. padding, data_format, dilations, name: likewise.
    """
    inputs = (input, filter_sizes, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return _public(Conv3DBackpropFilterV2, inputs, *layout, name)


def conv3d_transpose(
    value, filter, output_shape, strides, padding="SAME", data_format="NDHWC", name=None
):
    """The transpose (gradient) of `conv3d`, as a layer that enlarges volumes.

    Args:
        value: float[batch, depth, height, width, in_channels].
        filter: float[filter_depth, filter_height, filter_width, output_channels,
            in_channels].
        output_shape: int32[5], the shape of the result.
        strides: 5 ints. padding: "SAME" or "VALID". data_format: "NDHWC" or "NCDHW".
        name: the name of the call.
    Returns:
        float of `output_shape`
    Raises:
        ValueError: the channels do not fit, or padding is unknown.
    Example:
        x, f = tf.ones([1, 1, 2, 2, 1]), tf.ones([1, 2, 2, 1, 1])
        y = tf.nn.conv3d_transpose(x, f, [1, 1, 4, 4, 1], [1, 1, 2, 2, 1])
        y  # float32[1, 1, 4, 4, 1]
    """
    mode = current_mode()
    with mode.name_scope(name or "conv3d_transpose") as scope:
        value, filter = convert_to_tensor(value), convert_to_tensor(filter)
        at = 1 if data_format == "NCDHW" else 4
        check_transpose(value, filter, output_shape, padding, at, 5)
        if not mode.eager:
            output_shape = convert_to_tensor(output_shape, name="output_shape")
        inputs = (output_shape, filter, value)
        layout = (strides, padding, data_format, _ONES)
        return _public(Conv3DBackpropInputV2, inputs, *layout, scope)
