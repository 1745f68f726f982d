"""Rows of tables, looked up by sparse ids and combined per row of ids."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.compare import greater, greater_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import multiply, sqrt, square
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat
from twinflow.ops.core.partitioned import parts_of
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.core.slicing import slice
from twinflow.ops.math.segment import segment_sum
from twinflow.ops.math.segment_sparse import (
    sparse_segment_mean,
    sparse_segment_sqrt_n,
    sparse_segment_sum,
)
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.sparse.fill import sparse_fill_empty_rows
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.select import sparse_retain
from twinflow.ops.sparse.tensor import SparseTensor

_PLAIN = {
    "sum": sparse_segment_sum,
    "mean": sparse_segment_mean,
    "sqrtn": sparse_segment_sqrt_n,
}


def embedding_lookup_sparse(
    params: TensorValue, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod",
    name: str | None = None, combiner: str | None = None, max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """For each row of ids the weighted sum (or mean) of the rows of `params` it names.

    Args:
        params: a tensor or variable float[rows, ...], or a list of its parts.
        sp_ids: a SparseTensor int[batch, n] of ids, its rows in order.
        sp_weights: a SparseTensor of floats at the same places, or None = all 1.
        partition_strategy: see tf.nn.embedding_lookup. name: the name scope.
        combiner: "sum"; "mean": divided by the sum of the weights (the default);
            "sqrtn": by the root of the sum of their squares.
        max_norm: clip each row of `params` to this L2 norm first.
    Returns:
        float[last row of ids + 1, ...]
    Raises:
        TypeError, ValueError: an argument is of another kind, or shapes differ.
        InvalidArgumentError: an id is out of range.
    """
    combiner = combiner or "mean"
    if combiner not in _PLAIN:
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = parts_of(params)
    params = list(params) if isinstance(params, list | tuple) else [params]
    if not params:
        raise ValueError("Need at least one param")
    _check_ids(sp_ids, sp_weights)
    with dispatch.current_mode().name_scope(name or "embedding_lookup_sparse") as scope:
        rows = cast(sp_ids.indices[:, 0], dtypes.int32)
        ids, places = unique(sp_ids.values)
        params = [_table(p, None) for p in params]
        found = embedding_lookup(params, ids, partition_strategy, max_norm=max_norm)
        if found.dtype in (dtypes.float16, dtypes.bfloat16):  # sums would lose much
            found = cast(found, dtypes.float32)
        if sp_weights is None:
            return _PLAIN[combiner](found, places, rows, scope or name)
        weights = cast(sp_weights.values, found.dtype)
        return _weighted(gather(found, places), weights, rows, combiner)


def _check_ids(sp_ids, sp_weights):
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is None:
        return
    if not isinstance(sp_weights, SparseTensor):
        raise TypeError("sp_weights must be either None or SparseTensor")
    for a, b in zip(
        (sp_ids.values, sp_ids.indices, sp_ids.dense_shape),
        (sp_weights.values, sp_weights.indices, sp_weights.dense_shape),
        strict=True,
    ):
        a.shape.assert_is_compatible_with(b.shape)


def _weighted(found, weights, rows, combiner):
    dispatch.current_mode().leave_ids(10 if combiner == "sqrtn" else 9)
    wide = _with_axes_of(weights, found)
    total = segment_sum(multiply(found, wide), rows)
    if combiner == "sum":
        return total
    if combiner == "mean":
        return div(total, segment_sum(wide, rows))
    return div(total, sqrt(segment_sum(square(wide), rows)))


def _with_axes_of(weights, found):
    """The weights with axes of size 1, one for each further axis of `found`."""
    if found._shape is None:
        n = size(shape(found)) - 1
        ones = slice(zeros_like(shape(found)) + 1, [0], reshape(n, [1]))
        return reshape(weights, concat([shape(weights), ones], 0))
    for _ in found._shape[1:]:
        weights = expand_dims(weights, -1)
    return weights


def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None,
    combiner: str = "mean", default_id: Any = None, name: str | None = None,
    partition_strategy: str = "div", max_norm: Any = None,
) -> Any:  # fmt: skip
    """As `embedding_lookup_sparse`, for ids that may be missing or invalid.

    Negative ids are left out, and so are ids of weights that are not positive, except
    with combiner "sum". A row of ids without any gives zeros, or the row `default_id`.

    Args:
        embedding_weights: a tensor or variable float[rows, ...], or a list of parts.
        sparse_ids: a SparseTensor int[..., n]; only the last axis is combined.
        sparse_weights: a SparseTensor of floats at the same places, or None.
        combiner, partition_strategy, max_norm: see `embedding_lookup_sparse`.
        default_id: what stands in an empty row. name: the name scope.
    Returns:
        float[shape of sparse_ids without the last axis, ...]
    Raises:
        ValueError: there are no embedding weights.
    """
    embedding_weights = parts_of(embedding_weights)
    if embedding_weights is None or (
        isinstance(embedding_weights, list | tuple) and not embedding_weights
    ):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    parts = embedding_weights
    parts = list(parts) if isinstance(parts, list | tuple) else [parts]
    dtype = None if sparse_weights is None else sparse_weights.dtype
    with dispatch.current_mode().name_scope(name or "embedding_lookup"):
        parts = [_table(w, dtype) for w in parts]
        whole = sparse_ids.dense_shape
        ids, weights = _flattened(sparse_ids, sparse_weights)
        ids, weights = _pruned(ids, weights, combiner)
        ids, empty = sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = sparse_fill_empty_rows(weights, 1.0)
        found = embedding_lookup_sparse(
            parts, ids, weights, partition_strategy, None, combiner, max_norm
        )
        _leave_ids(parts, weights, default_id)
        if default_id is None:
            found = where(empty, zeros_like(found), found)
        return _unflattened(found, whole)


def _leave_ids(parts, weights, default_id):
    """See Note [Ids]."""
    tiled = 10 if default_id is None else 0
    rest = -1 if hasattr(parts[0], "sparse_read") else 0
    dispatch.current_mode().leave_ids(tiled + rest + 4 * (weights is not None))


def _table(part, dtype):
    """A part as a tensor; a variable stays one, so that only rows are read."""
    right = dtype is None or getattr(part, "dtype", None) is dtype
    if isinstance(part, ResourceHandle) and right:
        return part
    return convert_to_tensor(part, dtype)


def _last(sp):
    """The number of axes before the last: an int, or a tensor."""
    n = sp.dense_shape._shape
    return size(sp.dense_shape) - 1 if not n or n[0] is None else n[0] - 1


def _flattened(ids, weights):
    """The ids as a matrix, and the weights beside them."""
    n, whole = _last(ids), ids.dense_shape
    rows = reduce_prod(slice(whole, [0], [n]))
    ids = sparse_reshape(ids, [rows, gather(whole, n)])
    if weights is not None:
        weights = SparseTensor(ids.indices, weights.values, ids.dense_shape)
    return ids, weights


def _pruned(ids, weights, combiner):
    ids, weights = _retained(ids, weights, greater_equal(ids.values, 0))
    if weights is not None and combiner != "sum":
        ids, weights = _retained(ids, weights, greater(weights.values, 0))
    return ids, weights


def _retained(ids, weights, kept):
    weights = None if weights is None else sparse_retain(weights, kept)
    return sparse_retain(ids, kept), weights


def _unflattened(found, whole):
    """The axes of the ids but the last in place of the first axis."""
    n = whole._shape[0] if whole._shape else None
    count = size(whole) - 1 if n is None else n - 1
    heads = slice(cast(whole, dtypes.int32), [0], [count])
    out = reshape(found, concat([heads, slice(shape(found), [1], [-1])], 0))
    rest = None if found._shape is None else found._shape[1:]
    if out.symbolic and n is not None and rest is not None:
        out.set_shape(TensorShape([None] * (n - 1)).concatenate(rest))
    return out
