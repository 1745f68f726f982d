"""Layers of several inputs: sums, products, means, and putting them side by side."""

import functools
import operator
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.backend.batch_products import batch_dot
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.constructors import settings
from twinflow.keras.saving.config import names_of
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import maximum as larger
from twinflow.ops.core.elementwise import minimum as smaller
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.nn.moments import l2_normalize


def _dims(shapes):
    return [tuple(TensorShape(s).as_list()) for s in shapes]


class _Merge(Layer):
    """A layer of several inputs of shapes that can be broadcast."""

    supports_masking = True

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(input_shape) < 2:
            raise ValueError(
                "A merge layer should be called on a list of at least 2 inputs. Got "
                f"{len(input_shape)} inputs."
            )
        dims = _dims(input_shape)
        batches = {d[0] for d in dims if d and d[0] is not None}
        if len(batches) > 1:
            raise ValueError(
                "Can not merge tensors with different batch sizes. Got tensors with "
                f"shapes : {dims}"
            )
        _broadcast([d[1:] for d in dims])
        ranks = {len(d) for d in dims}
        self._uneven = len(ranks) > 1
        self.built = True

    def call(self, inputs: Any) -> Any:
        if not isinstance(inputs, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        return self._merge(_same_rank(inputs) if self._uneven else inputs)

    def _merge(self, inputs):
        return functools.reduce(self.op, inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = _dims(input_shape)
        batches = {d[0] for d in dims}
        batch = batches.pop() if len(batches) == 1 else None
        return TensorShape([batch, *_broadcast([d[1:] for d in dims])])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """True where all masks are."""
        if mask is None:
            return None
        _check_masks(inputs, mask)
        if all(m is None for m in mask):
            return None
        masks = [expand_dims(cast(m, "bool"), 0) for m in mask if m is not None]
        return reduce_all(concat(masks, 0), 0)


def _check_masks(inputs, mask):
    if not isinstance(mask, list):
        raise ValueError("`mask` should be a list.")
    if not isinstance(inputs, list):
        raise ValueError("`inputs` should be a list.")
    if len(mask) != len(inputs):
        raise ValueError("The lists `inputs` and `mask` should have the same length.")


def _broadcast(shapes):
    """The shape of what comes out of an elementwise op, without the batch."""
    found = shapes[0]
    for other in shapes[1:]:
        long, short = (found, other) if len(found) >= len(other) else (other, found)
        tail = [_wider(a, b, long, short) for a, b in _pairs(long, short)]
        found = (*long[: len(long) - len(short)], *tail)
    return found


def _pairs(long, short):
    return zip(long[len(long) - len(short) :], short, strict=True)


def _wider(a, b, first, second):
    if a is None or b is None:
        return None
    if a == 1:
        return b
    if b in (1, a):
        return a
    raise advised(
        ValueError,
        f"Operands could not be broadcast together with shapes {first} {second}",
    )


def _same_rank(inputs):
    """Inputs with axes of size 1 put after the batch, where some have fewer axes."""
    most = max(len(x._shape) for x in inputs)
    found = []
    for x in inputs:
        for _ in range(most - len(x._shape)):
            x = expand_dims(x, 1)
        found.append(x)
    return found


class Add(_Merge):
    """The sum of a list of inputs."""

    op = staticmethod(operator.add)


class Subtract(_Merge):
    """The first of two inputs without the second."""

    op = staticmethod(operator.sub)

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")


class Multiply(_Merge):
    """The product of a list of inputs, entry by entry."""

    op = staticmethod(operator.mul)


class Average(_Merge):
    """The mean of a list of inputs."""

    op = staticmethod(operator.add)

    def _merge(self, inputs):
        return super()._merge(inputs) / len(inputs)


class Maximum(_Merge):
    """The largest of a list of inputs, entry by entry."""

    op = staticmethod(larger)


class Minimum(_Merge):
    """The smallest of a list of inputs, entry by entry."""

    op = staticmethod(smaller)


@settings(axis=-1)
class Concatenate(_Merge):
    """A list of inputs behind each other along `axis`.

    Args:
        axis: an int. kwargs: `name`, `dtype` ...
    Example:
        a = tf.ones([2, 3])
        tf.keras.layers.Concatenate()([a, a])  # float32[2, 6]
    """

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list) or len(input_shape) < 2:
            raise ValueError(
                "A `Concatenate` layer should be called on a list of at least 2 inputs"
            )
        dims = _dims(input_shape)
        others = set()
        for d in dims:
            rest = list(d)
            del rest[self.axis]
            others.add(tuple(rest))
        if len(others) > 1:
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for "
                f"the concat axis. Got inputs shapes: {dims}"
            )
        self._uneven, self.built = False, True

    def _merge(self, inputs):
        return concat(inputs, self.axis)

    def compute_output_shape(self, input_shape: Any) -> Any:
        if not isinstance(input_shape, list):
            raise ValueError(
                "A `Concatenate` layer should be called on a list of inputs."
            )
        dims = [list(d) for d in _dims(input_shape)]
        sizes = [d[self.axis] for d in dims]
        dims[0][self.axis] = None if None in sizes else sum(sizes)
        return TensorShape(dims[0])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The masks behind each other, True where an input has none."""
        if mask is None:
            return None
        _check_masks(inputs, mask)
        if all(m is None for m in mask):
            return None
        masks = []
        for x, m in zip(inputs, mask, strict=True):
            if m is None:
                m = cast(ones_like(x), "bool")
            elif len(m._shape) < len(x._shape):
                m = expand_dims(m, -1)
            masks.append(m)
        return reduce_all(concat(masks, self.axis), -1)


class Dot(_Merge):
    """Products of the vectors along axes of two inputs, entry by entry of the batch.

    Args:
        axes: an int, or two: the axes of the vectors.
        normalize: whether to divide vectors by their lengths: cosines.
    Example:
        a = tf.ones([2, 3])
        tf.keras.layers.Dot(1)([a, a])  # [[3.], [3.]]
    """

    supports_masking = False

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(axes, int):
            if not isinstance(axes, list | tuple):
                raise TypeError("Invalid type for `axes` - should be a list or an int.")
            if len(axes) != 2:
                raise ValueError(
                    "Invalid format for `axes` - should contain two elements."
                )
            if not all(isinstance(a, int) for a in axes):
                raise ValueError(
                    'Invalid format for `axes` - list elements should be "int".'
                )
        self.axes, self.normalize = axes, normalize

    config = names_of(__init__)

    def _places(self, ranks):
        if isinstance(self.axes, int):
            return [self.axes % n if self.axes < 0 else self.axes for n in ranks]
        return [a % n if a < 0 else a for a, n in zip(self.axes, ranks, strict=True)]

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        a, b = _dims(input_shape)
        i, j = self._places([len(a), len(b)])
        if a[i] != b[j]:
            raise ValueError(
                f"Dimension incompatibility {a[i]} != {b[j]}. Layer shapes: {a}, {b}"
            )
        self._uneven, self.built = False, True

    def _merge(self, inputs):
        a, b = inputs
        axes = self._places([len(a._shape), len(b._shape)])
        if self.normalize:
            a, b = l2_normalize(a, axes[0]), l2_normalize(b, axes[1])
        return batch_dot(a, b, axes)

    def compute_output_shape(self, input_shape: Any) -> Any:
        a, b = (list(d) for d in _dims(input_shape))
        i, j = self._places([len(a), len(b)])
        del a[i], b[j]
        out = [*a, *b[1:]]
        return TensorShape(out if len(out) > 1 else [*out, 1])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None


def _function(cls, meaning):
    def merge(inputs: Any, **kwargs: Any) -> Any:
        return cls(**kwargs)(inputs)

    merge.__name__ = merge.__qualname__ = cls.__name__.lower()
    merge.__doc__ = f"{meaning}; see tf.keras.layers.{cls.__name__}."
    return merge


add = _function(Add, "The sum of a list of inputs")
subtract = _function(Subtract, "The first of two inputs without the second")
multiply = _function(Multiply, "The product of a list of inputs")
average = _function(Average, "The mean of a list of inputs")
maximum = _function(Maximum, "The largest of a list of inputs")
minimum = _function(Minimum, "The smallest of a list of inputs")


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Tensor:
    """A list of inputs behind each other; see tf.keras.layers.Concatenate."""
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs: Any, axes: Any, normalize: Any = False, **kwargs: Any) -> Any:
    """Products of vectors of two inputs; see tf.keras.layers.Dot."""
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
