"""Precision and recall of the k best predictions; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.losses.weights import assert_broadcastable
from twinflow.metrics.class_sets import count_in, dense_labels
from twinflow.metrics.streaming import metric, metric_variable, so_far
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.constant import convert_to_tensor, to_double, to_int64
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.variables.state import assign_add


def at_k(kind, k=None, class_id=None):
    """The name of a metric of the k best."""
    name = f"{kind}_at_{'k' if k is None else k}"
    return name if class_id is None else f"{name}_class{class_id}"


def _summed(kind, k, class_id, counts, weights):
    """A variable that adds up weighted counts: (the variable, the op that adds)."""
    with current_mode().name_scope(at_k(kind, k, class_id)) as scope:
        counts = to_double(counts)
        if weights is not None:
            check = assert_broadcastable(weights, counts)
            with current_mode().control_dependencies([check]):
                counts = multiply(counts, to_double(weights))
        var = metric_variable([], dtypes.float64, name=scope)
        return so_far(var), assign_add(
            var, to_double(reduce_sum(counts)), name="update"
        )


def _share(kind, labels, predictions, k, class_id, weights, name):
    """hits / (hits + misses), where misses are what `kind` says."""
    with current_mode().name_scope(name or at_k(kind, k, class_id)) as scope:
        predictions = to_int64(predictions)
        _check_rows(predictions)
        labels = dense_labels(labels, predictions)
        parts = [("true_positive", count_in(predictions, labels, class_id))]
        if kind == "precision":
            wrong = count_in(predictions, labels, class_id, inside=False)
            parts.append(("false_positive", wrong))
        else:
            missed = count_in(labels, predictions, class_id, inside=False)
            parts.append(("false_negative", missed))
        (hit, hits), (miss, missed) = (
            _summed(what, k, class_id, counts, weights) for what, counts in parts
        )
        value = div(hit, add(hit, miss), name=scope)
        return value, div(hits, add(hits, missed), name="update")


def _check_rows(predictions):
    s = predictions._shape
    if s is not None and len(s) < 2:
        raise advised(ValueError, f"Shape must be at least rank 2 but is rank {len(s)}")


def _of_scores(kind, labels, predictions, k, class_id, weights, name):
    """The same for scores of the classes."""
    with current_mode().name_scope(name or at_k(kind, k, class_id)) as scope:
        _, best = top_k(convert_to_tensor(predictions), k)
        return _share(kind, labels, best, k, class_id, weights, scope)


@metric()
def precision_at_k(labels, predictions, k, class_id=None, weights=None, *, name=None):
    """How many of the k best predictions are labels.

    Args:
        labels: int64[..., n] or a SparseTensor of these, or int64[...].
        predictions: float[..., classes], a score for each class. k: an int.
        class_id: the only class that counts; None = all.
        weights: a number, or a tensor that fits [...].
    Returns:
        (the precision so far, the op that adds this batch), float64 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        labels = tf.constant([[1]], tf.int64)
        value, update = tf.metrics.precision_at_k(labels, [[0.1, 0.7, 0.2]], k=1)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 1.0
    """
    return _of_scores("precision", labels, predictions, k, class_id, weights, name)


@metric()
def precision_at_top_k(
    labels, predictions_idx, k=None, class_id=None, weights=None, *, name=None
):
    """How many of the predicted classes are labels.

    Args:
        predictions_idx: int64[..., k], the predicted classes. k: for names only.
        Others: see precision_at_k.
    Returns, Raises: see precision_at_k.
    """
    found = convert_to_tensor(predictions_idx)
    return _share("precision", labels, found, k, class_id, weights, name)


@metric()
def sparse_precision_at_k(
    labels, predictions, k, class_id=None, weights=None, *, name=None
):
    """The older name of precision_at_k."""
    return precision_at_k(labels, predictions, k, class_id, weights, name=name)


@metric()
def recall_at_k(labels, predictions, k, class_id=None, weights=None, *, name=None):
    """How many of the labels are among the k best predictions.

    Args, Raises: see precision_at_k.
    Returns:
        (the recall so far, the op that adds this batch), float64 scalars.
    """
    return _of_scores("recall", labels, predictions, k, class_id, weights, name)


@metric()
def recall_at_top_k(
    labels, predictions_idx, k=None, class_id=None, weights=None, *, name=None
):
    """How many of the labels are among the predicted classes.

    Args: see precision_at_top_k.
    Returns, Raises: see recall_at_k.
    """
    found = convert_to_tensor(predictions_idx)
    return _share("recall", labels, found, k, class_id, weights, name)
