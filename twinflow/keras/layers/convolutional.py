"""Convolutions along one, two or three axes."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras import activations
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.constructors import declared
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import (
    data_format_of,
    in_full,
    joined_dims,
    op_format,
    padding_of,
    split_dims,
    tuple_of,
)
from twinflow.ops.arrays.padding import pad
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.conv3d import conv3d
from twinflow.ops.nn.convolution import conv1d, convolution


def known_channels(input_shape, data_format):
    """(axis, number) of the channels of an input.

    Raises:
        ValueError: the number is not known.
    """
    axis = 1 if data_format == "channels_first" else -1
    channels = TensorShape(input_shape).as_list()[axis]
    if channels is None:
        raise ValueError(
            "The channel dimension of the inputs should be defined. Found `None`."
        )
    return axis, channels


def output_length(size, k, padding, stride, dilation=1):
    """How many windows of `k` there are along an axis; None if that is not known."""
    if size is None:
        return None
    reach = k + (k - 1) * (dilation - 1)
    length = size if padding in ("same", "causal") else size - reach + 1
    return (length + stride - 1) // stride


def output_sizes(space, sizes, padding, strides, rates=None):
    """`output_length` of each spatial axis."""
    rates = rates or (1,) * len(sizes)
    axes = zip(space, sizes, strides, rates, strict=True)
    return [output_length(d, k, padding, s, r) for d, k, s, r in axes]


class Conv(Layer):
    """activation(x * kernel + bias), * being the correlation over the spatial axes.

    Args: see Conv2D.
    """

    rank = 2  # how many spatial axes there are
    causal = False  # whether there is the padding "causal"
    _fixed: tuple[str, ...] = ()  # what the config has, but `__init__` does not take

    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None,
        trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=activity_regularizer,
            **kwargs,
        )  # fmt: skip
        rank, self.filters, self.use_bias = self.rank, int(filters), use_bias
        self.kernel_size = tuple_of(kernel_size, rank, "kernel_size")
        self.strides = tuple_of(strides, rank, "strides")
        self.padding = padding_of(padding)
        if self.padding == "causal" and not self.causal:
            raise ValueError(
                "Causal padding is only supported for `Conv1D`and ``SeparableConv1D`."
            )
        self.data_format = data_format_of(data_format)
        self.dilation_rate = tuple_of(dilation_rate, rank, "dilation_rate")
        self._keep_of(locals())
        self.input_spec = InputSpec(ndim=rank + 2)
        form = self.data_format
        self._layout = (
            in_full(self.strides, form), self.padding.upper(), True,
            op_format(form), in_full(self.dilation_rate, form),
        )  # fmt: skip

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer from what `get_config` gave."""
        return cls(**{k: v for k, v in config.items() if k not in cls._fixed})

    def build(self, input_shape: Any) -> None:
        axis, channels = known_channels(input_shape, self.data_format)
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "strides > 1 not supported in conjunction with dilation_rate > 1"
            )
        self._add_variables(axis, channels, (*self.kernel_size, channels, self.filters))

    def _add_variables(self, axis, channels, kernel_shape):
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        self._add_own("kernel", kernel_shape)
        self._add_bias()
        self._leave_ids()
        self.built = True

    def _leave_ids(self):
        current_mode().leave_ids(1)

    def _add_bias(self):
        self._add_own_bias([self.filters])

    def call(self, inputs: Any) -> Tensor:
        return self._finish(self._convolve(inputs))

    def _convolve(self, x):
        form = op_format(self.data_format, self.rank)
        padding = "VALID" if self.padding == "causal" else self.padding.upper()
        if self.rank == 2:
            rates = in_full(self.dilation_rate, self.data_format)
            steps = in_full(self.strides, self.data_format)
            return conv2d(x, self.kernel, steps, padding, True, form, rates)
        if max(self.dilation_rate) > 1:
            rates = (self.strides, self.dilation_rate, None, form)
            return convolution(x, self.kernel, padding, *rates)
        if self.rank == 1:
            return conv1d(x, self.kernel, self.strides[0], padding, data_format=form)
        steps = in_full(self.strides, self.data_format)
        return conv3d(x, self.kernel, steps, padding, form)

    def _with_past(self, x):
        """Zeros before the first step, so that no output knows what comes later."""
        if self.padding != "causal":
            return x
        before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        ends = joined_dims([0, 0], [[before, 0]], [0, 0], self.data_format)
        return pad(x, ends)

    def _finish(self, y):
        if self.bias is not None:
            y = bias_add(y, self.bias, op_format(self.data_format))
        activation = self.activation
        if activation is None or activation is activations.linear:
            return y
        return activation(y)

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, space, _ = split_dims(dims, self.data_format)
        out = output_sizes(
            space, self.kernel_size, self.padding, self.strides, self.dilation_rate
        )
        return TensorShape(joined_dims(batch, out, self.filters, self.data_format))


@declared("trainable", "name", data_format="channels_last")
class Conv1D(Conv):
    """activation(x * kernel + bias), * being the correlation over one axis (time).

    Args: see Conv2D; sizes are ints.
        padding: "causal" too: the output at t does not depend on what is after t.
    Example:
        y = tf.keras.layers.Conv1D(8, 3, padding="causal")(tf.ones([1, 5, 2]))
        y.shape.as_list()  # [1, 5, 8]
    """

    rank, causal = 1, True

    def call(self, inputs: Any) -> Tensor:
        return super().call(self._with_past(inputs))


@declared("trainable", "name", strides=(1, 1), dilation_rate=(1, 1))
class Conv2D(Conv):
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

    def _convolve(self, x):
        current_mode().leave_ids(10 * (max(self.dilation_rate) > 1))
        return conv2d(x, self.kernel, *self._layout)


@declared("trainable", "name", strides=(1, 1, 1), dilation_rate=(1, 1, 1))
class Conv3D(Conv):
    """activation(x * kernel + bias), * being the correlation over three axes.

    Args: see Conv2D; sizes are ints or three of them, for depth, height and width.
    Example:
        y = tf.keras.layers.Conv3D(8, 3)(tf.ones([1, 5, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 3, 8]
    """

    rank = 3
