"""Sets of class numbers: which predictions are among the labels."""

from twinflow.base import dtypes
from twinflow.graph.cond import cond
from twinflow.ops.core.compare import (
    equal,
    less,
    logical_and,
    logical_not,
    not_equal,
)
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import range
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_any, reduce_sum
from twinflow.ops.core.shape import expand_dims, rank, shape
from twinflow.ops.core.size import size
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.tensor import (
    SparseTensor,
    convert_to_tensor_or_sparse_tensor,
)

_NOTHING = -(2**63)  # stands where a row of a SparseTensor has no number


def dense_labels(labels, predictions):
    """The labels as int64[..., n] beside predictions[..., k].

    Args:
        labels: an integer tensor or SparseTensor, with or without the last axis.
        predictions: a tensor.
    Returns:
        A tensor; rows of a SparseTensor are filled up with a number that is no class.
    Raises:
        ValueError: the shapes do not fit.
    """
    labels = convert_to_tensor_or_sparse_tensor(labels)
    if isinstance(labels, SparseTensor):
        labels = _with_last_axis(labels, predictions)
        values = cast(labels.values, dtypes.int64)
        labels = SparseTensor(labels.indices, values, labels.dense_shape)
        return sparse_tensor_to_dense(labels, _NOTHING)
    labels = cast(labels, dtypes.int64)
    own, other = labels._shape, predictions._shape
    if own is None or other is None:
        more = equal(rank(predictions), rank(labels) + 1)
        return cond(more, lambda: expand_dims(labels, -1), lambda: labels)
    if len(other) not in (len(own), len(own) + 1):
        raise ValueError(
            f"Unexpected labels shape {labels.shape} for predictions shape "
            f"{predictions.shape}."
        )
    return expand_dims(labels, -1) if len(other) > len(own) else labels


def _with_last_axis(labels, predictions):
    more = equal(rank(predictions), size(labels.dense_shape) + 1)
    wider = lambda: sparse_reshape(labels, concat([labels.dense_shape, [1]], 0))
    parts = cond(more, lambda: _parts(wider()), lambda: _parts(labels))
    return SparseTensor(*parts)


def _parts(sparse):
    return sparse.indices, sparse.values, sparse.dense_shape


def present(labels):
    """Where there is a label."""
    return not_equal(labels, _NOTHING)


def count_in(members, others, class_id=None, inside=True):
    """How many different numbers of a row are in a row of others, or are not.

    Args:
        members: int64[..., n]. others: int64[..., m].
        class_id: the only number that counts; None = all.
        inside: whether to count those that are there, or the rest.
    Returns:
        int32[...]
    """
    same = equal(expand_dims(members, -1), expand_dims(others, -2))
    there = reduce_any(same, -1)
    wanted = there if inside else logical_not(there)
    wanted = logical_and(wanted, logical_and(present(members), _first(members)))
    if class_id is not None:
        wanted = logical_and(wanted, equal(members, class_id))
    return reduce_sum(cast(wanted, dtypes.int32), -1)


def _first(members):
    """Where a number of a row comes for the first time."""
    places = range(shape(members)[-1])
    earlier = less(expand_dims(places, 0), expand_dims(places, 1))
    again = equal(expand_dims(members, -1), expand_dims(members, -2))
    return logical_not(reduce_any(logical_and(again, earlier), -1))
