"""What a value looks like: a tensor, a sparse one, or a structure of them.

These are the structures that an Optional tells of, and those of TensorFlow's
data.util.structure. They flatten values to tensors, one a leaf: a SparseTensor is one
variant tensor, tf.serialize_sparse of it.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from twinflow.base import dtypes
from twinflow.base.convert import to_array
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.data import structure as nested
from twinflow.data.composite_leaves import DatasetLeaf, SparseLeaf
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.sparse.serialize import deserialize_sparse, serialize_sparse
from twinflow.ops.sparse.tensor import SparseTensor, SparseTensorValue


class ValueStructure:
    """What a value looks like; `ValueStructure.from_value` tells of any.

    Attributes:
        structure: the Structure of the components.
    """

    structure: nested.Structure
    further: ClassVar[list] = []  # pairs of (class of values, their structure)

    @staticmethod
    def from_value(value: Any) -> "ValueStructure":
        """The structure of a value.

        Raises:
            TypeError: there can be no tensor of it.
        """
        for kind, make in ValueStructure.further:
            if isinstance(value, kind):
                return make(value)
        if isinstance(value, SparseTensor | SparseTensorValue):
            return _sparse_structure(value)
        if nested.is_nested(value):
            return NestedStructure(_mapped(ValueStructure.from_value, value))
        if isinstance(value, Tensor | ResourceHandle):
            return TensorStructure(value.dtype, value.shape)
        try:
            tensor = convert_to_tensor(value)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Could not build a structure for {value!r}: {error}"
            ) from None
        return TensorStructure(tensor.dtype, tensor.shape)

    @staticmethod
    def _from_legacy_structure(output_types, output_shapes, output_classes):
        """The one of DTypes, TensorShapes and classes, each in the form of a value."""
        forms = output_types, output_shapes, output_classes
        parts = [nested.leaves(f) for f in forms]

        def leaf(dtype, shape, kind):
            if kind is SparseTensor:
                return SparseTensorStructure(dtype, shape)
            if kind is Tensor:
                return TensorStructure(dtype, shape)
            if isinstance(kind, ValueStructure):
                return kind
            raise TypeError(f"Could not build a structure for output class {kind!r}")

        found = nested.with_leaves(output_types, map(leaf, *parts))
        return NestedStructure(found) if nested.is_nested(found) else found

    @staticmethod
    def of(structure: nested.Structure) -> "ValueStructure":
        """The same as a Structure of components."""

        def leaf(part):
            kind, at = part
            if isinstance(kind, SparseLeaf):
                dtype = structure.types[at.start + 1]
                return SparseTensorStructure(dtype, kind.static_shape(None))
            shape = TensorShape(structure.shapes[at.start])
            if isinstance(kind, DatasetLeaf):
                return _DatasetStructure(kind)
            return TensorStructure(structure.types[at.start], shape)

        found = nested.with_leaves(structure.template, map(leaf, structure.leaves))
        return NestedStructure(found) if nested.is_nested(found) else found

    def is_compatible_with(self, other: "ValueStructure") -> bool:
        """Whether a value of the one may be one of the other."""
        return type(other) is type(self) and self._agrees(other)

    def _agrees(self, other):
        shape = self._dense_shape.is_compatible_with(other._dense_shape)
        return shape and self._dtype.is_compatible_with(other._dtype)


class TensorStructure(ValueStructure):
    """A tensor.

    Args:
        dtype: its DType. shape: its TensorShape, as far as it is known.
    """

    def __init__(self, dtype: Any, shape: Any) -> None:
        self._dtype, self._dense_shape = dtypes.as_dtype(dtype), TensorShape(shape)
        self._shape = self._dense_shape
        self._flat_types, self._flat_shapes = [self._dtype], [self._shape]
        flat = [self._dtype], [self._shape.tuple]
        self.structure = nested.Structure(None, *flat)

    def _to_tensor_list(self, value):
        found = None
        if not isinstance(value, SparseTensor) and not nested.is_nested(value):
            found = convert_to_tensor(value)
        if found is None or not self._takes(found):
            raise ValueError(
                f"Value {value!r} is not convertible to a tensor with dtype "
                f"{self._dtype} and shape {self._shape}."
            )
        return [found]

    def _from_tensor_list(self, value):
        if len(value) != 1:
            raise ValueError("TensorStructure corresponds to a single tf.Tensor.")
        if not self._takes(value[0]):
            raise ValueError(
                f"Cannot convert {value[0]!r} to a tensor with dtype {self._dtype} "
                f"and shape {self._shape}."
            )
        return value[0]

    def _takes(self, tensor):
        same = self._dtype.is_compatible_with(tensor.dtype)
        return same and self._shape.is_compatible_with(tensor.shape)

    def __repr__(self):
        return f"TensorStructure({self._dtype!r}, {self._shape!r})"


class SparseTensorStructure(ValueStructure):
    """A SparseTensor.

    Args:
        dtype: the DType of its values. dense_shape: its TensorShape.
    """

    def __init__(self, dtype: Any, dense_shape: Any) -> None:
        self._dtype, self._dense_shape = (
            dtypes.as_dtype(dtype),
            TensorShape(dense_shape),
        )
        self._flat_types, self._flat_shapes = [dtypes.variant], [TensorShape([3])]
        leaf = SparseLeaf(self._dense_shape.tuple)
        flat = leaf.components(self._dtype, leaf.shape)
        self.structure = nested.Structure(leaf, *flat)

    def _to_tensor_list(self, value):
        if not isinstance(value, SparseTensor | SparseTensorValue):
            raise TypeError("Input must be a SparseTensor.")
        return [serialize_sparse(SparseTensor.from_value(value), None, dtypes.variant)]

    def _from_tensor_list(self, value):
        one = value[0] if len(value) == 1 else None
        variant = one is not None and one.dtype is dtypes.variant
        if not variant or not one.shape.is_compatible_with([3]):
            raise ValueError(
                "SparseTensorStructure corresponds to a single tf.variant vector of "
                "length 3."
            )
        return deserialize_sparse(one, self._dtype, self._dense_shape.ndims)

    def __repr__(self):
        return f"SparseTensorStructure({self._dtype!r}, {self._dense_shape!r})"


class _DatasetStructure(TensorStructure):
    """A dataset, of a window."""

    def __init__(self, leaf: DatasetLeaf) -> None:
        super().__init__(dtypes.variant, ())
        self.structure = nested.Structure(leaf, [dtypes.variant], [()])


class NestedStructure(ValueStructure):
    """A tuple or dict of values.

    Args:
        nested_structure: the structures of the values, in its form.
    """

    def __init__(self, nested_structure: Any) -> None:
        self._nested_structure = nested_structure
        self._parts = nested.leaves(nested_structure)
        for part in self._parts:
            if not isinstance(part, ValueStructure):
                raise TypeError(
                    "nested_structure must be a (potentially nested) tuple or "
                    f"dictionary of Structure objects, got {part!r}"
                )
        self._flat_types = [t for p in self._parts for t in p._flat_types]
        self._flat_shapes = [s for p in self._parts for s in p._flat_shapes]
        parts = [p.structure for p in self._parts]
        self.structure = nested.Structure(
            nested.with_leaves(nested_structure, [p.template for p in parts]),
            [t for p in parts for t in p.types],
            [s for p in parts for s in p.shapes],
        )

    def _agrees(self, other):
        mine, yours = self._nested_structure, other._nested_structure
        if not (nested.same_form(mine, yours) and nested.same_form(yours, mine)):
            return False
        pairs = zip(self._parts, nested.flatten_up_to(mine, yours), strict=True)
        return all(a.is_compatible_with(b) for a, b in pairs)

    def _to_tensor_list(self, value):
        if isinstance(value, SparseTensorValue):
            value = SparseTensor.from_value(value)
        found = ValueStructure.from_value(value)
        if not self.is_compatible_with(found):
            raise ValueError(
                f"Value {value!r} not compatible with the nested structure "
                f"{self._nested_structure!r}."
            )
        pairs = zip(self._parts, nested.leaves(value), strict=True)
        return [t for part, v in pairs for t in part._to_tensor_list(v)]

    def _from_tensor_list(self, value):
        if len(value) != len(self._flat_types):
            raise ValueError(
                f"Expected {len(self._flat_types)} flat values in NestedStructure but "
                f"got {len(value)}."
            )
        rest, made = list(value), []
        for part in self._parts:
            size = len(part._flat_types)
            made.append(part._from_tensor_list(rest[:size]))
            rest = rest[size:]
        return nested.with_leaves(self._nested_structure, made)

    def __repr__(self):
        return f"NestedStructure({self._nested_structure!r})"


class OptionalStructure(ValueStructure):
    """An Optional.

    Args:
        value_structure: that of its value.
    """

    make: ClassVar[Callable[..., Any]]  # from a variant tensor, and the structure

    def __init__(self, value_structure: ValueStructure) -> None:
        self._value_structure = value_structure
        self._flat_types, self._flat_shapes = [dtypes.variant], [TensorShape([])]
        self.structure = nested.Structure(None, [dtypes.variant], [()])

    @staticmethod
    def from_value(value: Any) -> "OptionalStructure":
        """That of an Optional."""
        return OptionalStructure(value.value_structure)

    def _agrees(self, other):
        return self._value_structure.is_compatible_with(other._value_structure)

    def _to_tensor_list(self, value):
        return [value._variant]

    def _from_tensor_list(self, value):
        one = value[0] if len(value) == 1 else None
        scalar = isinstance(one, Tensor) and one.shape.is_compatible_with([])
        if not scalar or one.dtype is not dtypes.variant:
            raise ValueError(
                "OptionalStructure corresponds to a single tf.variant scalar."
            )
        return OptionalStructure.make(one, self._value_structure)

    def __repr__(self):
        return f"OptionalStructure({self._value_structure!r})"


def _sparse_structure(value):
    if isinstance(value, SparseTensor):
        return SparseTensorStructure(value.dtype, value.shape)
    shape = TensorShape(list(map(int, value.dense_shape)))
    return SparseTensorStructure(to_array(value.values)[1], shape)


def _mapped(function, value):
    """A structure of what a function gives for each leaf."""
    return nested.with_leaves(value, map(function, nested.leaves(value)))
