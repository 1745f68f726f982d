"""Convolutions of tf.contrib.layers."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.initializers import xavier_initializer
from twinflow.contrib.layers.outputs import finished, layer_scope, note
from twinflow.layers import convolutional
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers import Zeros

NAMES = {"bias": "biases", "kernel": "weights"}
_XAVIER, _ZEROS = xavier_initializer(), Zeros()
_FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")
_CLASSES = {
    3: convolutional.Conv1D, 4: convolutional.Conv2D, 5: convolutional.Conv3D,
}  # fmt: skip


def keras_format(data_format):
    """ "channels_first" or "channels_last".

    Raises:
        ValueError: there is no such format.
    """
    if data_format not in _FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    first = data_format is not None and data_format.startswith("NC")
    return "channels_first" if first else "channels_last"


@add_arg_scope
def convolution(
    inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = 1,
    padding: Any = "SAME", data_format: Any = None, rate: Any = 1,
    activation_fn: Any = relu, normalizer_fn: Any = None, normalizer_params: Any = None,
    weights_initializer: Any = _XAVIER, weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS, biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None, conv_dims: Any = None,
) -> Any:  # fmt: skip
    """activation_fn(inputs * weights + biases) along 1, 2 or 3 axes.

    Args:
        inputs: float[batch, spatial..., channels] (channels second for "NC...").
        num_outputs: the number of output channels.
        kernel_size, stride, rate: an int, or one an axis; rate = how far apart the
            entries of a filter are.
        padding: "SAME" or "VALID". data_format: "NHWC", "NCHW", and so on.
        conv_dims: the number of axes to convolve along, if it is fixed.
        The rest: see fully_connected; the scope is "Conv" by default.
    Raises:
        ValueError: data_format is unknown, or the rank of the input does not fit.
    Example:
        images = tf.placeholder(tf.float32, [None, 8, 8, 3])
        y = tf.contrib.layers.conv2d(images, 16, [3, 3], stride=2)
        y.shape.as_list()  # [None, 4, 4, 16]
    """
    df = keras_format(data_format)
    with layer_scope(scope, "Conv", inputs, reuse, NAMES) as sc:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(
                f"Convolution expects input with rank {conv_dims + 2}, got {rank}"
            )
        if rank not in _CLASSES:
            raise ValueError(f"Convolution not supported for input with rank {rank}")
        layer = _CLASSES[rank](
            filters=num_outputs, kernel_size=kernel_size, strides=stride,
            padding=padding, data_format=df, dilation_rate=rate, activation=None,
            use_bias=not normalizer_fn and biases_initializer is not None,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc,
            _reuse=reuse,
        )  # fmt: skip
        y = layer.apply(inputs)
        note(layer.kernel, variables_collections, "weights")
        note(layer.bias, variables_collections, "biases")
        return finished(
            y, sc, normalizer_fn, normalizer_params, activation_fn, outputs_collections
        )


def _of_rank(n):
    def convolve(
        inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None,
        rate=1, activation_fn=relu, normalizer_fn=None, normalizer_params=None,
        weights_initializer=_XAVIER, weights_regularizer=None,
        biases_initializer=_ZEROS, biases_regularizer=None, reuse=None,
        variables_collections=None, outputs_collections=None, trainable=True,
        scope=None,
    ):  # fmt: skip
        return convolution(
            inputs, num_outputs, kernel_size, stride, padding, data_format, rate,
            activation_fn, normalizer_fn, normalizer_params, weights_initializer,
            weights_regularizer, biases_initializer, biases_regularizer, reuse,
            variables_collections, outputs_collections, trainable, scope, conv_dims=n,
        )  # fmt: skip

    convolve.__name__ = convolve.__qualname__ = f"convolution{n}d"
    convolve.__doc__ = f"`convolution` of inputs with {n} spatial axes."
    return add_arg_scope(convolve)


convolution1d, convolution2d, convolution3d = (_of_rank(n) for n in (1, 2, 3))
