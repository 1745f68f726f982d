"""Convolutions of each channel by itself, and then a mixing of the channels."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.keras import activations
from twinflow.keras.engine.constructors import declared
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import in_full, joined_dims, op_format, split_dims
from twinflow.keras.layers.convolutional import Conv, known_channels, output_sizes
from twinflow.keras.saving.config import names_of
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.conv_separable import depthwise_conv2d, separable_conv2d

_UNUSED = ("kernel_initializer", "kernel_regularizer", "kernel_constraint")


class SeparableConv(Conv):
    """A depthwise convolution, then a mixing of channels, of rank 1 or 2."""

    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1,
        depth_multiplier: int = 1, activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, depthwise_constraint: Any = None,
        pointwise_constraint: Any = None, bias_constraint: Any = None,
        trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation, use_bias, bias_initializer=bias_initializer,
            bias_regularizer=bias_regularizer, bias_constraint=bias_constraint,
            activity_regularizer=activity_regularizer, trainable=trainable, name=name,
            **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self._keep_of(locals())

    def build(self, input_shape: Any) -> None:
        axis, channels = known_channels(input_shape, self.data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        m = self.depth_multiplier
        self._add_own("depthwise_kernel", (*self.kernel_size, channels, m))
        ones = (1,) * self.rank
        self._add_own("pointwise_kernel", (*ones, m * channels, self.filters))
        self._add_bias()
        self.built = True


@declared("trainable", "name")
class SeparableConv1D(SeparableConv):
    """A convolution of each channel along time, then a mixing of the channels.

    Args: see SeparableConv2D; sizes are ints.
    Example:
        y = tf.keras.layers.SeparableConv1D(8, 3)(tf.ones([1, 5, 2]))
        y.shape.as_list()  # [1, 3, 8]
    """

    config = _fixed = _UNUSED
    rank, causal = 1, True

    def _convolve(self, x):
        x = self._with_past(x)
        padding = "VALID" if self.padding == "causal" else self.padding.upper()
        axis = 2 if self.data_format == "channels_first" else 1
        y = separable_conv2d(
            expand_dims(x, axis), expand_dims(self.depthwise_kernel, 0),
            expand_dims(self.pointwise_kernel, 0),
            in_full(self.strides * 2, self.data_format), padding,
            (1, *self.dilation_rate), None, op_format(self.data_format),
        )  # fmt: skip
        if self.bias is not None:
            y = bias_add(y, self.bias, op_format(self.data_format))
        return squeeze(y, [axis])

    def _finish(self, y):
        if self.activation in (None, activations.linear):
            return y
        return self.activation(y)


@declared("trainable", "name", strides=(1, 1), dilation_rate=(1, 1))
class SeparableConv2D(SeparableConv):
    """A convolution of each channel, then a mixing of the channels at each place.

    Args:
        filters: the number of output channels.
        kernel_size, strides, dilation_rate: an int or two, for height and width.
        padding, data_format, activation, use_bias: see Conv2D.
        depth_multiplier: how many filters each channel has.
        depthwise_*, pointwise_*, bias_*: see Conv2D's kernel_* and bias_*.
    Example:
        y = tf.keras.layers.SeparableConv2D(8, 3)(tf.ones([1, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 8]
    Reference: Chollet, Xception (CVPR 2017).
    """

    config = _fixed = _UNUSED

    def _convolve(self, x):
        return separable_conv2d(
            x, self.depthwise_kernel, self.pointwise_kernel,
            in_full(self.strides, self.data_format), self.padding.upper(),
            self.dilation_rate, None, op_format(self.data_format),
        )  # fmt: skip


class DepthwiseConv2D(Conv):
    """activation(y + bias), y being each channel convolved by filters of its own.

    Args: see SeparableConv2D, without `filters`.
    Example:
        y = tf.keras.layers.DepthwiseConv2D(3)(tf.ones([1, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 2]
    """

    def __init__(
        self, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        depth_multiplier: int = 1, data_format: Any = None, activation: Any = None,
        use_bias: bool = True, depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", depthwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            0, kernel_size, strides, padding, data_format, 1, activation, use_bias,
            bias_initializer=bias_initializer, bias_regularizer=bias_regularizer,
            bias_constraint=bias_constraint, activity_regularizer=activity_regularizer,
            **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self._keep_of(locals())

    _fixed = ("dilation_rate",)
    config = (*names_of(__init__), *_fixed)

    def build(self, input_shape: Any) -> None:
        dims = TensorShape(input_shape).as_list()
        if len(dims) < 4:
            raise ValueError(
                "Inputs to `DepthwiseConv2D` should have rank 4. Received input "
                f"shape: {TensorShape(input_shape)}"
            )
        axis = 1 if self.data_format == "channels_first" else 3
        if dims[axis] is None:
            raise advised(
                ValueError,
                "The channel dimension of the inputs to `DepthwiseConv2D` should be "
                "defined. Found `None`.",
            )
        self.filters = dims[axis] * self.depth_multiplier
        self._add_own(
            "depthwise_kernel", (*self.kernel_size, dims[axis], self.depth_multiplier)
        )
        self._add_bias()
        self.input_spec = InputSpec(ndim=4, axes={axis: dims[axis]})
        self.built = True

    def _convolve(self, x):
        return depthwise_conv2d(
            x, self.depthwise_kernel, in_full(self.strides, self.data_format),
            self.padding.upper(), self.dilation_rate, None,
            op_format(self.data_format),
        )  # fmt: skip

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, space, channels = split_dims(dims, self.data_format)
        out = output_sizes(space, self.kernel_size, self.padding, self.strides)
        channels = None if channels is None else channels * self.depth_multiplier
        return TensorShape(joined_dims(batch, out, channels, self.data_format))
