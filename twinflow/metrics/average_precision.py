"""The average precision of the k best predictions; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.class_sets import count_in, dense_labels, present
from twinflow.metrics.ranked import at_k
from twinflow.metrics.streaming import metric, metric_variable, scalar_div, so_far
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.constant import cast, convert_to_tensor, to_double, to_int64
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import minimum, multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.core.size import size
from twinflow.ops.sparse.tensor import is_sparse
from twinflow.ops.variables.state import assign_add


@metric()
def average_precision_at_k(labels, predictions, k, weights=None, *, name=None):
    """The mean over the labels of the precision at the place where each is found.

    Args:
        labels: int64[..., n] or a SparseTensor of these, or int64[...].
        predictions: float[..., classes], a score for each class. k: an int.
        weights: a number, or a tensor that fits [...].
    Returns:
        (the mean so far, the op that adds this batch), float64 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `k` is below 1, or the shapes do not fit.
    Example:
        labels = tf.constant([[1]], tf.int64)
        value, update = tf.metrics.average_precision_at_k(labels, [[0.1, 0.7, 0.2]], 2)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 1.0
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with current_mode().name_scope(name or at_k("average_precision", k)) as scope:
        _, best = top_k(convert_to_tensor(predictions), k)
        return _average(labels, best, k, weights, scope)


@metric()
def average_precision_at_top_k(labels, predictions_idx, weights=None, *, name=None):
    """average_precision_at_k of classes, the best first.

    Args:
        predictions_idx: integers[..., k], of known k. Others: see
            average_precision_at_k.
    Returns:
        (the mean so far, the op that adds this batch), float64 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: k is not known, or the shapes do not fit.
    """
    with current_mode().name_scope(name or "average_precision_at_top_k") as scope:
        best = convert_to_tensor(predictions_idx)
        k = None if best._shape in (None, ()) else best._shape[-1]
        if k is None:
            raise ValueError(
                "The last dimension of predictions_idx must be set; its shape is "
                f"{best.shape}."
            )
        return _average(labels, best, k, weights, scope)


def _average(labels, best, k, weights, scope):
    """The mean so far, and the op that adds the precisions of a batch."""
    best = to_int64(best, name="predictions_idx")
    precisions, parts = _precisions(labels, best, k), None
    if weights is not None:
        parts = broadcast_weights(to_double(weights), precisions)
        precisions = multiply(precisions, parts)
    return _mean(precisions, parts, scope)


@metric()
def sparse_average_precision_at_k(labels, predictions, k, weights=None, *, name=None):
    """The older name of average_precision_at_k."""
    return average_precision_at_k(labels, predictions, k, weights, name=name)


def _precisions(labels, best, k):
    """The average precision of each example: float64[...]."""
    by_row = not is_sparse(labels)
    labels = dense_labels(labels, best)
    right = count_in(expand_dims(best, -1), expand_dims(labels, -2))
    tried = cumsum(ones_like(right), axis=-1)
    precision = div(to_double(cumsum(right, axis=-1)), to_double(tried))
    total = reduce_sum(multiply(precision, to_double(right)), axis=(-1,))
    if by_row:
        number = minimum(shape(labels)[-1], k) + 0 * reduce_sum(right, -1)
    else:
        number = minimum(reduce_sum(cast(present(labels), dtypes.int32), -1), k)
    return div(total, to_double(number))


def _mean(precisions, weights, scope):
    graph = current_mode()
    with graph.name_scope("max") as inner:
        most = metric_variable([], dtypes.float64, name=inner)
        if weights is None:
            added = to_double(size(precisions, name="batch_max"))
        else:
            added = reduce_sum(weights, name="batch_max")
        mosts = assign_add(most, added, name="update")
    with graph.name_scope("total") as inner:
        total = metric_variable([], dtypes.float64, name=inner)
        added = reduce_sum(precisions, name="batch_total")
        totals = assign_add(total, added, name="update")
    value = scalar_div(so_far(total), so_far(most), "mean")
    return value, scalar_div(totals, mosts, scope)
