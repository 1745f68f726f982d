"""Layers and cells whose weights have masks."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.convolutional import _XAVIER, _ZEROS, NAMES, keras_format
from twinflow.contrib.layers.outputs import finished, layer_scope, note
from twinflow.contrib.model_pruning.masks import Masked
from twinflow.layers.convolutional import Conv2D
from twinflow.layers.core import Dense
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.nn.activation import relu
from twinflow.rnn.cells.lstm import BasicLSTMCell, LSTMCell


class MaskedConv2D(Masked, Conv2D):
    """A tf.layers.Conv2D whose kernel has a mask."""


class MaskedFullyConnected(Masked, Dense):
    """A tf.layers.Dense whose kernel has a mask."""


def _layer(kind, default, inputs, a, **own):
    """What a layer of this kind gives, as functions of tf.contrib.layers do."""
    with layer_scope(a["scope"], default, inputs, a["reuse"], NAMES) as sc:
        x = convert_to_tensor(inputs)
        if kind is MaskedConv2D and x.shape.ndims != 4:
            raise ValueError(
                "Sparse Convolution not supported for input with rank", x.shape.ndims
            )
        layer = kind(
            activation=None, name=sc.name, dtype=x.dtype.base_dtype, _scope=sc,
            use_bias=not a["normalizer_fn"] and a["biases_initializer"] is not None,
            kernel_initializer=a["weights_initializer"], _reuse=a["reuse"],
            bias_initializer=a["biases_initializer"], trainable=a["trainable"],
            kernel_regularizer=a["weights_regularizer"],
            bias_regularizer=a["biases_regularizer"], **own,
        )  # fmt: skip
        y = layer.apply(x)
        for variable, name in (
            (layer.mask, "masks"), (layer.kernel, "weights"),
            (layer.threshold, "thresholds"), (layer.bias, "biases"),
        ):  # fmt: skip
            note(variable, a["variables_collections"], name)
        return finished(
            y, sc, a["normalizer_fn"], a["normalizer_params"], a["activation_fn"],
            a["outputs_collections"],
        )  # fmt: skip


@add_arg_scope
def masked_convolution(
    inputs: Any, num_outputs: Any, kernel_size: Any, stride: Any = 1,
    padding: str = "SAME", data_format: Any = None, rate: Any = 1,
    activation_fn: Any = relu, normalizer_fn: Any = None, normalizer_params: Any = None,
    weights_initializer: Any = _XAVIER, weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS, biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """tf.contrib.layers.conv2d, whose weights have a mask.

    Args:
        all: see tf.contrib.layers.convolution.
    Raises:
        ValueError: the input is no batch of images, or data_format is unknown.
    Example:
        y = tf.contrib.model_pruning.masked_conv2d(tf.ones([1, 8, 8, 3]), 4, [3, 3])
        y  # float32[1, 8, 8, 4]
    """
    return _layer(
        MaskedConv2D, "Conv", inputs, locals(), filters=num_outputs,
        kernel_size=kernel_size, strides=stride, padding=padding,
        data_format=keras_format(data_format), dilation_rate=rate,
    )  # fmt: skip


masked_conv2d = masked_convolution


@add_arg_scope
def masked_fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Any = relu, normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = _XAVIER,
    weights_regularizer: Any = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """tf.contrib.layers.fully_connected, whose weights have a mask.

    Args:
        all: see tf.contrib.layers.fully_connected.
    Raises:
        ValueError: num_outputs is no int.
    """
    if not hasattr(num_outputs, "__index__"):
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    return _layer(
        MaskedFullyConnected, "fully_connected", inputs, locals(), units=num_outputs
    )


class MaskedBasicLSTMCell(Masked, BasicLSTMCell):
    """A BasicLSTMCell whose kernel has a mask."""

    _masked_name = "_kernel"

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, state_is_tuple: bool = True,
        activation: Any = None, reuse: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, forget_bias, state_is_tuple, activation, reuse, name
        )  # fmt: skip


class MaskedLSTMCell(Masked, LSTMCell):
    """An LSTMCell whose kernel has a mask."""

    _masked_name = "_kernel"

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_proj: Any = None, proj_clip: Any = None,
        num_unit_shards: Any = None, num_proj_shards: Any = None,
        forget_bias: float = 1.0, state_is_tuple: bool = True, activation: Any = None,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip,
            num_unit_shards, num_proj_shards, forget_bias, state_is_tuple, activation,
            reuse,
        )  # fmt: skip
