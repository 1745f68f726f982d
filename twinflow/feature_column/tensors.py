"""The tensors of features: of the right rank, sparse, and how long their rows are."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.compare import equal, not_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.division import truediv
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import expand_dims, rank
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.debugging.checks import assert_positive
from twinflow.ops.math.segment import segment_max
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.tensor import (
    SparseTensor,
    convert_to_tensor_or_sparse_tensor,
    is_sparse,
)


def raw_tensor(value: Any, key: Any) -> Any:
    """A feature as a tensor or SparseTensor of at least two axes.

    Raises:
        ValueError: it is a scalar.
    """
    t = convert_to_tensor_or_sparse_tensor(value)
    known = t.get_shape().ndims
    if known is not None:
        if known == 0:
            raise ValueError(f"Feature (key: {key}) cannot have rank 0. Give: {t}")
        return t if known != 1 else _wider(t)
    message = f"Feature (key: {key}) cannot have rank 0. Given: {t}"
    axes = rank_of(t)
    with control_dependencies([assert_positive(axes, message=message)]):
        if not isinstance(t, SparseTensor):
            return cond(equal(1, axes), lambda: _wider(t), lambda: t)
        size = cond(
            equal(1, axes), lambda: concat([t.dense_shape, [1]], 0),
            lambda: t.dense_shape,
        )  # fmt: skip
        return sparse_reshape(t, size)


def rank_of(t: Any) -> Any:
    """The number of axes of a tensor or SparseTensor, as a tensor."""
    return shape_of(t.dense_shape)[0] if isinstance(t, SparseTensor) else rank(t)


def _wider(t):
    if isinstance(t, SparseTensor):
        return sparse_reshape(t, [shape_of(t)[0], 1])
    return expand_dims(t, -1)


def to_sparse(input_tensor: Any, ignore_value: Any = None) -> Any:
    """A tensor as a SparseTensor without the values that stand for nothing.

    Args:
        input_tensor: a tensor, or a SparseTensor, which stays what it is.
        ignore_value: what stands for nothing: "" or -1 by default.
    """
    t = convert_to_tensor_or_sparse_tensor(input_tensor)
    if is_sparse(t):
        return t
    scope = dispatch.current_mode().name_scope
    with scope("to_sparse_input"):
        if ignore_value is None:
            ignore_value = "" if t.dtype == dtypes.string else -1
        left_out = convert_to_tensor(ignore_value, t.dtype, "ignore_value")
        indices = where(not_equal(t, left_out), name="indices")
        return SparseTensor(
            indices, gather_nd(t, indices, name="values"),
            shape_of(t, out_type=dtypes.int64, name="dense_shape"),
        )  # fmt: skip


def sequence_length(sp_tensor: Any, num_elements: int = 1) -> Any:
    """How many places of each row are taken: int64[batch].

    Args:
        sp_tensor: a SparseTensor [batch, ...].
        num_elements: how many places a step has.
    """
    with dispatch.current_mode().name_scope("sequence_length") as scope:
        rows, places = sp_tensor.indices[:, 0], sp_tensor.indices[:, 1]
        ends = segment_max(places + ones_like(places), rows)
        lengths = cast(truediv(ends, num_elements), dtypes.int64)
        left = shape_of(sp_tensor)[:1] - shape_of(lengths)[:1]
        padding = zeros(cast(left, dtypes.int32), lengths.dtype)
        return concat([lengths, padding], 0, scope or None)


def ids_of_buckets(buckets: Any, size: int, count: int) -> SparseTensor:
    """The bucket of each number of a row as an id of its own.

    Args:
        buckets: int[batch, size]. count: how many buckets each number has.
    """
    dispatch.current_mode().leave_ids(24)
    shift = convert_to_tensor([i * count for i in range(size)], buckets.dtype)
    everywhere = where(ones_like(buckets, dtypes.bool))
    values = gather_nd(buckets + shift, everywhere)
    rows = shape_of(buckets, out_type=dtypes.int64)[0]
    return SparseTensor(
        everywhere, values, stack([rows, convert_to_tensor(size, dtypes.int64)])
    )
