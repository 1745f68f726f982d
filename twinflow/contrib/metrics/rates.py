"""tf.contrib.metrics: rates, and what a threshold on predictions gives.

See Note [Streaming metrics]. Unlike those of tf.metrics, these take the predictions as
they are, also outside [0, 1] (f1_score apart).
"""

from twinflow.base import dtypes
from twinflow.graph.cond import cond
from twinflow.graph.scopes import group
from twinflow.graph.variable_scope import variable_scope
from twinflow.metrics.counts import (
    false_negatives,
    false_positives,
    share,
    true_negatives,
    true_positives,
)
from twinflow.metrics.curves import EPSILON, at_nearest, evenly, points
from twinflow.metrics.streaming import (
    aligned,
    contrib_metric,
    contrib_streaming,
    metric,
)
from twinflow.metrics.thresholds import (
    confusion_at_thresholds,
    counts_at_thresholds,
    share_at_thresholds,
)
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast
from twinflow.ops.core.division import div
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_max, reduce_sum
from twinflow.ops.math.positions import argmax


@contrib_metric("false_positive_rate")
def streaming_false_positive_rate(predictions, labels, weights=None):
    """How many of those that are false were predicted.

    Args:
        predictions, labels: tensors of one shape, taken as bools.
    Returns:
        (the rate so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        value, update = tf.contrib.metrics.streaming_false_positive_rate(
            tf.constant([1, 0]), tf.constant([0, 0]))
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 0.5
    """
    return share(false_positives, true_negatives, labels, predictions, weights)


@contrib_metric("false_negative_rate")
def streaming_false_negative_rate(predictions, labels, weights=None):
    """How many of those that are true were not predicted.

    Args, Returns, Raises: see streaming_false_positive_rate.
    """
    return share(false_negatives, true_positives, labels, predictions, weights)


def _at_thresholds(kind, key):
    def count(predictions, labels, thresholds, weights=None):
        values, updates = counts_at_thresholds(
            labels, predictions, thresholds, weights, (key,)
        )
        return values[key], updates[key]

    count.__name__ = count.__qualname__ = f"streaming_{kind}_at_thresholds"
    count.__doc__ = f"""The number of {kind.replace("_", " ")}, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights: see Note [Streaming metrics].
    Returns:
        (the variable that holds the numbers, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
    return contrib_streaming(count)


streaming_true_positives_at_thresholds = _at_thresholds("true_positives", "tp")
streaming_true_negatives_at_thresholds = _at_thresholds("true_negatives", "tn")
streaming_false_positives_at_thresholds = _at_thresholds("false_positives", "fp")
streaming_false_negatives_at_thresholds = _at_thresholds("false_negatives", "fn")


@contrib_metric("false_positive_rate_at_thresholds")
def streaming_false_positive_rate_at_thresholds(
    predictions, labels, thresholds, weights=None
):
    """How many of those that are false lie above a threshold, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers.
    Returns:
        (the rates so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
    counts = counts_at_thresholds(
        labels, predictions, thresholds, weights, ("fp", "tn")
    )
    return share_at_thresholds(counts, "fp", "tn", "fpr")


@contrib_metric("false_negative_rate_at_thresholds")
def streaming_false_negative_rate_at_thresholds(
    predictions, labels, thresholds, weights=None
):
    """How many of those that are true do not lie above a threshold, for each threshold.

    Args, Returns, Raises: see streaming_false_positive_rate_at_thresholds.
    """
    counts = counts_at_thresholds(
        labels, predictions, thresholds, weights, ("fn", "tp")
    )
    return share_at_thresholds(counts, "fn", "tp", "fnr")


@contrib_metric()
def streaming_curve_points(
    labels=None, predictions=None, weights=None, num_thresholds=200, *, curve="ROC",
    name=None,
):  # fmt: skip
    """Points of the ROC or the precision-recall curve.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        num_thresholds: n, the number of points. curve: "ROC" or "PR".
    Returns:
        (the points so far, float32[n, 2]; the op that adds this batch)
    Raises:
        RuntimeError: eager mode. ValueError: there is no such curve.
    """
    with variable_scope(name, "curve_points"):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        values, updates = counts_at_thresholds(
            labels, predictions, evenly(num_thresholds), weights
        )
        return stack(points(values, curve), axis=1), group(*updates.values())


@contrib_metric()
def recall_at_precision(
    labels, predictions, precision, weights=None, num_thresholds=200, *, name=None,
    strict_mode=False,
):  # fmt: skip
    """How many true ones are found where so many of those found are true.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        precision: the part of those found that is true, in [0, 1].
        num_thresholds: how many are tried; the one that comes nearest is taken.
        strict_mode: whether only one counts that gives at least the precision; 0 is
            the value if there is none.
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `precision` is not in [0, 1].
    """
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")

    def recall(counts, name):
        tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
        far = div(tp, tp + fp + EPSILON) - precision
        if not strict_mode:
            return at_nearest(far, tp, fn, name)
        # 1 / far puts what is just enough before what is more, and that before the rest
        i = argmax(div(1.0, far + EPSILON), 0, output_type=dtypes.int32)
        found = lambda: div(tp[i], tp[i] + fn[i] + EPSILON, name)
        return cond(far[i] + precision >= precision, found, lambda: 0.0)

    with variable_scope(name, "recall_at_precision"):
        values, updates = counts_at_thresholds(
            labels, predictions, evenly(num_thresholds), weights
        )
        return recall(values, "value"), recall(updates, "update_op")


@metric()
def precision_at_recall(
    labels, predictions, target_recall, weights=None, num_thresholds=200, *, name=None
):
    """How many of those found are true where at least so many true ones are found.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        target_recall: the part of the true ones that is found, in [0, 1].
        num_thresholds: how many are tried; the highest that finds enough is taken.
    Returns:
        (the precision so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `target_recall` is not in [0, 1].
    """
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")

    def precision(counts, name):
        tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
        enough = greater_equal(div(tp, tp + fn + EPSILON), target_recall)
        i = reduce_sum(cast(enough, dtypes.int64)) - 1
        return div(tp[i] + EPSILON, tp[i] + fp[i] + EPSILON, name)

    with variable_scope(name, "precision_at_recall"):
        values, updates = counts_at_thresholds(
            labels, predictions, evenly(num_thresholds), weights
        )
        return precision(values, "value"), precision(updates, "update_op")


@contrib_metric("f1")
def f1_score(labels, predictions, weights=None, num_thresholds=200):
    """The largest 2 * precision * recall / (precision + recall) of all thresholds.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        num_thresholds: how many are tried.
    Returns:
        (the score so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    Example:
        value, update = tf.contrib.metrics.f1_score([0, 1], [0.3, 0.8])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)), 3)  # 1.0
    """

    def best(counts, name):
        tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
        precision = div(tp, EPSILON + tp + fp, name=f"precision_{name}")
        recall = div(tp, EPSILON + tp + fn, name=f"recall_{name}")
        return reduce_max(2.0 * precision * recall / (precision + recall + EPSILON))

    predictions, labels, weights = aligned(predictions, labels, weights)
    values, updates = confusion_at_thresholds(
        labels, predictions, evenly(num_thresholds), weights, ("tp", "fp", "fn")
    )
    return best(values, "value"), best(updates, "update")
