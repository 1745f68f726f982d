"""Sparse tensors as strings, each a row of three: indices, values, shape."""

import itertools
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.shapes import TensorShape
from twinflow.formats.protos import TensorProto
from twinflow.formats.tensor_proto import from_proto, joined_strings, to_proto
from twinflow.ops.core.infer import dim_is, ranked, text
from twinflow.ops.sparse.rows import first_invalid
from twinflow.ops.sparse.tensor import SparseTensor, sparse_input


# ------------------------------------------------------------------ to strings
def encode(array, dtype):
    """An array as a serialized TensorProto, its values as they lie in memory."""
    proto = to_proto(array, dtype, by_content=True)
    if dtype is dtypes.string:
        proto.string_val.clear()
        proto.tensor_content = joined_strings(array.ravel().tolist())
    return proto.SerializeToString()


def _item(array, out_type):
    dtype = dtypes.from_numpy(array.dtype)
    return (array, dtype) if out_type is dtypes.variant else encode(array, dtype)


def _row(parts, out_type):
    out = np.empty(3, object)
    for i, part in enumerate(parts):
        out[i] = _item(part, out_type)
    return out


def _serialized(sparse_indices, sparse_values, sparse_shape, out_type):
    return _row((sparse_indices, sparse_values, sparse_shape), out_type)


def _infer_one(sparse_indices, sparse_values, sparse_shape, out_type):
    ranked(sparse_indices._shape, 2, "Input should be a matrix but received shape {}")
    for t in (sparse_values, sparse_shape):
        ranked(t._shape, 1, "Input should be a vector but received shape {}")
    return (3,)


SerializeSparse = define(
    "SerializeSparse",
    infer=_infer_one,
    host=_serialized,
    types={"out_type": frozenset((dtypes.string, dtypes.variant))},
)


def rows_of(sparse_indices, sparse_values, sparse_shape):
    """(indices, values, shape) of each row of the first axis."""
    n = int(sparse_shape[0])
    bounds = np.searchsorted(sparse_indices[:, 0], np.arange(n + 1))
    for low, high in itertools.pairwise(bounds.tolist()):
        rows = np.ascontiguousarray(sparse_indices[low:high, 1:])
        yield rows, sparse_values[low:high], sparse_shape[1:]


def _serialized_rows(sparse_indices, sparse_values, sparse_shape, out_type):
    parts = rows_of(sparse_indices, sparse_values, sparse_shape)
    out = [_row(p, out_type) for p in parts]
    return np.stack(out) if out else np.empty((0, 3), object)


def check_rows(sparse_indices, sparse_values, sparse_shape, **_):
    """What is wrong with a sparse tensor that is cut into rows, or None."""
    if len(sparse_shape) < 2:
        return (
            "Rank of input SparseTensor should be > 1, but saw rank: "
            f"{len(sparse_shape)}"
        )
    return first_invalid(sparse_indices, tuple(sparse_shape.tolist()))


SerializeManySparse = define(
    "SerializeManySparse",
    infer=lambda indices, values, shape, out_type: (
        None,
        *_infer_one(indices, values, shape, out_type),
    ),
    host=_serialized_rows,
    types={"out_type": frozenset((dtypes.string, dtypes.variant))},
    check=check_rows,
)


def serialize_sparse(
    sp_input: Any, name: str | None = None, out_type: DTypeValue = dtypes.string
) -> Any:
    """A SparseTensor as a vector of three serialized tensors.

    Args:
        sp_input: a SparseTensor. name: the name of the node in a graph.
        out_type: tf.string or tf.variant.
    Returns:
        out_type[3]: indices, values, shape.
    """
    sp = sparse_input(sp_input)
    return apply(SerializeSparse, sp._components(), {"out_type": out_type}, name)


def serialize_many_sparse(
    sp_input: Any, name: str | None = None, out_type: DTypeValue = dtypes.string
) -> Any:
    """The rows of a SparseTensor's first axis, each as three serialized tensors.

    Args:
        sp_input: a SparseTensor of at least two axes, its rows in order.
        name: the name of the node in a graph. out_type: tf.string or tf.variant.
    Returns:
        out_type[rows, 3]
    Raises:
        InvalidArgumentError: an index is out of order, or there is only one axis.
    """
    sp = sparse_input(sp_input)
    return apply(SerializeManySparse, sp._components(), {"out_type": out_type}, name)


# ------------------------------------------------------------------ and back
def _parsed(item):
    """(array, DType) of one of three; ValueError if it is no tensor."""
    if isinstance(item, tuple):
        return item
    proto = TensorProto()
    try:
        proto.ParseFromString(item)
        return from_proto(proto), dtypes.as_dtype(proto.dtype)
    except (DecodeError, TypeError) as error:
        raise ValueError(f"Not a serialized tensor: {error}") from None


