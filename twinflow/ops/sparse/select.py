"""Sparse tensors made from others by choosing elements, and from numbers."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.unique import setdiff1d
from twinflow.ops.core import creation
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.elementwise import add, maximum, minimum
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.debugging.checks import assert_equal, assert_less_equal
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.order import sparse_reorder
from twinflow.ops.sparse.tensor import SparseTensor, is_sparse, sparse_input


def sparse_retain(sp_input: Any, to_retain: Any) -> Any:
    """The elements of a SparseTensor for which `to_retain` is true.

    Args:
        sp_input: a SparseTensor of n elements. to_retain: bool[n].
    Raises:
        ValueError: `to_retain` has another shape.
    """
    sp = sparse_input(sp_input)
    to_retain = convert_to_tensor(to_retain)
    kept = to_retain.shape.with_rank(1)
    sp.values.shape.with_rank(1)[0].merge_with(kept[0])
    places = reshape(where(to_retain), [-1])
    indices, values = gather(sp.indices, places), gather(sp.values, places)
    return SparseTensor(indices, values, identity(sp.dense_shape))


def sparse_mask(a: TensorValue, mask_indices: Any, name: str | None = None) -> Any:
    """IndexedSlices without the rows that `mask_indices` names.

    Args:
        a: IndexedSlices. mask_indices: the indices to leave out.
        name: the name scope.
    """
    with dispatch.current_mode().name_scope(name or "sparse_mask"):
        indices, places = setdiff1d(a.indices, mask_indices)
        return IndexedSlices(gather(a.values, places), indices, a.dense_shape)


# ------------------------------------------------------------------ shapes
def sparse_reset_shape(sp_input: Any, new_shape: Any = None) -> Any:
    """The same elements in another shape: the tightest, or a larger one.

    Args:
        sp_input: a SparseTensor. new_shape: int64[ndims], nowhere less than the old
            shape; None = the smallest that holds every element.
    Raises:
        ValueError, or InvalidArgumentError where it is only known at the run:
            `new_shape` is too small, or of another rank.
    """
    sp = sparse_input(sp_input)
    indices, values = identity(sp.indices), identity(sp.values)
    old = identity(sp.dense_shape)
    if new_shape is None:
        largest = reduce_max(indices, 0)
        zero = constant(np.int64(0))
        return SparseTensor(indices, values, maximum(add(largest, zero + 1), zero))
    new = _int64(new_shape)
    new.shape.assert_has_rank(1)
    sp.dense_shape.shape.with_rank(1)[0].assert_is_compatible_with(
        sp.indices.shape.with_rank(2)[1]
    )
    new.shape[0].assert_is_compatible_with(sp.dense_shape.shape[0])
    known = [_whole(old), _whole(new)]
    if None not in [None if k is None else 0 for k in known]:
        if np.any(known[0] > known[1]):
            raise ValueError(
                "Requested new_shape should have dimension sizes >= sp_input.shape.  "
                f"Found new_shape ({known[0]}), sp_input.shape ({known[1]})."
            )
        return SparseTensor(indices, values, new)
    mode = dispatch.current_mode()
    with mode.control_dependencies([assert_equal(shape(old), shape(new))]):
        new = identity(new)
    with mode.control_dependencies([assert_less_equal(old, new)]):
        new = identity(new)
    return SparseTensor(indices, values, new)


def _whole(t):
    """The value of an int64 vector where all of it is known."""
    found = t._known_value()
    if found is None or any(d is None for d in found):
        return None
    return np.asarray(found, np.int64)


def _int64(value):
    value = convert_to_tensor(value) if isinstance(value, Tensor) else value
    if isinstance(value, Tensor):
        return cast(value, dtypes.int64)
    return convert_to_tensor(value, dtypes.int64)


def sparse_eye(
    num_rows: Any, num_columns: Any = None, dtype: DTypeValue = dtypes.float32,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A sparse matrix with ones on its diagonal.

    Args:
        num_rows, num_columns: the shape; square if there is one number.
        dtype: of the ones. name: the name scope.
    """
    with dispatch.current_mode().name_scope(name or "eye"):
        rows = _int64(num_rows)
        columns = rows if num_columns is None else _int64(num_columns)
        n = minimum(rows, columns)
        diagonal = creation.range(n)
        indices = stack([diagonal, diagonal], axis=1)
        ones = creation.ones(reshape(n, [1]), dtypes.as_dtype(dtype))
        return SparseTensor(indices, ones, stack([rows, columns]))


# ------------------------------------------------------------------ ids
def _of_kind(size):
    return isinstance(size, Tensor | Integral)


def _ids_and_sizes(sp_ids, vocab_size):
    """Both as lists of one length, as far as they are of the right kind."""
    if is_sparse(sp_ids):
        if not _of_kind(vocab_size):
            raise TypeError(
                f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}"
            )
        return [sparse_input(sp_ids)], [vocab_size]
    if not isinstance(sp_ids, Iterable):
        raise TypeError(
            f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}"
        )
    sizes = vocab_size if isinstance(vocab_size, list | tuple) else [None]
    for found in sizes:
        if not _of_kind(found):
            kind = type(vocab_size if found is None else found)
            raise TypeError(
                f"vocab_size has to be a list of Tensors or Python ints. Found {kind}"
            )
    sp_ids = list(sp_ids)
    if len(sp_ids) != len(sizes):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    return [sparse_input(s) for s in sp_ids], list(sizes)


def sparse_merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None,
    already_sorted: bool = False,
) -> SparseTensor:  # fmt: skip
    """A SparseTensor whose last axes are ids: at [batch, id] stands the value.

    Args:
        sp_ids: a SparseTensor of ints[batch, n] (or a list of them), whose values
            replace the last column of the indices.
        sp_values: a SparseTensor with the same indices.
        vocab_size: the length of the new axis (or of each).
        name: the name scope. already_sorted: do not sort the result.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        ids = tf.SparseTensor([[0, 0], [1, 0]], [3, 1], [2, 1])
        values = tf.SparseTensor([[0, 0], [1, 0]], [5., 6.], [2, 1])
        tf.sparse_merge(ids, values, 4).indices  # [[0, 3], [1, 1]]
    """
    sp_ids, sizes = _ids_and_sizes(sp_ids, vocab_size)
    with dispatch.current_mode().name_scope(name or "SparseMerge"):
        sp_values = sparse_input(sp_values)
        columns = [expand_dims(cast(s.values, dtypes.int64), 1) for s in sp_ids]
        first = sp_ids[0]
        indices = concat([first.indices[:, :-1], *columns], 1)
        ends = stack([_int64(v) for v in sizes])
        dense_shape = concat([first.dense_shape[:-1], ends], 0)
        merged = SparseTensor(indices, identity(sp_values.values), dense_shape)
        return merged if already_sorted else sparse_reorder(merged)


def sparse_to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Any:
    """Which ids stand in each row: bool[..., vocab_size].

    Args:
        sp_input: a SparseTensor of ints, the ids, below `vocab_size`.
        vocab_size: the length of the last axis. name: the name scope.
    Raises:
        InvalidArgumentError: an id is out of range.
    """
    sp = sparse_input(sp_input)
    with dispatch.current_mode().name_scope(name or "SparseToIndicator") as scope:
        ones = creation.ones_like(sp.values, dtype=dtypes.bool)
        marked = SparseTensor(sp.indices, ones, sp.dense_shape)
        merged = sparse_merge(sp, marked, vocab_size)
        return sparse_tensor_to_dense(merged, False, False, scope)
