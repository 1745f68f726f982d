"""Sparse tensors of contrib.layers: from dense ones and indicators, and their rows."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.ops.core.compare import not_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_max, reduce_sum
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.math.segment_unsorted import unsorted_segment_max
from twinflow.ops.sparse.tensor import SparseTensor


def _ignore_value_tensor(dtype: Any, ignore_value: Any = None) -> Any:
    """What stands for nothing: "", False or 0 by default."""
    if ignore_value is None:
        ignore_value = "" if dtype == dtypes.string else dtype.as_numpy_dtype()
    return convert_to_tensor(ignore_value, dtype, "ignore_value")


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """A tensor as a SparseTensor without the values that stand for nothing.

    Args:
        dense_tensor: a tensor. ignore_value: "", False or 0 by default.
    """
    with dispatch.current_mode().name_scope("DenseToSparseTensor"):
        t = convert_to_tensor(dense_tensor)
        ignored = _ignore_value_tensor(t.dtype, ignore_value)
        places = where(not_equal(t, ignored), name="indices")
        values = gather_nd(t, places, name="values")
        return SparseTensor(places, values, shape_of(t, out_type=dtypes.int64))


def indicators_to_sparse_ids(
    indicators: Any, ignore_value: Any = None, dtype: Any = dtypes.int64
) -> SparseTensor:
    """The places of the last axis that are taken, beside each other.

    Args:
        indicators: a tensor [..., n]. ignore_value: what stands for nothing.
        dtype: of the result.
    Returns:
        A SparseTensor of ints [..., most places of a row].
    """
    with dispatch.current_mode().name_scope("indicators_to_sparse_ids"):
        t = convert_to_tensor(indicators, name="indicators")
        taken = not_equal(t, _ignore_value_tensor(t.dtype, ignore_value))
        counts = cast(taken, dtypes.int64)
        places = where(taken)
        ranks = gather_nd(cumsum(counts, -1, exclusive=True), places)
        indices = concat([places[:, :-1], expand_dims(ranks, -1)], 1)
        widest = reduce_max(reduce_sum(counts, -1))
        rows = shape_of(t, out_type=dtypes.int64)[:-1]
        size = concat([rows, expand_dims(widest, 0)], 0)
        return SparseTensor(indices, cast(places[:, -1], dtype), size)


def sparse_row_envelope(
    sparse_input: Any, row_axis: int = 0, col_axis: int = 1, name: str | None = None
) -> Any:
    """How far the entries of each row reach: int64[rows].

    Args:
        sparse_input: a SparseTensor. row_axis, col_axis: the axes of rows and columns.
        name: the name of the node in a graph.
    """
    ends = sparse_input.indices[:, col_axis] + 1
    rows = sparse_input.indices[:, row_axis]
    count = sparse_input.dense_shape[row_axis]
    found = unsorted_segment_max(ends, rows, count)
    return maximum(found, convert_to_tensor(0, found.dtype), name=name)