def _checked(serialized_sparse, dtype):
    """(the rows of three arrays, None), or (None, what is wrong)."""
    s = serialized_sparse.shape
    if not s:
        return None, "Serialized sparse should have non-zero rank but received []"
    if s[-1] != 3:
        return None, f"Serialized sparse should have 3 as the last dimension {text(s)}"
    parts, rank = [], None
    for i, row in enumerate(serialized_sparse.reshape(-1, 3)):
        try:
            (rows, _), (values, found), (shape, _) = map(_parsed, row)
        except ValueError:
            return None, "Could not parse serialized proto"
        if found is not dtype:
            return None, (
                f"Requested SparseTensor of type {dtypes.cpp_name(dtype)} but "
                f"SparseTensor[{i}].values.dtype() == {dtypes.cpp_name(found)}"
            )
        if rank not in (None, shape.size):
            return None, (
                "Inconsistent shape across SparseTensors: rank prior to "
                f"SparseTensor[{i}] was: {rank} but rank of SparseTensor[{i}] is: "
                f"{shape.size}"
            )
        if rows.shape != (values.size, shape.size):
            return None, (
                f"Expected SparseTensor[{i}].indices of shape "
                f"[{values.size},{shape.size}], got {text(rows.shape)}"
            )
        rank = shape.size
        parts.append((rows, values, shape))
    return parts, None


def stacked(parts, leading, dtype):
    """Sparse tensors as one with axes before theirs, of sizes `leading`."""
    depth = len(parts[0][2]) if parts else 0
    heads = np.indices(leading).reshape(len(leading), -1).T
    rows = [
        np.concatenate([np.broadcast_to(h, (len(r), len(h))), r], axis=1)
        for h, (r, _, _) in zip(heads, parts, strict=True)
    ]
    wide = np.array(leading, np.int64)
    largest = np.max([s for _, _, s in parts], axis=0) if parts else wide[:0]
    empty = np.zeros((0, len(leading) + depth), np.int64)
    values = [v for _, v, _ in parts]
    return [
        np.concatenate([empty, *rows]).astype(np.int64),
        np.concatenate([np.zeros(0, dtype.np), *values]).astype(dtype.np),
        np.concatenate([wide, largest.astype(np.int64)]),
    ]


def _deserialized(serialized_sparse, dtype):
    parts, _ = _checked(serialized_sparse, dtype)
    if serialized_sparse.ndim == 1:
        return list(parts[0])
    return stacked(parts, serialized_sparse.shape[:-1], dtype)


def _infer_many(serialized_sparse, dtype):
    ranked(serialized_sparse._shape, 2, "Could not parse serialized proto")
    return _infer_any(serialized_sparse, dtype)


def _infer_any(serialized_sparse, dtype):
    s = serialized_sparse._shape
    if s:
        message = "Serialized sparse should have 3 as the last dimension {}"
        dim_is(s[-1], 3, message, s)
    return [(None, None), (None,), (None,)]


def _define_reader(kind, infer, types=None):
    return define(
        kind,
        infer=infer,
        host=_deserialized,
        types=types,
        check=lambda serialized_sparse, dtype: _checked(serialized_sparse, dtype)[1],
    )


DeserializeManySparse = _define_reader("DeserializeManySparse", _infer_many)
DeserializeSparse = _define_reader(
    "DeserializeSparse",
    _infer_any,
    {"Tserialized": (dtypes.string, dtypes.variant)},
)


def deserialize_sparse(serialized_sparse, dtype, rank=None, name=None):
    """What serialize_sparse or serialize_many_sparse made, in a tensor of any rank.

    Args: see `deserialize_many_sparse`; `serialized_sparse` may be of tf.variant.
    Returns:
        A SparseTensor with as many more axes as `serialized_sparse` has but one.
    """
    attrs = {"dtype": dtypes.as_dtype(dtype)}
    out = apply(DeserializeSparse, (serialized_sparse,), attrs, name)
    if rank is not None:
        _with_shape(out[0], [None, rank])
        _with_shape(out[2], [rank])
    return SparseTensor(*out)


def deserialize_many_sparse(
    serialized_sparse: Any, dtype: DTypeValue, rank: Any = None, name: str | None = None
) -> Any:
    """What tf.serialize_many_sparse made, or several of tf.serialize_sparse stacked.

    Args:
        serialized_sparse: string[n, 3]. dtype: that of the values.
        rank: the number of axes of the result, where it is known.
        name: the name of the node in a graph.
    Returns:
        A SparseTensor with one more axis; its shape has the greatest of the sizes.
    Raises:
        InvalidArgumentError: a string is none of these, or of another dtype.
    """
    dtype = dtypes.as_dtype(dtype)
    out = apply(DeserializeManySparse, (serialized_sparse,), {"dtype": dtype}, name)
    if rank is not None:
        _with_shape(out[0], [None, rank])
        _with_shape(out[2], [rank])
    return SparseTensor(*out)


def _with_shape(t, shape):
    if t.symbolic:
        t.set_shape(shape)
    elif not TensorShape(shape).is_compatible_with(t.shape):
        raise ValueError(
            f"Tensor's shape {t.shape} is not compatible with supplied shape {shape}"
        )
