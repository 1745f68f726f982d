"""Metrics that count right and wrong answers; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.graph.variable_scope import variable_scope
from twinflow.metrics.streaming import (
    aligned,
    as_bool,
    metric_variable,
    published,
    streaming,
)
from twinflow.ops.core.compare import equal, greater, logical_and, where
from twinflow.ops.core.constant import identity, to_float
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import rank
from twinflow.ops.debugging.static import assert_rank_in, assert_type
from twinflow.ops.variables.state import assign_add


def _counted(hits, weights, metrics_collections, updates_collections):
    """The sum of the weights of true elements."""
    assert_type(hits, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    hits = to_float(hits)
    if weights is not None:
        check = assert_rank_in(weights, (0, rank(hits)))
        with current_mode().control_dependencies([check]):
            hits = multiply(hits, to_float(weights))
    value, update = identity(count), assign_add(count, reduce_sum(hits))
    return published(value, update, metrics_collections, updates_collections)


def _of(kind, label, prediction, words):
    """The metric that counts where labels and predictions are what is given."""

    def count(
        labels, predictions, weights=None, metrics_collections=None,
        updates_collections=None, name=None,
    ):  # fmt: skip
        with variable_scope(name, kind):
            predictions, labels, weights = aligned(
                as_bool(predictions), as_bool(labels), weights
            )
            hits = logical_and(equal(labels, label), equal(predictions, prediction))
            return _counted(hits, weights, metrics_collections, updates_collections)

    count.__name__ = count.__qualname__ = kind
    count.__doc__ = f"""How many {words}.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the number so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
    return streaming(count)


true_positives = _of("true_positives", True, True, "are true and were predicted")
true_negatives = _of("true_negatives", False, False, "are false and not predicted")
false_positives = _of("false_positives", False, True, "are false but were predicted")
false_negatives = _of("false_negatives", True, False, "are true but not predicted")


def _ratio(hits, misses, name):
    both = hits + misses
    return where(greater(both, 0), div(hits, both), 0, name)


def _share(kind, part, rest, labels, predictions, weights, collections, name):
    """part / (part + rest) of two counts"""
    with variable_scope(name, kind):
        predictions, labels, weights = aligned(
            as_bool(predictions), as_bool(labels), weights
        )
        hit, hits = part(labels, predictions, weights)
        miss, missed = rest(labels, predictions, weights)
        value, update = _ratio(hit, miss, "value"), _ratio(hits, missed, "update_op")
        return published(value, update, *collections)


def false_rate(kind, labels, predictions, weights, collections, name):
    """What is false of those with a label; `kind` is "positive" or "negative"."""
    parts = {
        "positive": (false_positives, true_negatives),
        "negative": (false_negatives, true_positives),
    }
    return _share(
        f"false_{kind}_rate", *parts[kind], labels, predictions, weights, collections,
        name,
    )  # fmt: skip


@streaming
def precision(
    labels, predictions, weights=None, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """How many of those that were predicted are true.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the precision so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        value, update = tf.metrics.precision([0, 1, 1], [1, 1, 0])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 0.5
    """
    collections = metrics_collections, updates_collections
    return _share(
        "precision", true_positives, false_positives, labels, predictions, weights,
        collections, name,
    )  # fmt: skip


@streaming
def recall(
    labels, predictions, weights=None, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """How many of those that are true were predicted.

    Args, Raises: see precision.
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    """
    collections = metrics_collections, updates_collections
    return _share(
        "recall", true_positives, false_negatives, labels, predictions, weights,
        collections, name,
    )  # fmt: skip
