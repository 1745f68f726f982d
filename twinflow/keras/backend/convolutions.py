"""Convolutions, pooling and padding, as tf.keras.backend has them."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.keras.backend.arrays import repeat_elements
from twinflow.keras.layers.arguments import (
    format_or_refused,
    in_full,
    joined_dims,
    op_format,
    op_padding,
    tuple_of,
)
from twinflow.keras.layers.resizing import UpSampling2D
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.nn import conv_separable, convolution
from twinflow.ops.nn.conv import conv2d_transpose as _transpose
from twinflow.ops.nn.conv3d import conv3d_transpose as _transpose_3d


def _convolved(rank, x, kernel, strides, padding, data_format, dilation_rate):
    data_format = format_or_refused(data_format)
    rates = tuple_of(dilation_rate, rank, "dilation_rate")
    strides = tuple_of(strides, rank, "strides")
    if padding == "causal":
        x = temporal_padding(x, (rates[0] * (kernel._shape[0] - 1), 0))
        padding = "valid"
    return convolution.convolution(
        x,
        kernel,
        op_padding(padding),
        strides,
        rates,
        None,
        op_format(data_format, rank),
    )


def conv1d(
    x: TensorValue, kernel: Any, strides: Any = 1, padding: str = "valid",
    data_format: Any = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """A convolution along time."""
    return _convolved(1, x, kernel, strides, padding, data_format, dilation_rate)


def conv2d(
    x: TensorValue, kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: Any = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A convolution of images."""
    return _convolved(2, x, kernel, strides, padding, data_format, dilation_rate)


def conv3d(
    x: TensorValue, kernel: Any, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: Any = None, dilation_rate: Any = (1, 1, 1),
) -> Any:  # fmt: skip
    """A convolution of volumes."""
    return _convolved(3, x, kernel, strides, padding, data_format, dilation_rate)


def conv2d_transpose(
    x: TensorValue, kernel: Any, output_shape: Any, strides: Any = (1, 1),
    padding: str = "valid", data_format: Any = None,
) -> Any:  # fmt: skip
    """The transpose of conv2d, with this shape of the output."""
    form, padding = format_or_refused(data_format), op_padding(padding)
    steps = in_full(strides, form)
    return _transpose(x, kernel, output_shape, steps, padding, op_format(form))


def conv3d_transpose(
    x: TensorValue, kernel: Any, output_shape: Any, strides: Any = (1, 1, 1),
    padding: str = "valid", data_format: Any = None,
) -> Any:  # fmt: skip
    """The transpose of conv3d, with this shape of the output."""
    form, padding = format_or_refused(data_format), op_padding(padding)
    steps = in_full(strides, form)
    return _transpose_3d(x, kernel, output_shape, steps, padding, op_format(form, 3))


def separable_conv1d(
    x: TensorValue, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1,
    padding: str = "valid", data_format: Any = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """`separable_conv2d` along time."""
    form = format_or_refused(data_format)
    step, rate = tuple_of(strides, 1, "strides"), tuple_of(dilation_rate, 1, "rate")
    axis = 2 if form == "channels_first" else 1
    found = separable_conv2d(
        expand_dims(x, axis), expand_dims(depthwise_kernel, 0),
        expand_dims(pointwise_kernel, 0), step * 2, padding, form, (1, *rate),
    )  # fmt: skip
    return squeeze(found, [axis])


def separable_conv2d(
    x: TensorValue, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1),
    padding: str = "valid", data_format: Any = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A convolution of each channel, then a mixing of the channels."""
    form = format_or_refused(data_format)
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    return conv_separable.separable_conv2d(
        x, depthwise_kernel, pointwise_kernel, in_full(strides, form),
        op_padding(padding), dilation_rate, None, op_format(form),
    )  # fmt: skip


def depthwise_conv2d(
    x: TensorValue, depthwise_kernel: Any, strides: Any = (1, 1),
    padding: str = "valid", data_format: Any = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A convolution of each channel by itself."""
    form = format_or_refused(data_format)
    return conv_separable.depthwise_conv2d(
        x, depthwise_kernel, in_full(strides, form), op_padding(padding),
        dilation_rate, None, op_format(form),
    )  # fmt: skip


def _pooled(rank, x, pool_size, strides, padding, data_format, pool_mode):
    form, padding = op_format(format_or_refused(data_format), rank), op_padding(padding)
    for sizes, name in ((pool_size, "pool_size"), (strides, "strides")):
        if len(sizes) != rank:
            raise ValueError(f"`{name}` must be a tuple of {rank} integers.")
    if pool_mode not in ("max", "avg"):
        raise ValueError("Invalid pooling mode: " + str(pool_mode))
    return convolution.pool(
        x, list(pool_size), pool_mode.upper(), padding, None, list(strides), None, form
    )


def pool2d(
    x: TensorValue, pool_size: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: Any = None, pool_mode: str = "max",
) -> Any:  # fmt: skip
    """The largest entry, or the mean, of windows of images."""
    return _pooled(2, x, pool_size, strides, padding, data_format, pool_mode)


def pool3d(
    x: TensorValue, pool_size: Any, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: Any = None, pool_mode: str = "max",
) -> Any:  # fmt: skip
    """The largest entry, or the mean, of windows of volumes."""
    return _pooled(3, x, pool_size, strides, padding, data_format, pool_mode)


def temporal_padding(x: TensorValue, padding: Any = (1, 1)) -> Any:
    """Zeros before and after the steps of time."""
    return pad(x, [[0, 0], list(padding), [0, 0]])


def _padded(x, padding, data_format):
    ends = [list(p) for p in padding]
    return pad(x, joined_dims([0, 0], ends, [0, 0], format_or_refused(data_format)))


def spatial_2d_padding(
    x: TensorValue, padding: Any = ((1, 1), (1, 1)), data_format: Any = None
) -> Any:
    """Zeros around images."""
    return _padded(x, padding, data_format)


def spatial_3d_padding(
    x: TensorValue, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: Any = None
) -> Any:
    """Zeros around volumes."""
    return _padded(x, padding, data_format)


def _check_given(data_format):
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Invalid data_format: {data_format}")


def resize_images(
    x: TensorValue, height_factor: Any, width_factor: Any, data_format: Any
) -> Any:
    """Each row and column several times."""
    _check_given(data_format)
    size = (height_factor, width_factor)
    return UpSampling2D(size, data_format, name="resize").call(x)


def resize_volumes(
    x: TensorValue, depth_factor: Any, height_factor: Any, width_factor: Any,
    data_format: Any,
) -> Any:  # fmt: skip
    """Each plane, row and column several times."""
    _check_given(data_format)
    first = 2 if data_format == "channels_first" else 1
    for i, times in enumerate((depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, times, first + i)
    return x
