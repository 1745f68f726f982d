"""Layers that change the shape of their input only."""

import math
from typing import Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import data_format_of
from twinflow.ops.core.joining import stack, tile
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose


class Flatten(Layer):
    """All axes but the first as one.

    Args:
        data_format: "channels_last" or "channels_first" (channels are moved to the end
            first). kwargs: `name`, `dtype` ...
    Example:
        tf.keras.layers.Flatten()(tf.ones([2, 3, 4]))  # float32[2, 12]
    """

    config = ("data_format",)

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(min_ndim=2)

    def call(self, inputs: Any) -> Tensor:
        s = inputs._shape
        if self.data_format == "channels_first" and len(s) > 2:
            inputs = transpose(inputs, (0, *range(2, len(s)), 1))
        rest = None if s is None or None in s[1:] else math.prod(s[1:])
        batch = None if s is None else s[0]
        with current_mode().counted(8):
            if rest is None or (batch is None and not rest):
                batch = shape(inputs)[0] if batch is None else batch
            return _reshaped(inputs, batch, (-1 if rest is None else rest,))

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        rest = None if None in dims[1:] else math.prod(dims[1:])
        return TensorShape([dims[0], rest])


class Reshape(Layer):
    """x in another shape; the first axis (the batch) stays.

    Args:
        target_shape: ints without the batch; one may be -1. kwargs: `name`, `dtype` ...
    Raises:
        tf.errors.InvalidArgumentError (eager) or ValueError (graph): the sizes differ.
    Example:
        tf.keras.layers.Reshape([2, -1])(tf.ones([5, 6]))  # float32[5, 2, 3]
    """

    config = ("target_shape",)

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(int(d) for d in nest.flatten(list(target_shape)))

    def call(self, inputs: Any) -> Tensor:
        s = inputs._shape
        batch = None if s is None else s[0]
        with current_mode().counted(7 + len(self.target_shape)):
            if batch is None and -1 in self.target_shape:
                batch = shape(inputs)[0]
            return _reshaped(inputs, batch, self.target_shape)

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        target = list(self.target_shape)
        if -1 in target:
            total = None if None in dims[1:] else math.prod(dims[1:])
            known = -math.prod(target)
            if total is not None and (not known or total % known):
                raise ValueError("total size of new array must be unchanged")
            target[target.index(-1)] = None if total is None else total // known
        return TensorShape([dims[0], *target])


class Permute(Layer):
    """The axes in another order; the first (the batch) stays.

    Args:
        dims: the axes in their new order, counted from 1. kwargs: `name`, `dtype` ...
    Raises:
        ValueError: `dims` are not the numbers from 1 on.
    Example:
        tf.keras.layers.Permute((2, 1))(tf.ones([5, 2, 3]))  # float32[5, 3, 2]
    """

    config = ("dims",)

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                f"Invalid permutation `dims` for Permute Layer: {dims}. The set of "
                "indices in `dims` must be consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Tensor:
        return transpose(inputs, (0, *self.dims))

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        return TensorShape([dims[0], *(dims[d] for d in self.dims)])


class RepeatVector(Layer):
    """A vector `n` times: float[batch, size] to float[batch, n, size].

    Args:
        n: an int. kwargs: `name`, `dtype` ...
    """

    config = ("n",)

    def __init__(self, n: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Tensor:
        return tile(expand_dims(inputs, 1), stack([1, self.n, 1]))

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        return TensorShape([dims[0], self.n, dims[1]])


def _reshaped(x, batch, rest):
    """Reshape to (batch, *rest); a batch of None is whatever is left."""
    y = reshape(x, (-1 if batch is None else batch, *rest))
    if y.symbolic and not isinstance(batch, int | None):
        y.set_shape(
            (x._shape[0] if x._shape else None, *[None if d < 0 else d for d in rest])
        )
    return y
