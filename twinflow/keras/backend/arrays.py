"""Shapes, slices and places, as tf.keras.backend has them."""

import math
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays import one_hot as ops_one_hot
from twinflow.ops.arrays import rearrange
from twinflow.ops.core import array as basic
from twinflow.ops.core import constant, creation
from twinflow.ops.core import shape as ops_shape
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.nn.embedding import embedding_lookup


def shape(x: TensorValue) -> Any:
    """int32: the shape."""
    return ops_shape.shape(x)


def reshape(x: TensorValue, shape: Any) -> Any:
    """x in another shape."""
    return ops_shape.reshape(x, shape)


def permute_dimensions(x: TensorValue, pattern: Any) -> Any:
    """The axes in another order."""
    return basic.transpose(x, pattern)


def transpose(x: TensorValue) -> Any:
    """The axes in the opposite order."""
    return basic.transpose(x)


def expand_dims(x: TensorValue, axis: Any = -1) -> Any:
    """x with one more axis of size 1."""
    return ops_shape.expand_dims(x, axis)


def squeeze(x: TensorValue, axis: Any) -> Any:
    """x without an axis of size 1."""
    return ops_shape.squeeze(x, [axis])


def flatten(x: TensorValue) -> Any:
    """All entries in one axis."""
    return ops_shape.reshape(x, [-1])


def batch_flatten(x: TensorValue) -> Tensor:
    """All axes but the first as one."""
    sizes, now = x._shape[1:], ops_shape.shape(x)[1:]
    if None not in sizes:
        return ops_shape.reshape(x, [-1, math.prod(sizes)])
    size = math.prod((now[i] for i in range(1, len(sizes))), start=now[0])
    return ops_shape.reshape(x, basic.stack([-1, size]))


def concatenate(tensors: TensorValue, axis: Any = -1) -> Any:
    """Tensors behind each other along an axis."""
    return basic.concat(tensors, axis)


def stack(x: TensorValue, axis: Any = 0) -> Any:
    """Tensors along a new axis."""
    return basic.stack(x, axis)


def tile(x: TensorValue, n: TensorValue) -> Any:
    """x repeated as a whole, `n` times along each axis."""
    return basic.tile(x, [n] if isinstance(n, int) else n)


def repeat(x: TensorValue, n: TensorValue) -> Any:
    """float[batch, size] as float[batch, n, size]."""
    return basic.tile(ops_shape.expand_dims(x, 1), basic.stack([1, n, 1]))


def repeat_elements(x: TensorValue, rep: Any, axis: Any) -> Any:
    """Each entry along an axis `rep` times."""
    size = x._shape[axis]
    if size is None:
        raise ValueError(f"Axis {axis} of {x!r} has no known size to be repeated.")
    parts = basic.split(x, size, axis)
    return basic.concat([p for p in parts for _ in range(rep)], axis)


def reverse(x: TensorValue, axes: Any) -> Any:
    """x with axes the other way round."""
    return rearrange.reverse(x, [axes] if isinstance(axes, int) else axes)


def gather(reference: Any, indices: TensorValue) -> Any:
    """Rows of a tensor."""
    return embedding_lookup(reference, indices)


def one_hot(indices: TensorValue, num_classes: Any) -> Any:
    """Vectors with 1 at one place each."""
    return ops_one_hot.one_hot(indices, num_classes, axis=-1)


def cast(x: TensorValue, dtype: Any) -> Any:
    """x in another dtype."""
    return constant.cast(x, dtypes.as_dtype(dtype))


def arange(
    start: TensorValue, stop: TensorValue | None = None, step: TensorValue = 1,
    dtype: DTypeValue = "int32",
) -> Tensor:  # fmt: skip
    """Numbers from `start` to `stop` (without it) in steps."""
    if stop is None:  # up to a negative number there is nothing
        known = not isinstance(start, Tensor)
        start, stop = 0, max(start, 0) if known else maximum(start, 0)
    found = creation.range(start, stop, step, name="arange")
    return found if dtype == "int32" else cast(found, dtype)
