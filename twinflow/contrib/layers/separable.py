"""Convolutions of channels by themselves, of tf.contrib.layers."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.convolutional import keras_format
from twinflow.contrib.layers.initializers import xavier_initializer
from twinflow.contrib.layers.outputs import (
    channel_dimension,
    finished,
    layer_scope,
    note,
    two_element_tuple,
)
from twinflow.graph.variable_scope import get_variable
from twinflow.layers.convolutional import SeparableConv2D
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import tile
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.conv_separable import depthwise_conv2d
from twinflow.ops.random.initializers import Zeros

_XAVIER, _ZEROS = xavier_initializer(), Zeros()
_NAMES = {
    "bias": "biases", "depthwise_kernel": "depthwise_weights",
    "pointwise_kernel": "pointwise_weights",
}  # fmt: skip


@add_arg_scope
def separable_convolution2d(
    inputs: Any, num_outputs: Any, kernel_size: Any, depth_multiplier: Any = 1,
    stride: Any = 1, padding: Any = "SAME", data_format: Any = "NHWC", rate: Any = 1,
    activation_fn: Any = relu, normalizer_fn: Any = None, normalizer_params: Any = None,
    weights_initializer: Any = _XAVIER, pointwise_initializer: Any = None,
    weights_regularizer: Any = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """A convolution of each channel, and a mixing of channels at each place.

    Args:
        num_outputs: the number of output channels; None = no mixing.
        depth_multiplier: how many filters each channel has.
        pointwise_initializer: that of the mixing; weights_initializer if not given.
        The rest: see convolution; the scope is "SeparableConv2d" by default.
    Raises:
        ValueError: data_format is unknown.
    """
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with layer_scope(scope, "SeparableConv2d", inputs, reuse, _NAMES) as sc:
        inputs = convert_to_tensor(inputs)
        biased = not normalizer_fn and biases_initializer is not None
        if num_outputs is None:
            y = _depthwise(
                inputs, kernel_size, depth_multiplier, stride, padding, data_format,
                rate, weights_initializer, weights_regularizer, trainable,
                variables_collections, (biased, biases_initializer, biases_regularizer),
            )  # fmt: skip
        else:
            layer = SeparableConv2D(
                filters=num_outputs, kernel_size=kernel_size, strides=stride,
                padding=padding, data_format=keras_format(data_format),
                dilation_rate=two_element_tuple(rate), activation=None,
                depth_multiplier=depth_multiplier, use_bias=biased,
                depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer,
                bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name,
                dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse,
            )  # fmt: skip
            y = layer.apply(inputs)
            note(layer.depthwise_kernel, variables_collections, "weights")
            note(layer.pointwise_kernel, variables_collections, "weights")
            note(layer.bias, variables_collections, "biases")
        return finished(
            y, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections
        )


def _depthwise(
    x, kernel_size, depth_multiplier, stride, padding, data_format, rate, initializer,
    regularizer, trainable, collections, bias,
):  # fmt: skip
    """The convolution of each channel, and biases; see separable_convolution2d."""
    channels = channel_dimension(x.shape, data_format, 4)
    height, width = two_element_tuple(kernel_size)
    down, across = two_element_tuple(stride)
    dtype = x.dtype.base_dtype
    weights = get_variable(
        "depthwise_weights", [height, width, channels, depth_multiplier], dtype,
        initializer, regularizer, trainable,
    )  # fmt: skip
    note(weights, collections, "weights")
    first = data_format == "NCHW"
    strides = [1, 1, down, across] if first else [1, down, across, 1]
    y = depthwise_conv2d(
        x, weights, strides, padding, two_element_tuple(rate), None, data_format
    )
    biased, start, bias_regularizer = bias
    if not biased:
        return y
    biases = get_variable(
        "biases", [channels * depth_multiplier], dtype, start, bias_regularizer,
        trainable,
    )  # fmt: skip
    note(biases, collections, "biases")
    return bias_add(y, biases, data_format)


@add_arg_scope
def convolution2d_in_plane(
    inputs: Any, kernel_size: Any, stride: Any = 1, padding: Any = "SAME",
    activation_fn: Any = relu, normalizer_fn: Any = None, normalizer_params: Any = None,
    weights_initializer: Any = _XAVIER, weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS, biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """One filter for all channels, each of which stays by itself.

    Args: see convolution; the scope is "ConvInPlane" by default.
    """
    with layer_scope(scope, "ConvInPlane", inputs, reuse) as sc:
        inputs = convert_to_tensor(inputs)
        dtype, channels = inputs.dtype.base_dtype, inputs.shape[-1].value
        height, width = two_element_tuple(kernel_size)
        down, across = two_element_tuple(stride)
        weights = get_variable(
            "weights", [height, width, 1, 1], dtype, weights_initializer,
            weights_regularizer, trainable,
        )  # fmt: skip
        note(weights, variables_collections, "weights")
        wide = tile(weights, [1, 1, channels, 1])
        y = depthwise_conv2d(inputs, wide, [1, down, across, 1], padding)
        if not normalizer_fn and biases_initializer is not None:
            biases = get_variable(
                "biases", [channels], dtype, biases_initializer, biases_regularizer,
                trainable,
            )  # fmt: skip
            note(biases, variables_collections, "biases")
            y = bias_add(y, biases)
        return finished(
            y, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections
        )
