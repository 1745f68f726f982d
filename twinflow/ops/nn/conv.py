"""Two-dimensional convolutions and their gradients."""

from typing import Any

from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import current_mode
from twinflow.base.op import InferError
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ranked, same_dim
from twinflow.ops.nn import im2col, xla_conv
from twinflow.ops.nn.conv_family import (
    Shapes,
    call_conv,
    call_transpose,
    check_steps,
    define_convolution,
    fit_backprop,
)
from twinflow.ops.nn.window import check_layout

_ONES = (1, 1, 1, 1)
_SMALL = {
    "stride": (
        "Row and column strides should be larger than 0.",
        "Stride must be > 0, but got {}",
    ),
    "dilation": (
        "Dilated rates should be larger than 0.",
        "Dilation rate must be >= 1, but got {}",
    ),
}


def _check(padding, data_format, strides, dilations):
    check_layout("Conv2D", padding, data_format)
    for what, steps in (("stride", strides), ("dilation", dilations)):
        if len(steps) != 4:
            raise InferError(
                f"Sliding window {what}s field must specify 4 dimensions",
                f"Conv2D on data format {data_format} requires the {what} attribute to "
                f"contain 4 values, but got: {len(steps)}",
            )
        check_steps(steps, data_format, f"{what}s", _SMALL[what])


def _sized(shape, what, form):
    if what.endswith("sizes"):
        message = f"{what} must be 1-D and have 4 elements, got {len(shape or ())}"
    else:
        colon = "" if what == "input" and not form else ": "
        message = f"{what} must be 4-dimensional{colon}{{}}"
    return ranked(shape, 4, message)


def _depth(c, f):
    start = "input depth must be evenly divisible by filter depth"
    same_dim(c, f[2], f"{start}: {c} vs {f[2]}")
    return f[3]


def _fit(which, *sizes, **layout):
    fit_backprop(f"Conv2DCustomBackprop{which}:", *sizes, **layout)


Conv2D, Conv2DBackpropInput, Conv2DBackpropFilter = define_convolution(
    ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"),
    Shapes(_check, _sized, _depth, _fit),
    im2col,
    xla_conv,
    unread="use_cudnn_on_gpu",
)


def conv2d(
    input: TensorValue, filter: TensorValue, strides: Any, padding: str,
    use_cudnn_on_gpu: bool = True, data_format: str = "NHWC", dilations: Any = _ONES,
    name: str | None = None,
) -> Tensor:  # fmt: skip
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
    return call_conv(Conv2D, (input, filter), *layout, name)


def conv2d_backprop_input(
    input_sizes: Any, filter: TensorValue, out_backprop: Any, strides: Any,
    padding: Any, use_cudnn_on_gpu: Any = True, data_format: str = "NHWC",
    dilations: Any = _ONES, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of `conv2d` with respect to its input.

    Args:
        input_sizes: int32[4], the shape of that input.
        filter: float[filter_height, filter_width, in_channels, out_channels].
        out_backprop: the incoming gradient, in the shape of the convolution's output.
        strides: see `conv2d`. padding, data_format, dilations, name: likewise.
    """
    inputs = (input_sizes, filter, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return call_conv(Conv2DBackpropInput, inputs, *layout, name)


def conv2d_backprop_filter(
    input: TensorValue, filter_sizes: Any, out_backprop: Any, strides: Any,
    padding: Any, use_cudnn_on_gpu: Any = True, data_format: str = "NHWC",
    dilations: Any = _ONES, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of `conv2d` with respect to its filter.

    Args:
        input: float[batch, height, width, in_channels].
        filter_sizes: int32[4], the shape of that filter.
        out_backprop: the incoming gradient, in the shape of the convolution's output.
        strides: see `conv2d`. padding, data_format, dilations, name: likewise.
    """
    inputs = (input, filter_sizes, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return call_conv(Conv2DBackpropFilter, inputs, *layout, name)


def conv2d_transpose(
    value: TensorValue, filter: TensorValue, output_shape: ShapeValue, strides: Any,
    padding: str = "SAME", data_format: str = "NHWC", name: str | None = None,
) -> Tensor:  # fmt: skip
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
    layout = (strides, padding, data_format, _ONES)
    with current_mode().name_scope(name or "conv2d_transpose") as scope:
        value, filter = convert_to_tensor(value), convert_to_tensor(filter)
        inputs = (value, filter, output_shape)
        return call_transpose(Conv2DBackpropInput, *inputs, layout, scope)
