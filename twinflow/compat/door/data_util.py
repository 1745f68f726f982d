"""tensorflow.python.data.util: structures in which lists are values, sparse leaves."""

from collections.abc import Mapping

import numpy as np

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.data import structure as nested
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.sparse.serialize import (
    deserialize_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from twinflow.ops.sparse.tensor import SparseTensor, SparseTensorValue


# ---------------------------------------------------------------------- data.util.nest
def is_sequence(seq):
    """Whether it is structure: a tuple or mapping, but no SparseTensorValue."""
    return nested.is_nested(seq) and not isinstance(seq, SparseTensorValue)


def flatten(nest):
    """The leaves in order, mappings by sorted key."""
    if not is_sequence(nest):
        return [nest]
    return [leaf for v in _values(nest) for leaf in flatten(v)]


def _values(nest):
    if isinstance(nest, Mapping):
        return [nest[k] for k in sorted(nest)]
    return list(nest)


def flatten_up_to(shallow_tree, input_tree):
    """What `input_tree` holds where `shallow_tree` has leaves.

    Raises:
        TypeError, ValueError: they differ in form.
    """
    if not is_sequence(shallow_tree):
        return [input_tree]
    if not is_sequence(input_tree):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. Input "
            f"has type: {type(input_tree)}."
        )
    mine, yours = shallow_tree, input_tree
    if not isinstance(yours, type(mine)):
        raise advised(
            TypeError,
            "The two structures don't have the same sequence type. Input structure has "
            f"type {type(yours)}, while shallow structure has type {type(mine)}.",
        )
    if len(yours) != len(mine):
        raise advised(
            ValueError,
            "The two structures don't have the same sequence length. Input structure "
            f"has length {len(yours)}, while shallow structure has length {len(mine)}.",
        )
    if isinstance(mine, Mapping) and sorted(mine) != sorted(yours):
        raise advised(
            ValueError,
            "The two structures don't have the same keys. Input structure has keys "
            f"{sorted(yours)}, while shallow structure has keys {sorted(mine)}.",
        )
    pairs = zip(_values(mine), _values(yours), strict=True)
    return [leaf for s, v in pairs for leaf in flatten_up_to(s, v)]


# ---------------------------------------------------------------------- convert
def optional_param_to_tensor(
    argument_name, argument_value, argument_default=0, argument_dtype=dtypes.int64
):
    """An argument as a tensor, or its default where it is None."""
    value = argument_default if argument_value is None else argument_value
    if argument_value is None:
        return constant(value, dtype=argument_dtype, name=argument_name)
    return convert_to_tensor(value, dtype=argument_dtype, name=argument_name)


def partial_shape_to_tensor(shape_like):
    """A shape as int64[n], with -1 for what is unknown.

    Raises:
        ValueError, TypeError: a tensor that is no int64 vector.
    """
    try:
        shape = TensorShape(shape_like)
    except (TypeError, ValueError):
        found = convert_to_tensor(shape_like)
        return _checked_shape(shape_like, found)
    sizes = [-1 if n is None else n for n in shape.tuple]
    return constant(np.array(sizes, np.int64), dtype=dtypes.int64)


def _checked_shape(given, found):
    if found.shape.ndims not in (None, 1):
        raise ValueError(
            f"The given shape {given} must be a 1-D tensor of tf.int64 values, but the "
            f"shape was {found.shape}."
        )
    if found.dtype is not dtypes.int64:
        raise TypeError(
            f"The given shape {given} must be a 1-D tensor of tf.int64 values, but the "
            f"element type was {found.dtype.name}."
        )
    return found


# ---------------------------------------------------------------------- sparse
def any_sparse(classes):
    """Whether SparseTensor is among the classes of a structure."""
    return any(c is SparseTensor for c in flatten(classes))


def get_classes(tensors):
    """The class of each leaf: Tensor or SparseTensor."""
    return _built(
        tensors,
        [SparseTensor if _is_sparse(t) else Tensor for t in flatten(tensors)],
    )


def as_dense_shapes(shapes, classes):
    """The shapes of what `serialize_sparse_tensors` gives."""
    pairs = zip(flatten(shapes), flatten(classes), strict=True)
    return _built(
        shapes, [TensorShape(None) if c is SparseTensor else s for s, c in pairs]
    )


def as_dense_types(types, classes):
    """The DTypes of what `serialize_sparse_tensors` gives."""
    pairs = zip(flatten(types), flatten(classes), strict=True)
    return _built(types, [dtypes.variant if c is SparseTensor else t for t, c in pairs])


def serialize_sparse_tensors(tensors):
    """The same with a variant tensor in the place of each SparseTensor."""
    return _serialized(tensors, serialize_sparse)


def serialize_many_sparse_tensors(tensors):
    """The same with a variant tensor of rows in the place of each SparseTensor."""
    return _serialized(tensors, serialize_many_sparse)


def _serialized(tensors, function):
    return _built(
        tensors,
        [
            function(t, out_type=dtypes.variant) if _is_sparse(t) else t
            for t in flatten(tensors)
        ],
    )


def deserialize_sparse_tensors(tensors, types, shapes, classes):
    """What was given to `serialize_sparse_tensors`."""
    parts = map(flatten, (tensors, types, shapes, classes))
    return _built(
        tensors,
        [
            deserialize_sparse(t, dtype, TensorShape(shape).ndims)
            if c is SparseTensor
            else t
            for t, dtype, shape, c in zip(*parts, strict=True)
        ],
    )


def _is_sparse(value):
    return isinstance(value, SparseTensor | SparseTensorValue)


def _built(form, flat):
    return nested.with_leaves(form, flat) if is_sequence(form) else flat[0]
