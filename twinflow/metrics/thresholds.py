"""Metrics of predictions above thresholds; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.counts import OUTCOMES
from twinflow.metrics.streaming import aligned, as_bool, metric, metric_variable, so_far
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

_NAMES = {
    "tp": "true_positives",
    "fn": "false_negatives",
    "tn": "true_negatives",
    "fp": "false_positives",
}


def confusion_at_thresholds(labels, predictions, thresholds, weights, includes=_NAMES):
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


def counts_at_thresholds(labels, predictions, thresholds, weights, includes=_NAMES):
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
    for key in (k for k in _NAMES if k in includes):
        label, prediction, _ = OUTCOMES[_NAMES[key]]
        count = metric_variable([len(thresholds)], dtypes.float32, name=_NAMES[key])
        values[key] = so_far(count)
        hits = logical_and(
            true if label else logical_not(true),
            predicted if prediction else logical_not(predicted),
        )
        hits = to_float(hits)
        hits = hits if weights is None else hits * weights
        updates[key] = assign_add(count, reduce_sum(hits, 1))
    return values, updates


_TEXT = """How many {}, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers; what lies above one is predicted.
    Returns:
        (the numbers so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    """


def _of(key):
    kind = _NAMES[key]

    @metric(kind, name=f"{kind}_at_thresholds", doc=_TEXT.format(OUTCOMES[kind][2]))
    def count(labels, predictions, thresholds, weights=None):
        values, updates = confusion_at_thresholds(
            labels, predictions, thresholds, weights, (key,)
        )
        return identity(values[key]), updates[key]

    return count


true_positives_at_thresholds = _of("tp")
true_negatives_at_thresholds = _of("tn")
false_positives_at_thresholds = _of("fp")
false_negatives_at_thresholds = _of("fn")


def share_at_thresholds(counts, part, rest, name):
    """(value, update): part / (part + rest) of each of (values, updates)."""
    return tuple(
        div(c[part], 1e-7 + c[part] + c[rest], name=f"{name}_{what}")
        for c, what in zip(counts, ("value", "update_op"), strict=True)
    )


@metric()
def precision_at_thresholds(labels, predictions, thresholds, weights=None):
    """How many of those above a threshold are true, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers.
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
    counts = confusion_at_thresholds(
        labels, predictions, thresholds, weights, ("tp", "fp")
    )
    return share_at_thresholds(counts, "tp", "fp", "precision")


@metric()
def recall_at_thresholds(labels, predictions, thresholds, weights=None):
    """How many of those that are true are above a threshold, for each threshold.

    Args, Raises: see precision_at_thresholds.
    Returns:
        (the recalls so far, the op that adds this batch), float32[n].
    """
    counts = confusion_at_thresholds(
        labels, predictions, thresholds, weights, ("tp", "fn")
    )
    return share_at_thresholds(counts, "tp", "fn", "recall")
