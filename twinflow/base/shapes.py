"""Shapes that may be partly known: Dimension, TensorShape, and rules on tuples.

Inside twinflow a shape is a tuple of int or None (an unknown size), or None where
the rank itself is unknown. Dimension and TensorShape are what users see.
"""

import builtins
import math
from collections.abc import Iterator
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.annotations import Shape, ShapeValue
from twinflow.base.dimension import Dimension, size_of


class TensorShape:
    """The shape of a tensor; sizes and even the rank may be unknown.

    Args:
        dims: None (unknown rank), a size, an iterable of sizes (int, None or
            Dimension), another shape, or a TensorShapeProto.

    Raises:
        TypeError, ValueError: a size is not a whole number >= 0.

    Example: `str(tf.TensorShape([2, None])) == "(2, ?)"`.
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: ShapeValue | None) -> None:
        self._dims: Any = as_tuple(dims)

    @property
    def tuple(self) -> Shape:
        """The sizes as a tuple of int or None; None where the rank is unknown."""
        return self._dims

    @property
    def dims(self) -> Any:
        """A new list of Dimensions, or None where the rank is unknown."""
        return None if self._dims is None else list(map(Dimension, self._dims))

    @property
    def ndims(self) -> Any:
        """The number of axes, or None."""
        return None if self._dims is None else len(self._dims)

    rank = ndims

    def as_list(self) -> list[Any]:
        """Return a list of int or None; ValueError where the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self) -> Any:
        """Return the product of the sizes, or None if one is not known."""
        return math.prod(self._dims) if self.is_fully_defined() else None

    def is_fully_defined(self) -> bool:
        """Whether the rank and every size are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError if the rank or a size is not known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one tensor can have both shapes."""
        return compatible(self._dims, as_tuple(other))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError if no tensor can have both shapes."""
        if not self.is_compatible_with(other):
            raise advised(ValueError, f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> "TensorShape":
        """Return what both shapes say together; ValueError if they disagree."""
        return _wrap(merge(self._dims, as_tuple(other)))

    def most_specific_compatible_shape(self, other: Any) -> "TensorShape":
        """Return the shape of all tensors of either shape, sizes kept where equal."""
        other = as_tuple(other)
        if self._dims is None or other is None or len(self._dims) != len(other):
            return _wrap(None)
        pairs = zip(self._dims, other)
        return _wrap(tuple(a if a == b else None for a, b in pairs))

    def concatenate(self, other: Any) -> "TensorShape":
        """Return the axes of this shape followed by those of `other`."""
        other = as_tuple(other)
        unknown = self._dims is None or other is None
        return _wrap(None if unknown else self._dims + other)

    def assert_same_rank(self, other: Any) -> None:
        """Raise ValueError if both ranks are known and differ."""
        other = as_shape(other)
        if None not in (self.ndims, other.ndims) and self.ndims != other.ndims:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError if the rank is known and not `rank`."""
        if self.ndims not in (None, rank):
            raise advised(ValueError, f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> "TensorShape":
        """Return this shape with its rank known; ValueError if it has another."""
        if rank is not None and self.ndims not in (None, rank):
            raise advised(ValueError, f"Shape {self} must have rank {rank}")
        return unknown_shape(rank) if self._dims is None else self

    def with_rank_at_least(self, rank: int) -> "TensorShape":
        """Return this shape; ValueError if it has fewer axes."""
        if self._dims is not None and self.ndims < rank:
            raise advised(ValueError, f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> "TensorShape":
        """Return this shape; ValueError if it has more axes."""
        if self._dims is not None and self.ndims > rank:
            raise advised(ValueError, f"Shape {self} must have rank at most {rank}")
        return self

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of Shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[Dimension]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return map(Dimension, self._dims)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            dims = self._dims
            return _wrap(_slice_unknown(key) if dims is None else dims[key])
        return Dimension(None if self._dims is None else self._dims[key])

    def __eq__(self, other: object) -> bool:
        try:
            other = as_tuple(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._dims is None or other is None:
            return self._dims is other
        # As in TensorFlow, nobody knows whether two unknown sizes are equal.
        return self._dims == other and None not in other

    def __ne__(self, other: object) -> bool:
        try:
            other = as_tuple(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._dims is None or other is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return self._dims != other or None in other

    def __hash__(self) -> int:
        return hash(self._dims)

    def __reduce__(self) -> builtins.tuple:
        return TensorShape, (self._dims,)

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"

    def __str__(self) -> str:
        return format_shape(self._dims)


def as_shape(shape: ShapeValue | None) -> TensorShape:
    """Return `shape` as a TensorShape."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(ndims: int | None = None) -> TensorShape:
    """Return a shape of `ndims` unknown sizes; without `ndims`, of unknown rank."""
    return _wrap(None if ndims is None else (None,) * ndims)


def scalar() -> TensorShape:
    """Return the shape of a scalar, `()`."""
    return _wrap(())


def vector(length: Any) -> TensorShape:
    """Return the shape `(length,)`."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """Return the shape `(rows, cols)`."""
    return TensorShape([rows, cols])


def as_tuple(shape: Any) -> Shape:
    """Return a shape-like value as a tuple of int or None, or None: see TensorShape."""
    if type(shape) is tuple or type(shape) is list:
        return tuple([size_of(size) for size in shape])
    if shape is None:
        return None
    if isinstance(shape, TensorShape):
        return shape._dims
    if isinstance(shape, str):
        raise TypeError(
            "A string has ambiguous TensorShape, please wrap in a list or convert"
            f" to an int: {shape}"
        )
    if hasattr(shape, "unknown_rank"):
        return _from_proto(shape)
    try:
        sizes = iter(shape)
    except TypeError:
        return (size_of(shape),)
    return tuple([size_of(size) for size in sizes])


def format_shape(dims: Shape) -> str:
    """Return the text of a tuple shape: `(2, ?)`, `(2,)`, `<unknown>`."""
    if dims is None:
        return "<unknown>"
    texts = ["?" if size is None else str(size) for size in dims]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def broadcast(a: Shape, b: Shape) -> Shape:
    """Return the shape of an elementwise op on two tuple shapes.

    Raises:
        ValueError: two sizes differ and neither is 1.

    Example: `broadcast((2, None), (3,)) == (2, 3)`.
    """
    if a == b:
        return a
    if a is None or b is None:
        return None
    short, long = (a, b) if len(a) < len(b) else (b, a)
    lead = len(long) - len(short)
    try:
        tail = [_broadcast_size(x, y) for x, y in zip(short, long[lead:])]
    except ValueError:
        raise advised(
            ValueError,
            "Incompatible shapes for broadcasting:"
            f" {format_shape(a)} and {format_shape(b)}",
        ) from None
    return (*long[:lead], *tail)


def merge(a: Shape, b: Shape) -> Shape:
    """Return what two tuple shapes say together; ValueError if they disagree.

    Example: `merge((2, None), (None, 3)) == (2, 3)`.
    """
    if not compatible(a, b):
        raise ValueError(
            f"Shapes {format_shape(a)} and {format_shape(b)} are not compatible"
        )
    if a is None or b is None:
        return b if a is None else a
    return tuple([y if x is None else x for x, y in zip(a, b)])


def compatible(a: Any, b: Any) -> bool:
    """Whether one tensor can have both tuple shapes."""
    if a is None or b is None or a == b:
        return True
    if len(a) != len(b):
        return False
    pairs = zip(a, b)
    return all(x == y or x is None or y is None for x, y in pairs)


def _wrap(dims: Any) -> TensorShape:
    """A TensorShape of a tuple that is already checked."""
    shape = object.__new__(TensorShape)
    shape._dims = dims
    return shape


def _from_proto(proto: Any) -> Shape:
    if proto.unknown_rank:
        return None
    return tuple(None if dim.size == -1 else dim.size for dim in proto.dim)


def _slice_unknown(key: Any) -> Any:
    """The axes of a slice of a shape of unknown rank."""
    if key.step is not None:
        raise ValueError("Steps are not yet handled")
    start = 0 if key.start is None else key.start
    if key.stop is None or start < 0 or key.stop < 0:
        return None
    return (None,) * max(0, key.stop - start)


def _broadcast_size(x: int | None, y: int | None) -> int | None:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if x is None or y is None:
        return max(x or 0, y or 0) or None
    raise ValueError
