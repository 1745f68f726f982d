"""Sets of integers or strings: the last axis of a tensor, or the rows of a sparse one.

A tensor [..., n] holds a set for each place of its other axes, in which equal entries
count once; a SparseTensor likewise, where sets may be empty. Results are SparseTensors
whose sets are sorted. They run on the host.
"""

import collections
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import at_least, merge, text
from twinflow.ops.sparse.rows import fit
from twinflow.ops.sparse.tensor import (
    SparseTensor,
    convert_to_tensor_or_sparse_tensor,
)

_TYPES = (
    dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16,
    dtypes.string,
)  # fmt: skip
_OPERATIONS = {
    "a-b": lambda a, b: a - b,
    "b-a": lambda a, b: b - a,
    "intersection": lambda a, b: a & b,
    "union": lambda a, b: a | b,
}


# ------------------------------------------------------------------ shapes
def _groups(shape):
    """The axes of a tensor that are not those of its sets."""
    at_least(shape, 2, lambda s: f"Shape {text(s)} has rank {len(s)} < 2")
    return None if shape is None else shape[:-1]


def _result(rank):
    return [(None, rank), (None,), (rank,)]


def _infer_dense(set1, set2, **_):
    a, b = _groups(set1._shape), _groups(set2._shape)
    if None in (a, b):
        return _result(len(a or b) + 1 if a or b else None)
    mismatch = f"Mismatched shapes {text(a)} vs {text(b)}"
    if len(a) != len(b):
        raise InferError(
            mismatch, f"Shape must be rank {len(a) + 1} but is rank {len(b) + 1}"
        )
    return _result(len(merge(a, b, mismatch)) + 1)


def _infer_mixed(set1, set2_indices, set2_values, set2_shape, **_):
    fit(set2_indices, set2_values, set2_shape)
    groups, other = _groups(set1._shape), _rank(set2_shape)
    if groups is None:
        return _result(_of_sets(other, 1))
    known = len(groups) + 1
    if other not in (None, known):
        raise InferError(
            f"Mismatched ranks {known} and {other}",
            f"Dimension must be {known} but is {other}",
        )
    return _result(known)


def _infer_sparse(*parts, **_):
    fit(*parts[:3])
    fit(*parts[3:])
    known = _of_sets(_rank(parts[2]), 0)
    return _result(_rank(parts[5]) if known is None else known)


def _of_sets(rank, place):
    """A rank, once it is known that it may be that of sets."""
    if rank is not None and rank < 2:
        raise InferError(
            f"Rank {rank} < 2", f"Input {place}, expected rank >= 2, got {rank}."
        )
    return rank


def _rank(shape):
    """How many axes a sparse tensor with this shape, itself a tensor, has."""
    return shape._shape[0] if shape._shape else None


def _infer_size(set_indices, set_values, set_shape, validate_indices):
    fit(set_indices, set_values, set_shape)
    return None


# ------------------------------------------------------------------ sets
def _of_dense(x):
    """(sizes of the groups, {group: its set})"""
    if x.ndim < 2:
        raise invalid(f"Shape {text(x.shape)} has rank {x.ndim} < 2")
    groups = x.shape[:-1]
    rows = x.reshape(-1, x.shape[-1]) if x.size else x.reshape(0, 1)
    return groups, dict(zip(np.ndindex(groups), map(set, rows.tolist())))


def _of_sparse(indices, values, shape):
    if len(shape) < 2:
        raise invalid(f"Shape {text(shape)} has rank {len(shape)} < 2")
    sets, last = collections.defaultdict(set), None
    for i, (place, v) in enumerate(zip(indices.tolist(), values.tolist())):
        if any(not 0 <= p < d for p, d in zip(place, shape.tolist())):
            raise invalid(f"indices[{i}] = {text(place)} is out of bounds: need 0 "
                           f"<= index < {text(shape)}")  # fmt: skip
        if last is not None and place <= last:
            why = "repeated" if place == last else "out of order"
            raise invalid(f"indices[{i}] = {text(place)} is {why}")
        last = place
        sets[tuple(place[:-1])].add(v)
    return tuple(shape[:-1].tolist()), sets


def _combined(a, b, operation, dtype):
    """The parts of the SparseTensor of the results."""
    (groups, first), (others, second) = a, b
    if groups != others:
        raise invalid(f"Mismatched shapes {text(groups)} vs {text(others)}")
    combine, nothing = _OPERATIONS[operation], set()
    indices, values, longest = [], [], 0
    for g in sorted({*first, *second}):
        found = sorted(combine(first.get(g, nothing), second.get(g, nothing)))
        indices.extend((*g, i) for i in range(len(found)))
        values.extend(found)
        longest = max(longest, len(found))
    rank = len(groups) + 1
    return (
        np.array(indices, np.int64).reshape(-1, rank),
        np.array(values, dtype),
        np.array([*groups, longest], np.int64),
    )


