"""Metrics of predictions above thresholds; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.streaming import (
    aligned,
    as_bool,
    metric_variable,
    published,
    streaming,
)
from twinflow.ops.core.compare import greater, logical_and, logical_not
from twinflow.ops.core.constant import (
    cast,
    constant,
    convert_to_tensor,
    identity,
    to_float,
)
from twinflow.ops.core.division import div
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.debugging.checks import assert_greater_equal, assert_less_equal
from twinflow.ops.variables.state import assign_add

# key: (name of the variable, whether the label is true, whether it was predicted)
_KINDS = {
    "tp": ("true_positives", True, True),
    "fn": ("false_negatives", True, False),
    "tn": ("true_negatives", False, False),
    "fp": ("false_positives", False, True),
}


def confusion_at_thresholds(labels, predictions, thresholds, weights, includes=_KINDS):
    """Counts for each threshold of predictions in [0, 1].

    Args, Returns: see counts_at_thresholds.
    Raises:
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    predictions = convert_to_tensor(predictions)
    with current_mode().control_dependencies(checks_of_range(predictions)):
        predictions, labels, weights = aligned(
            to_float(predictions), as_bool(labels), weights
        )
    return _counted(labels, predictions, thresholds, weights, includes)


def counts_at_thresholds(labels, predictions, thresholds, weights, includes=_KINDS):
    """Counts for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        thresholds: a list of n numbers. weights: as for all metrics.
        includes: which of "tp", "fn", "tn" and "fp".
    Returns:
        ({key: variable float32[n]}, {key: the op that adds this batch})
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    return _counted(as_bool(labels), predictions, thresholds, weights, includes)


def checks_of_range(predictions):
    """Ops that fail unless all predictions are in [0, 1]."""
    words = "predictions must be in [0, 1]"
    checks = [
        assert_greater_equal(predictions, cast(0.0, predictions.dtype), message=words),
        assert_less_equal(predictions, cast(1.0, predictions.dtype), message=words),
    ]
    return [c for c in checks if c is not None]


def _counted(labels, predictions, thresholds, weights, includes):
    bounds = expand_dims(constant(list(thresholds), dtypes.float32), 1)
    predicted = greater(reshape(predictions, [1, -1]), bounds)
    true = reshape(labels, [1, -1])
    if weights is not None:
        weights = broadcast_weights(to_float(weights), predictions)
        weights = reshape(weights, [1, -1])
    values, updates = {}, {}
    for key in (k for k in _KINDS if k in includes):
        name, label, prediction = _KINDS[key]
        values[key] = metric_variable([len(thresholds)], dtypes.float32, name=name)
        hits = logical_and(
            true if label else logical_not(true),
            predicted if prediction else logical_not(predicted),
        )
        hits = to_float(hits)
        hits = hits if weights is None else hits * weights
        updates[key] = assign_add(values[key], reduce_sum(hits, 1))
    return values, updates


def _of(kind, key, words):
    def count(
        labels, predictions, thresholds, weights=None, metrics_collections=None,
        updates_collections=None, name=None,
    ):  # fmt: skip
        with variable_scope(name, kind):
            values, updates = confusion_at_thresholds(
                labels, predictions, thresholds, weights, (key,)
            )
            found = identity(values[key]), updates[key]
            return published(*found, metrics_collections, updates_collections)

    count.__name__ = count.__qualname__ = f"{kind}_at_thresholds"
    count.__doc__ = f"""How many {words}, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the numbers so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    """
    return streaming(count)


true_positives_at_thresholds = _of(
    "true_positives", "tp", "are true and were predicted"
)
true_negatives_at_thresholds = _of(
    "true_negatives", "tn", "are false and not predicted"
)
false_positives_at_thresholds = _of(
    "false_positives", "fp", "are false but were predicted"
)
false_negatives_at_thresholds = _of(
    "false_negatives", "fn", "are true but not predicted"
)


def _share(kind, other, labels, predictions, thresholds, weights, collections, name):
    """true positives / (true positives + `other`)"""
    with variable_scope(name, f"{kind}_at_thresholds"):
        found = confusion_at_thresholds(
            labels, predictions, thresholds, weights, ("tp", other)
        )
        return share_at_thresholds(*found, "tp", other, kind, *collections)


def share_at_thresholds(values, updates, part, rest, name, *collections):
    """part / (part + rest) of counts and of their updates, published."""

    def share(counts, what):
        return div(
            counts[part], 1e-7 + counts[part] + counts[rest], name=f"{name}_{what}"
        )

    return published(share(values, "value"), share(updates, "update_op"), *collections)


@streaming
def precision_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """How many of those above a threshold are true, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the precisions so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    Example:
        labels, scores = tf.constant([0, 1]), tf.constant([0.3, 0.8])
        value, update = tf.metrics.precision_at_thresholds(labels, scores, [0.5])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)[0]), 3)  # 1.0
    """
    collections = metrics_collections, updates_collections
    return _share(
        "precision", "fp", labels, predictions, thresholds, weights, collections, name
    )


@streaming
def recall_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """How many of those that are true are above a threshold, for each threshold.

    Args, Raises: see precision_at_thresholds.
    Returns:
        (the recalls so far, the op that adds this batch), float32[n].
    """
    collections = metrics_collections, updates_collections
    return _share(
        "recall", "fn", labels, predictions, thresholds, weights, collections, name
    )
