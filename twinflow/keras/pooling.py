"""Pooling over height and width."""

from twinflow.base.shapes import TensorShape
from twinflow.keras.arguments import (
    data_format_of,
    in_four,
    op_format,
    padding_of,
    pair,
)
from twinflow.keras.base_layer import Layer
from twinflow.keras.input_spec import InputSpec
from twinflow.ops.math.reduction import reduce_mean
from twinflow.ops.nn.pool import avg_pool, max_pool
from twinflow.ops.nn.window import count


class _Pooling2D(Layer):
    """Pooling over windows; a subclass says by which `op`."""

    config = ("pool_size", "padding", "strides", "data_format")

    def __init__(
        self,
        pool_size=(2, 2),
        strides=None,
        padding="valid",
        data_format=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.pool_size = pair(pool_size, "pool_size")
        self.strides = self.pool_size if strides is None else pair(strides, "strides")
        self.padding = padding_of(padding)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs):
        return self.op(
            inputs, in_four(self.pool_size, self.data_format),
            in_four(self.strides, self.data_format), self.padding.upper(),
            op_format(self.data_format),
        )  # fmt: skip

    def compute_output_shape(self, input_shape):
        n, *dims = TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        space = dims[1:] if first else dims[:2]
        out = [
            None if d is None else count(d, k, s, 1, self.padding.upper())
            for d, k, s in zip(space, self.pool_size, self.strides, strict=True)
        ]
        return TensorShape([n, dims[0], *out] if first else [n, *out, dims[2]])


class MaxPooling2D(_Pooling2D):
    """The largest entry of each window.

    Args:
        pool_size: an int or two, the size of the window.
        strides: an int or two; the size of the window if not given.
        padding: "valid" or "same", in any case.
        data_format: "channels_last" or "channels_first". kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.MaxPool2D()(tf.ones([1, 4, 4, 3]))  # float32[1, 2, 2, 3]
    """

    op = staticmethod(max_pool)


class AveragePooling2D(_Pooling2D):
    """The mean of each window, without what is padded.

    Args: see MaxPooling2D.
    Example:
        tf.keras.layers.AveragePooling2D()(tf.ones([1, 4, 4, 3]))  # float32[1, 2, 2, 3]
    """

    op = staticmethod(avg_pool)


class GlobalAveragePooling2D(Layer):
    """The mean over height and width.

    Args:
        data_format: "channels_last" or "channels_first". kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.GlobalAveragePooling2D()(tf.ones([2, 4, 4, 3]))  # float32[2, 3]
    """

    config = ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs):
        axes = [2, 3] if self.data_format == "channels_first" else [1, 2]
        return reduce_mean(inputs, axes)

    def compute_output_shape(self, input_shape):
        dims = TensorShape(input_shape).as_list()
        channel = 1 if self.data_format == "channels_first" else 3
        return TensorShape([dims[0], dims[channel]])


MaxPool2D, AvgPool2D, GlobalAvgPool2D = (
    MaxPooling2D,
    AveragePooling2D,
    GlobalAveragePooling2D,
)
