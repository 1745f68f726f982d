"""Dimension: the size of one axis, which may not be known."""

import builtins
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base.advice import advised
from twinflow.base.dtypes import DType

_NUMBERS = (int, float, str, np.number)


class Dimension:
    """The size of one axis: an int, or None where it is not known.

    Arithmetic and comparisons with an unknown size give an unknown size and None.

    Example: `tf.Dimension(7) // 2 == tf.Dimension(3)`.
    """

    __slots__ = ("_value",)

    def __init__(self, value: "int | Dimension | None") -> None:
        self._value = size_of(value)

    @property
    def value(self) -> Any:
        """The size as an int, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether both sizes can be the same: equal, or one unknown."""
        other = size_of(other)
        return self._value is None or other is None or self._value == other

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError if the sizes cannot be the same."""
        if not self.is_compatible_with(other):
            raise advised(
                ValueError, f"Dimensions {self} and {other} are not compatible"
            )

    def merge_with(self, other: Any) -> "Dimension":
        """Return what both sizes say together; ValueError if they differ."""
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> builtins.tuple:
        return Dimension, (self._value,)

    def __int__(self) -> int:
        return _number(int, self._value)

    def __index__(self) -> int:
        return _number(operator.index, self._value)

    def __eq__(self, other: object) -> Any:
        return _compare_equal(operator.eq, self, other)

    def __ne__(self, other: object) -> Any:
        return _compare_equal(operator.ne, self, other)

    def __lt__(self, other: Any) -> Any:
        return _compare(operator.lt, self, other)

    def __le__(self, other: Any) -> Any:
        return _compare(operator.le, self, other)

    def __gt__(self, other: Any) -> Any:
        return _compare(operator.gt, self, other)

    def __ge__(self, other: Any) -> Any:
        return _compare(operator.ge, self, other)

    def __add__(self, other: Any) -> "Dimension":
        return _sum(operator.add, self, other)

    def __radd__(self, other: Any) -> "Dimension":
        return _sum(operator.add, other, self)

    def __sub__(self, other: Any) -> "Dimension":
        return _sum(operator.sub, self, other)

    def __rsub__(self, other: Any) -> "Dimension":
        return _sum(operator.sub, other, self)

    def __mul__(self, other: Any) -> "Dimension":
        return _product(operator.mul, self, other)

    def __rmul__(self, other: Any) -> "Dimension":
        return _product(operator.mul, other, self)

    def __floordiv__(self, other: Any) -> "Dimension":
        return _product(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> "Dimension":
        return _product(operator.floordiv, other, self)

    def __mod__(self, other: Any) -> "Dimension":
        return _product(operator.mod, self, other)

    def __rmod__(self, other: Any) -> "Dimension":
        return _product(operator.mod, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _quotient(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _quotient(other, self)


def as_dimension(value: int | Dimension | None) -> Dimension:
    """Return `value` as a Dimension."""
    return value if isinstance(value, Dimension) else Dimension(value)


def size_of(value: Any) -> Any:
    """The int or None of a size."""
    if value is None:
        return None
    if type(value) is not int:
        if isinstance(value, Dimension):
            return value._value
        value = _whole(value)
    if value < 0:
        raise ValueError(f"Dimension {value} must be >= 0")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, DType):
        raise TypeError(f"Cannot convert {value} to Dimension")
    if hasattr(value, "__index__"):
        return int(operator.index(value))
    size = int(value)
    if not isinstance(value, (str, bytes)) and size != value:
        raise ValueError(f"Ambiguous dimension: {value}")
    return size


# Note [Dimension operands]: whatever is no number (a tensor, a list) is left to its
# own reflected method. Sums and comparisons pass a bad number's ValueError on; for
# products TensorFlow makes it Python's TypeError, so that `Dimension(3) * "ab"` works.
def _operands(x: Any, y: Any) -> "builtins.tuple | None":
    if not all(v is None or isinstance(v, (Dimension, *_NUMBERS)) for v in (x, y)):
        return None
    return size_of(x), size_of(y)


def _sum(apply: Any, x: Any, y: Any) -> Any:
    pair = _operands(x, y)
    return NotImplemented if pair is None else _apply(apply, *pair)


def _product(apply: Any, x: Any, y: Any) -> Any:
    try:
        return _sum(apply, x, y)
    except ValueError:
        return NotImplemented


def _apply(apply: Any, x: Any, y: Any) -> Any:
    return Dimension(None if x is None or y is None else apply(x, y))


def _quotient(x: Any, y: Any) -> Any:
    """Python's true division, also by fractions; unknown sizes give a Dimension."""
    x, y = (v._value if isinstance(v, Dimension) else v for v in (x, y))
    if x is None or y is None:
        return Dimension(None)
    if all(isinstance(v, (int, float, np.number)) for v in (x, y)):
        return x / y
    return NotImplemented


def _compare(apply: Any, x: Any, y: Any) -> Any:
    pair = _operands(x, y)
    if pair is None:
        return NotImplemented
    return None if None in pair else apply(*pair)


def _number(convert: Callable, value: int | None) -> int:
    """What `convert` gives; its error for an unknown size says what to do."""
    try:
        return convert(value)
    except TypeError as error:
        raise advised(TypeError, str(error)) from None


def _compare_equal(apply: Any, x: Any, y: Any) -> Any:
    try:
        return _compare(apply, x, y)
    except ValueError:
        return NotImplemented
