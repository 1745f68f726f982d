"""What is known of a tensor before it is there."""

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape


class TensorSpec:
    """A shape, a dtype and a name.

    Args:
        shape: anything that makes a TensorShape, with None for what is open.
        dtype: the DType. name: or None.
    Example:
        tfe.defun(f, input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    """

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape, dtype, name=None):
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec, name=None):
        """The same, with another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        """What is known of a tensor.

        Raises:
            ValueError: it is not a tensor.
        """
        if not hasattr(tensor, "_shape_value") and not hasattr(tensor, "_as_tensor"):
            raise ValueError(f"`tensor` should be a tf.Tensor, got {tensor!r}")
        known = name or getattr(getattr(tensor, "op", None), "name", None)
        return cls(tensor.shape, tensor.dtype, known)

    @property
    def shape(self):
        """The TensorShape."""
        return self._shape

    @property
    def dtype(self):
        """The DType."""
        return self._dtype

    @property
    def name(self):
        """The name, or None."""
        return self._name

    def is_compatible_with(self, spec_or_tensor):
        """Whether a tensor or spec has this dtype, and a shape that fits."""
        fits = self._shape.is_compatible_with(spec_or_tensor.shape)
        return self._dtype.is_compatible_with(spec_or_tensor.dtype) and fits

    def __repr__(self):
        return (
            f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
        )

    def __eq__(self, other):
        same = isinstance(other, TensorSpec) and self._shape.tuple == other._shape.tuple
        return same and self._dtype == other._dtype

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self._shape.tuple, self._dtype))

    def __reduce__(self):
        return TensorSpec, (self._shape, self._dtype, self._name)
