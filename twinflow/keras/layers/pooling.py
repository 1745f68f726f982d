"""Pooling over one, two or three axes."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.base_layer import Layer
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
from twinflow.keras.layers.convolutional import output_sizes
from twinflow.ops.core.reduction import reduce_max, reduce_mean
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.nn.pool import avg_pool, max_pool
from twinflow.ops.nn.pool3d import avg_pool3d, max_pool3d


class _Pooling(Layer):
    """Pooling over windows; a subclass says over how many axes, and by which `op`."""

    rank = 2
    config: tuple[Any, ...] = ("pool_size", "padding", "strides", "data_format")

    def __init__(
        self, pool_size: int = 2, strides: Any = None, padding: str = "valid",
        data_format: str | None = None, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        if strides is None:
            strides = pool_size
        self.pool_size = tuple_of(pool_size, self.rank, "pool_size")
        self.strides = tuple_of(strides, self.rank, "strides")
        self.padding = padding_of(padding)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Tensor:
        return self.op(
            inputs, in_full(self.pool_size, self.data_format),
            in_full(self.strides, self.data_format), self.padding.upper(),
            op_format(self.data_format, self.rank),
        )  # fmt: skip

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, space, channels = split_dims(dims, self.data_format)
        out = output_sizes(space, self.pool_size, self.padding, self.strides)
        return TensorShape(joined_dims(batch, out, channels, self.data_format))


class _Pooling1D(_Pooling):
    """Pooling along time, as images of width 1."""

    rank = 1
    config = ("strides", "pool_size", "padding")

    def call(self, inputs: Any) -> Tensor:
        axis = 2 if self.data_format == "channels_last" else 3
        y = self.op(
            expand_dims(inputs, axis), in_full((*self.pool_size, 1), self.data_format),
            in_full((*self.strides, 1), self.data_format), self.padding.upper(),
            op_format(self.data_format),
        )  # fmt: skip
        return squeeze(y, [axis])


class MaxPooling1D(_Pooling1D):
    """The largest entry of each window along time; see MaxPooling2D."""

    op = staticmethod(max_pool)


class AveragePooling1D(_Pooling1D):
    """The mean of each window along time, without what is padded; see MaxPooling2D."""

    op = staticmethod(avg_pool)


class MaxPooling2D(_Pooling):
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


class AveragePooling2D(_Pooling):
    """The mean of each window, without what is padded.

    Args: see MaxPooling2D.
    Example:
        tf.keras.layers.AveragePooling2D()(tf.ones([1, 4, 4, 3]))  # float32[1, 2, 2, 3]
    """

    op = staticmethod(avg_pool)


class MaxPooling3D(_Pooling):
    """The largest entry of each window of depth, height and width; see MaxPooling2D."""

    rank = 3
    op = staticmethod(max_pool3d)


class AveragePooling3D(_Pooling):
    """The mean of each window of depth, height and width; see MaxPooling2D."""

    rank = 3
    op = staticmethod(avg_pool3d)


class _GlobalPooling(Layer):
    """One number a channel; a subclass says by which `op`."""

    rank = 2
    config: tuple[Any, ...] = ("data_format",)

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Tensor:
        first = 2 if self.data_format == "channels_first" else 1
        return self.op(inputs, list(range(first, first + self.rank)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, _, channels = split_dims(dims, self.data_format)
        return TensorShape([batch, channels])


class _GlobalPooling1D(_GlobalPooling):
    rank, config = 1, ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("channels_last", **kwargs)

    def call(self, inputs: Any) -> Tensor:
        return self.op(inputs, 1)


class GlobalAveragePooling1D(_GlobalPooling1D):
    """The mean over time: float[batch, steps, n] to float[batch, n]."""

    op = staticmethod(reduce_mean)


class GlobalMaxPooling1D(_GlobalPooling1D):
    """The largest entry over time: float[batch, steps, n] to float[batch, n]."""

    op = staticmethod(reduce_max)


class GlobalAveragePooling2D(_GlobalPooling):
    """The mean over height and width.

    Args:
        data_format: "channels_last" or "channels_first". kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.GlobalAveragePooling2D()(tf.ones([2, 4, 4, 3]))  # float32[2, 3]
    """

    op = staticmethod(reduce_mean)


class GlobalMaxPooling2D(_GlobalPooling):
    """The largest entry over height and width; see GlobalAveragePooling2D."""

    op = staticmethod(reduce_max)


class GlobalAveragePooling3D(_GlobalPooling):
    """The mean over depth, height and width; see GlobalAveragePooling2D."""

    rank = 3
    op = staticmethod(reduce_mean)


class GlobalMaxPooling3D(_GlobalPooling):
    """The largest entry over depth, height, width; see GlobalAveragePooling2D."""

    rank = 3
    op = staticmethod(reduce_max)
