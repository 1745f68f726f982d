"""The metrics of heads that tf.metrics does not have by themselves."""

from twinflow.graph.scopes import name_scope
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.curves import auc as area
from twinflow.metrics.means import accuracy, mean
from twinflow.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import to_float
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.shape import squeeze


def indicator_labels_mean(labels, weights=None, name=None):
    """The mean of labels that are 0 or 1."""
    with name_scope(name, "labels_mean", (labels, weights)) as scope:
        labels = to_float(labels, name="labels")
        return mean(labels, weights=_spread(weights, labels), name=scope)


def predictions_mean(predictions, weights=None, name=None):
    """The mean of predictions."""
    with name_scope(name, "predictions_mean", (predictions, weights)) as scope:
        predictions = to_float(predictions, name="predictions")
        return mean(predictions, weights=_spread(weights, predictions), name=scope)


def auc(labels, predictions, weights=None, curve="ROC", name=None):
    """The area under a curve."""
    with name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = to_float(predictions, name="predictions")
        return area(
            labels, predictions, _spread(weights, predictions), curve=curve, name=scope
        )


def _spread(weights, values):
    return None if weights is None else broadcast_weights(weights, values)


def accuracy_baseline(labels_mean):
    """The accuracy of always predicting the class that is more frequent."""
    with name_scope(None, "accuracy_baseline", labels_mean):
        value, update_op = labels_mean
        return (
            maximum(value, 1.0 - value, name="value"),
            maximum(update_op, 1 - update_op, name="update_op"),
        )


def accuracy_at_threshold(labels, predictions, weights, threshold, name=None):
    """The accuracy if predictions from the threshold on are taken as 1."""
    with name_scope(name, "accuracy_at_%s" % threshold, (predictions, labels)) as scope:
        chosen = to_float(greater_equal(predictions, threshold))
        return accuracy(labels, chosen, weights=weights, name=scope)


def precision_at_threshold(labels, predictions, weights, threshold, name=None):
    """The precision if predictions above the threshold are taken as 1."""
    with name_scope(name, "precision_at_%s" % threshold, (predictions, labels)) as scope:
        pair = precision_at_thresholds(
            labels, predictions, thresholds=(threshold,), weights=weights, name=scope
        )
        return tuple(squeeze(t) for t in pair)


def recall_at_threshold(labels, predictions, weights, threshold, name=None):
    """The recall if predictions above the threshold are taken as 1."""
    with name_scope(name, "recall_at_%s" % threshold, (predictions, labels)) as scope:
        pair = recall_at_thresholds(
            labels, predictions, thresholds=(threshold,), weights=weights, name=scope
        )
        return tuple(squeeze(t) for t in pair)
