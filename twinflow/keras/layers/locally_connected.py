"""Convolutions whose filters differ from place to place."""

import itertools
import math
from typing import Any

import numpy as np

from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras import activations
from twinflow.keras.backend.local_convolutions import local_conv
from twinflow.keras.engine.constructors import declared
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import joined_dims, split_dims
from twinflow.keras.layers.convolutional import Conv, output_sizes
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose


class _Local(Conv):
    """Filters that differ from place to place, of rank 1 or 2.

    With implementation 1 a kernel holds one matrix for each place, with 2 it holds a
    number for each pair of an input and an output, most of which are not used.
    """

    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, activation: str | None = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None,
        implementation: int = 1, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, data_format, 1, activation,
            use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
            bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint,
            **kwargs,
        )  # fmt: skip
        self.implementation = implementation
        if self.padding != "valid" and implementation == 1:
            raise ValueError(
                f'Invalid border mode for {type(self).__name__} (only "valid" is '
                f"supported if implementation is 1): {self.padding}"
            )

    def build(self, input_shape: Any) -> None:
        dims = TensorShape(input_shape).as_list()
        _, space, channels = split_dims(dims, self.data_format)
        if None in (*space, channels):
            raise ValueError(self._unknown(tuple(dims)))
        self._spatial, self._channels = tuple(space), channels
        sizes = output_sizes(space, self.kernel_size, self.padding, self.strides)
        self._places = tuple(sizes)
        self._add_own("kernel", self._kernel_shape())
        self._add_own_bias((*self._places, self.filters))
        axis = 1 if self.data_format == "channels_first" else -1
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        self.built = True

    def _kernel_shape(self):
        if self.implementation == 1:
            size = math.prod(self.kernel_size) * self._channels
            return (math.prod(self._places), size, self.filters)
        form = self.data_format
        ins = joined_dims(0, self._spatial, self._channels, form)[1:]
        outs = joined_dims(0, self._places, self.filters, form)[1:]
        return (*ins, *outs)

    def call(self, inputs: Any) -> Tensor:
        y = self._by_place(inputs) if self.implementation == 1 else self._whole(inputs)
        if self.bias is not None:
            bias = self.bias
            if self.data_format == "channels_first":
                bias = transpose(bias, (self.rank, *range(self.rank)))
            y = add(y, bias)
        if self.activation in (None, activations.linear):
            return y
        return self.activation(y)

    def _by_place(self, x):
        return local_conv(
            x, self.kernel, self.kernel_size, self.strides, self._places,
            self.data_format,
        )  # fmt: skip

    def _whole(self, x):
        out = joined_dims(-1, self._places, self.filters, self.data_format)
        rows = math.prod(self._kernel_shape()[: self.rank + 1])
        kernel = multiply(self.kernel, self._used())
        y = matmul(reshape(x, (-1, rows)), reshape(kernel, (rows, -1)))
        return reshape(y, out)

    def _used(self):
        """1 for the pairs of inputs and outputs that a filter joins, else 0."""
        n = self.rank
        used = np.zeros((*self._spatial, *self._places), np.float32)
        before = [0] * n
        if self.padding == "same":
            before = [k // 2 for k in self.kernel_size]
        for place in itertools.product(*map(range, self._places)):
            starts = [
                i * s - b for i, s, b in zip(place, self.strides, before, strict=True)
            ]
            cuts = tuple(
                slice(max(0, a), max(0, a + k))
                for a, k in zip(starts, self.kernel_size, strict=True)
            )
            used[(*cuts, *place)] = 1
        first = self.data_format == "channels_first"
        used = np.expand_dims(used, (0, n + 1) if first else (n, 2 * n + 1))
        return used

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        batch, space, _ = split_dims(dims, self.data_format)
        out = output_sizes(space, self.kernel_size, self.padding, self.strides)
        return TensorShape(joined_dims(batch, out, self.filters, self.data_format))


@declared()
class LocallyConnected1D(_Local):
    """Conv1D whose filters differ from step to step.

    Args: see Conv1D.
        implementation: 1 = a kernel of one matrix for each place, 2 = one of a number
            for each pair of an input and an output.
    Example:
        y = tf.keras.layers.LocallyConnected1D(8, 3)(tf.ones([1, 5, 2]))
        y.shape.as_list()  # [1, 3, 8]
    """

    rank = 1

    def _unknown(self, dims):
        return (
            "Axis 2 of input should be fully-defined. Found shape:", TensorShape(dims)
        )  # fmt: skip


@declared(strides=(1, 1))
class LocallyConnected2D(_Local):
    """Conv2D whose filters differ from place to place.

    Args: see Conv2D.
        implementation: see LocallyConnected1D.
    Example:
        y = tf.keras.layers.LocallyConnected2D(8, 3)(tf.ones([1, 5, 5, 2]))
        y.shape.as_list()  # [1, 3, 3, 8]
    """

    def _unknown(self, dims):
        return (
            "The spatial dimensions of the inputs to  a LocallyConnected2D layer "
            f"should be fully-defined, but layer received the inputs shape {dims}"
        )
