"""Depthwise convolutions with holes, and separable convolutions made of them."""

from typing import Any

import numpy as np

from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ints, static_value
from twinflow.ops.core.shape import shape
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.conv_depthwise import depthwise_conv2d_native
from twinflow.ops.nn.space import with_space_to_batch


def _holes(rate):
    """The rates as ints, or None where they are not known."""
    if rate is None:
        return (1, 1)
    if is_tensor_like(rate):
        rate = static_value(convert_to_tensor(rate))
        return None if rate is None else ints(np.asarray(rate))
    return ints(rate)


def _depthwise(input, filter, strides, padding, rate, data_format, name):
    """A depthwise convolution, in one op where strides or rates are 1."""
    data_format = data_format or "NHWC"
    rates = _holes(rate)
    if rates is not None and len(rates) == 2:
        if min(rates) < 1:
            raise ValueError("dilation_rate must be positive")
        if max(rates) == 1 or max(strides) == 1:
            first = data_format == "NCHW"
            dilations = (1, 1, *rates) if first else (1, *rates, 1)
            layout = (strides, padding, data_format, dilations)
            return depthwise_conv2d_native(input, filter, *layout, name)

    def op(x, _, padding):
        layout = (strides, padding, data_format)
        return depthwise_conv2d_native(x, filter, *layout, name=name)

    sizes = filter._shape
    sizes = shape(filter) if sizes is None or None in sizes else sizes
    return with_space_to_batch(input, rate, padding, op, sizes, data_format=data_format)


def depthwise_conv2d(
    input: TensorValue, filter: TensorValue, strides: Any, padding: str,
    rate: TensorValue | None = None, name: str | None = None,
    data_format: str | None = None,
) -> Tensor:  # fmt: skip
    """The correlation of each channel with filters of its own.

    y[b, i, j, c * multiplier + m] = sum over p, q of
    x[b, i * stride + p * rate, j * stride + q * rate, c] * filter[p, q, c, m]

    Args:
        input: float[batch, height, width, channels] (NCHW: channels second).
        filter: float[filter_height, filter_width, channels, multiplier].
        strides: 4 ints in the order of `data_format`; 1 for batch and channels.
        padding: "SAME" or "VALID".
        rate: 2 ints: how far apart the entries of a filter are; 1 by default.
        name: the name of the call. data_format: "NHWC" (the default) or "NCHW".
    Returns:
        float[batch, out_height, out_width, channels * multiplier]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, f = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 3, 1])
        tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "VALID")  # 4., 4., 4.
    """
    with current_mode().name_scope(name or "depthwise") as scope:
        current_mode().leave_ids(2)
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(filter, name="filter_in")
        return _depthwise(input, filter, strides, padding, rate, data_format, scope)


def separable_conv2d(
    input: TensorValue, depthwise_filter: Any, pointwise_filter: Any, strides: Any,
    padding: str, rate: TensorValue | None = None, name: str | None = None,
    data_format: str | None = None,
) -> Tensor:  # fmt: skip
    """A depthwise convolution, whose channels are then mixed at each place.

    Args:
        input: float[batch, height, width, channels] (NCHW: channels second).
        depthwise_filter: float[filter_height, filter_width, channels, multiplier].
        pointwise_filter: float[1, 1, channels * multiplier, out_channels].
        strides: 4 ints in the order of `data_format`; 1 for batch and channels.
        padding: "SAME" or "VALID".
        rate: 2 ints: how far apart the entries of a filter are; 1 by default.
        name: the name of the call. data_format: "NHWC" (the default) or "NCHW".
    Returns:
        float[batch, out_height, out_width, out_channels]
    Raises:
        ValueError: pointwise_filter is not of size 1x1.
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, f, g = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 3, 1]), tf.ones([1, 1, 3, 5])
        tf.nn.separable_conv2d(x, f, g, [1] * 4, "VALID")  # 12., 12., 12., 12., 12.
    """
    with current_mode().name_scope(name or "separable_conv2d") as scope:
        current_mode().leave_ids(2)
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        sizes = pointwise.shape.with_rank(4)
        sizes[0].assert_is_compatible_with(1)
        sizes[1].assert_is_compatible_with(1)
        layout = (strides, padding, rate, data_format)
        deep = _depthwise(input, filter, *layout, "depthwise")
        data_format = data_format or "NHWC"
        ones = (1, 1, 1, 1)
        return conv2d(deep, pointwise, ones, "VALID", True, data_format, name=scope)
