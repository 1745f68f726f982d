"""What is known of a tensor before it is there."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape

if TYPE_CHECKING:
    from twinflow.base.tensor import Tensor


class TensorSpec:
    """A shape, a dtype and a name.

    Args:
        shape: anything that makes a TensorShape, with None for what is open.
        dtype: the DType. name: or None.
    Example:
        rows = tf.TensorSpec([None, 2], tf.float32)
        double = tfe.defun(lambda x: x * 2., input_signature=[rows])
        double(tf.ones([1, 2]))  # [[2., 2.]]
    """

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(
        self, shape: Any, dtype: dtypes.DType, name: str | None = None
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: "TensorSpec", name: str | None = None) -> "TensorSpec":
        """The same, with another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: "Tensor", name: str | None = None) -> "TensorSpec":
        """What is known of a tensor.

        Raises:
            ValueError: it is not a tensor.
        """
        if not hasattr(tensor, "_shape_value") and not hasattr(tensor, "_as_tensor"):
            raise ValueError(f"`tensor` should be a tf.Tensor, got {tensor!r}")
        known = name or getattr(getattr(tensor, "op", None), "name", None)
        return cls(tensor.shape, tensor.dtype, known)

    @property
    def shape(self) -> TensorShape:
        """The TensorShape."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The DType."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name, or None."""
        return self._name

    @property
    def is_discrete(self) -> bool:
        """Whether its values are integers."""
        return self._dtype.is_integer

    @property
    def is_continuous(self) -> bool:
        """Whether its values are floats."""
        return self._dtype.is_floating

    def is_bounded(self) -> bool:
        """Whether it says the smallest and the largest values."""
        return isinstance(self, BoundedTensorSpec)

    def is_compatible_with(self, spec_or_tensor: "Tensor") -> bool:
        """Whether a tensor or spec has this dtype, and a shape that fits."""
        fits = self._shape.is_compatible_with(spec_or_tensor.shape)
        return self._dtype.is_compatible_with(spec_or_tensor.dtype) and fits

    def __repr__(self) -> str:
        return (
            f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
        )

    def __eq__(self, other: Any) -> bool:
        same = isinstance(other, TensorSpec) and self._shape.tuple == other._shape.tuple
        return same and self._dtype == other._dtype

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self._shape.tuple, self._dtype))

    def __reduce__(self) -> tuple:
        return TensorSpec, (self._shape, self._dtype, self._name)


class BoundedTensorSpec(TensorSpec):
    """A TensorSpec with the smallest and the largest values.

    Args:
        shape, dtype, name: see TensorSpec.
        minimum, maximum: numbers or arrays that broadcast to the shape.
    Raises:
        ValueError: a bound is missing, or does not fit the shape.
    """

    __slots__ = ("_maximum", "_minimum")

    def __init__(
        self, shape: Any, dtype: Any, minimum: Any, maximum: Any,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(shape, dtype, name)
        self._minimum = self._bound(minimum, "minimum")
        self._maximum = self._bound(maximum, "maximum")

    def _bound(self, value: Any, word: Any) -> Any:
        if value is None:
            raise ValueError("minimum and maximum must be provided; not 'None'")
        found = np.array(value, self._dtype.np)
        pairs = zip(reversed(found.shape), reversed(self._shape.tuple or ()))
        if any(a != b and 1 not in (a, b) and b is not None for a, b in pairs):
            raise ValueError(
                f"{word} is not compatible with shape. Message: {found.shape} and "
                f"{self._shape} do not broadcast."
            )
        found.flags.writeable = False
        return found

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> Any:
        """The same of a TensorSpec: bounds are those given, or those of the dtype."""
        low = getattr(spec, "minimum", spec.dtype.min)
        high = getattr(spec, "maximum", spec.dtype.max)
        return cls(spec.shape, spec.dtype, low, high, name or spec.name)

    minimum = property(lambda self: self._minimum, doc="The smallest values.")
    maximum = property(lambda self: self._maximum, doc="The largest values.")

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, "
            f"name={self.name!r}, minimum={self.minimum!r}, maximum={self.maximum!r})"
        )

    def __eq__(self, other: object) -> Any:
        return (
            super().__eq__(other)
            and isinstance(other, BoundedTensorSpec)
            and np.allclose(self.minimum, other.minimum)
            and np.allclose(self.maximum, other.maximum)
        )

    __hash__ = TensorSpec.__hash__

    def __reduce__(self) -> tuple:
        parts = self._shape, self._dtype, self._minimum, self._maximum, self._name
        return BoundedTensorSpec, parts
