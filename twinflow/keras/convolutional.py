"""Convolutions."""

from twinflow.base.shapes import TensorShape
from twinflow.keras import activations, initializers
from twinflow.keras.arguments import (
    data_format_of,
    in_four,
    op_format,
    padding_of,
    pair,
)
from twinflow.keras.base_layer import Layer
from twinflow.keras.input_spec import InputSpec
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.window import count


class Conv2D(Layer):
    """activation(x * kernel + bias), * being the correlation over height and width.

    Args:
        filters: the number of output channels.
        kernel_size, strides, dilation_rate: an int or two, for height and width.
        padding: "valid" or "same", in any case.
        data_format: "channels_last" or "channels_first".
        activation: a name or function; none by default.
        use_bias: whether to add a bias.
        kernel_initializer, bias_initializer: names or functions.
        kernel_regularizer, bias_regularizer: functions from a variable to a loss.
        activity_regularizer: a function from the output to a loss (graph mode).
        kernel_constraint, bias_constraint: functions from the updated value to the one
            to keep.
        kwargs: `name`, `dtype`, `trainable`, `input_shape`.
    Raises:
        ValueError: an argument is out of range, or the channels of the input have no
            known size.
    Example:
        tf.keras.layers.Conv2D(8, 3, padding="same")(tf.ones([1, 5, 5, 3]))
    """

    config = (
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
        "activation", "use_bias", "kernel_initializer", "bias_initializer",
        "kernel_regularizer", "bias_regularizer", "activity_regularizer",
        "kernel_constraint", "bias_constraint",
    )  # fmt: skip

    def __init__(
        self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
        dilation_rate=(1, 1), activation=None, use_bias=True,
        kernel_initializer="glorot_uniform", bias_initializer="zeros",
        kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
        kernel_constraint=None, bias_constraint=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters, self.use_bias = int(filters), use_bias
        self.kernel_size = pair(kernel_size, "kernel_size")
        self.strides = pair(strides, "strides")
        self.dilation_rate = pair(dilation_rate, "dilation_rate")
        self.padding = padding_of(padding)
        self.data_format = data_format_of(data_format)
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer
        self.kernel_constraint = kernel_constraint
        self.bias_constraint = bias_constraint
        self.input_spec = InputSpec(ndim=4)
        self._layout = (
            in_four(self.strides, self.data_format), self.padding.upper(), True,
            op_format(self.data_format), in_four(self.dilation_rate, self.data_format),
        )  # fmt: skip

    def build(self, input_shape):
        axis = 1 if self.data_format == "channels_first" else -1
        channels = TensorShape(input_shape).as_list()[axis]
        if channels is None:
            raise ValueError(
                "The channel dimension of the inputs should be defined. Found `None`."
            )
        self.input_spec = InputSpec(ndim=4, axes={axis: channels})
        self.kernel = self.add_weight(
            "kernel", [*self.kernel_size, channels, self.filters], None,
            self.kernel_initializer, self.kernel_regularizer, True,
            self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [self.filters], None, self.bias_initializer,
                self.bias_regularizer, True, self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs):
        y = conv2d(inputs, self.kernel, *self._layout)
        if self.bias is not None:
            y = bias_add(y, self.bias, self._layout[3])
        return y if self.activation is activations.linear else self.activation(y)

    def compute_output_shape(self, input_shape):
        n, *dims = TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        sizes = zip(
            dims[1:] if first else dims[:2], self.kernel_size, self.strides,
            self.dilation_rate, strict=True,
        )  # fmt: skip
        out = [
            None if d is None else count(d, k, s, r, self.padding.upper())
            for d, k, s, r in sizes
        ]
        return TensorShape(
            [n, self.filters, *out] if first else [n, *out, self.filters]
        )
