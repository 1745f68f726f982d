"""Metrics of forests, by their names."""

from collections.abc import Callable

import numpy as np

from twinflow.base import dtypes
from twinflow.contrib.learn.keys import PredictionKey
from twinflow.contrib.losses import weighted
from twinflow.metrics import counts, curves, means, thresholds
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.arrays.topk import in_top_k
from twinflow.ops.core.constant import cast
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import shape, squeeze

__all__ = ["get_metric", "get_prediction_key"]

INFERENCE_PROB_NAME = PredictionKey.PROBABILITIES
INFERENCE_PRED_NAME = PredictionKey.CLASSES
FEATURE_IMPORTANCE_NAME = "global_feature_importance"
_HUNDREDTHS = np.arange(0, 1, 0.01, dtype=np.float32)


def _top_k(k):
    def metric(probabilities, targets):
        targets = cast(targets, dtypes.int32)
        if targets.shape.ndims > 1:
            targets = squeeze(targets, axis=[1])
        return means.mean(in_top_k(probabilities, targets, k))

    return metric


def _labelled(metric, second=False, **given):
    """A metric of labels; of the second column of the predictions alone."""

    def call(predictions, targets, weights=None):
        found = predictions[:, 1:2] if second else predictions
        return metric(labels=targets, predictions=found, weights=weights, **given)

    return call


def _r2(probabilities, targets, weights=None):
    targets = cast(targets, dtypes.float32)
    away = reduce_sum((targets - reduce_mean(targets, 0)) ** 2, 0)
    residuals = reduce_sum((targets - probabilities) ** 2, 0)
    return means.mean(1 - reduce_sum(residuals / away), weights=weights)


def _mean_loss(loss, classes=False):
    """The mean of a loss of probabilities and one-hot targets, or of `classes`."""

    def metric(probabilities, targets, weights=None):
        found = cast(targets, dtypes.int32)
        if not classes:
            found = one_hot(squeeze(found, axis=[1]), shape(probabilities)[1])
        return means.mean(loss(probabilities, found), weights=weights)

    return metric


_METRICS = {
    "auc": (_labelled(curves.auc, True), INFERENCE_PROB_NAME),
    "sigmoid_entropy": (
        _mean_loss(weighted.sigmoid_cross_entropy), INFERENCE_PROB_NAME
    ),
    "softmax_entropy": (
        _mean_loss(weighted.sparse_softmax_cross_entropy, True), INFERENCE_PROB_NAME
    ),
    "accuracy": (_labelled(means.accuracy), INFERENCE_PRED_NAME),
    "r2": (_r2, PredictionKey.SCORES),
    "predictions": (lambda predictions, *_, **__: predictions, INFERENCE_PRED_NAME),
    "classification_log_loss": (_mean_loss(weighted.log_loss), INFERENCE_PROB_NAME),
    "precision": (_labelled(counts.precision), INFERENCE_PRED_NAME),
    "precision_at_thresholds": (
        _labelled(thresholds.precision_at_thresholds, True, thresholds=_HUNDREDTHS),
        INFERENCE_PROB_NAME,
    ),
    "recall": (_labelled(counts.recall), INFERENCE_PRED_NAME),
    "recall_at_thresholds": (
        _labelled(thresholds.recall_at_thresholds, True, thresholds=_HUNDREDTHS),
        INFERENCE_PROB_NAME,
    ),
    "top_5": (_top_k(5), INFERENCE_PROB_NAME),
}  # fmt: skip


def get_metric(metric_name: str) -> Callable:
    """The function of a metric, of (predictions, targets, weights).

    Args:
        metric_name: "accuracy", "auc", "r2", "top_5" and others.
    Raises:
        KeyError: there is no such metric.
    Example:
        metrics = tf.contrib.tensor_forest.eval_metrics
        metrics.get_prediction_key("accuracy")  # 'classes'
    """
    return _METRICS[metric_name][0]


def get_prediction_key(metric_name: str) -> str:
    """The prediction that a metric takes.

    Args: see `get_metric`.
    Raises:
        KeyError: there is no such metric.
    """
    return _METRICS[metric_name][1]