def _size(set_indices, set_values, set_shape, validate_indices):
    groups, sets = _of_sparse(set_indices, set_values, set_shape)
    sizes = np.zeros(groups, np.int32)
    for g, found in sets.items():
        sizes[g] = len(found)
    return sizes


def _define(kind, infer, first):
    """The op on two sets, each read from so many of the inputs: 1 if dense, else 3."""

    def kernel(*parts, set_operation, validate_indices):
        sets = [
            _of_dense(*own) if len(own) == 1 else _of_sparse(*own)
            for own in (parts[:first], parts[first:])
        ]
        values = parts[0] if first == 1 else parts[1]
        return _combined(*sets, set_operation, values.dtype)

    return define(f"{kind}SetOperation", infer=infer, host=kernel)


DenseToDenseSetOperation = _define("DenseToDense", _infer_dense, 1)
DenseToSparseSetOperation = _define("DenseToSparse", _infer_mixed, 1)
SparseToSparseSetOperation = _define("SparseToSparse", _infer_sparse, 3)
SetSize = define("SetSize", infer=_infer_size, host=_size)


# ------------------------------------------------------------------ the functions
def _given(value, name):
    value = convert_to_tensor_or_sparse_tensor(value, name=name)
    if value.dtype.base_dtype not in _TYPES:
        raise TypeError(f"'{name}' invalid dtype {value.dtype}.")
    return value


def _operation(a, b, operation, turned, validate_indices):
    """Apply an operation; `turned` is that of b and a."""
    a, b = _given(a, "a"), _given(b, "b")
    if a.dtype.base_dtype != b.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        a, b, operation = b, a, turned
    attrs = {"set_operation": operation, "validate_indices": bool(validate_indices)}
    if not isinstance(b, SparseTensor):
        op, inputs = DenseToDenseSetOperation, (a, b)
    elif isinstance(a, SparseTensor):
        op, inputs = SparseToSparseSetOperation, (*_parts(a), *_parts(b))
    else:
        op, inputs = DenseToSparseSetOperation, (a, *_parts(b))
    return SparseTensor(*apply(op, inputs, attrs))


def _parts(sparse):
    return sparse.indices, sparse.values, sparse.dense_shape


def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """How many different entries each set has.

    Args:
        a: a SparseTensor [..., n] of integers or strings, its indices in order.
        validate_indices: accepted; indices are always checked.
    Returns:
        int32[...]
    Raises:
        TypeError: `a` is not sparse, or of another dtype.
        tf.errors.InvalidArgumentError: indices are out of order or out of bounds.
    Example:
        tf.sets.set_size(tf.SparseTensor([[0, 0], [0, 1]], [7, 7], [1, 2]))  # [1]
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.dtype.base_dtype not in _TYPES:
        raise TypeError(f"Invalid dtype {a.dtype}.")
    return apply(SetSize, _parts(a), {"validate_indices": bool(validate_indices)})


def set_intersection(
    a: TensorValue, b: TensorValue, validate_indices: bool = True
) -> SparseTensor:
    """What is in both sets.

    Args:
        a, b: tensors or SparseTensors [..., n], integers or strings of one dtype.
        validate_indices: accepted; indices are always checked.
    Returns:
        A SparseTensor [..., m], each set sorted.
    Raises:
        TypeError: the dtypes are others, or differ.
        ValueError (graph), tf.errors.InvalidArgumentError: shapes do not fit, or
            indices are out of order or out of bounds.
    Example:
        tf.sets.set_intersection([[1, 2, 3]], [[3, 1]]).values  # [1, 3]
    """
    return _operation(a, b, "intersection", "intersection", validate_indices)


def set_difference(
    a: TensorValue, b: TensorValue, aminusb: Any = True, validate_indices: Any = True
) -> Any:
    """What is in `a` and not in `b`; the other way round unless `aminusb`.

    Args, returns, raises: see set_intersection.
    """
    ways = ("a-b", "b-a") if aminusb else ("b-a", "a-b")
    return _operation(a, b, *ways, validate_indices)


def set_union(a: TensorValue, b: TensorValue, validate_indices: Any = True) -> Any:
    """What is in one of the sets; see set_intersection."""
    return _operation(a, b, "union", "union", validate_indices)
