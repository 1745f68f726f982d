"""Metrics of single classes, for heads of several: see MetricKey.CLASS_*."""

from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.learn.keys import MetricKey, PredictionKey
from twinflow.metrics.curves import auc
from twinflow.metrics.means import mean
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast

_COLUMNS = (
    (MetricKey.CLASS_PROBABILITY_MEAN, PredictionKey.PROBABILITIES),
    (MetricKey.CLASS_LOGITS_MEAN, PredictionKey.LOGITS),
)


def checked_ids(metric_class_ids: Any, n_classes: int) -> tuple[int, ...]:
    """The classes whose metrics are wanted.

    Raises:
        ValueError: one of them is none of `n_classes`.
    """
    found = tuple(metric_class_ids or ())
    for i in found:
        if not 0 <= i < n_classes:
            raise ValueError(f"Class ID {i} not in [0, {n_classes}).")
    return found


def of_one_of_several(
    class_id: int, labels: Any, ids: Any, predictions: dict, weights: Any
) -> dict[str, Any]:
    """Metrics of a class where each example has one: {name: (value, update op)}.

    Args:
        labels, ids: int[n], the classes and those that are predicted.
        predictions: logits and probabilities float32[n, classes].
        weights: float32[n] or None.
    """
    return {
        MetricKey.CLASS_PREDICTION_MEAN % class_id: _share(ids, class_id, weights),
        MetricKey.CLASS_LABEL_MEAN % class_id: _share(labels, class_id, weights),
        **_columns(class_id, predictions, weights),
    }


def of_any_of_several(
    class_id: int, labels: Any, predictions: dict, weights: Any
) -> dict[str, Any]:
    """Metrics of a class where an example may have many: {name: (value, update op)}.

    Args:
        labels: float32[n, classes], ones and zeros.
        predictions: classes, logits and probabilities [n, classes].
        weights: float32[n, classes] or None.
    """
    weights = None if weights is None else weights[:, class_id]
    wanted = labels[:, class_id]
    probabilities = predictions[PredictionKey.PROBABILITIES][:, class_id]
    chosen = cast(predictions[PredictionKey.CLASSES][:, class_id], dtypes.float32)
    return {
        MetricKey.CLASS_PREDICTION_MEAN % class_id: mean(chosen, weights),
        MetricKey.CLASS_LABEL_MEAN % class_id: mean(wanted, weights),
        **_columns(class_id, predictions, weights),
        MetricKey.CLASS_AUC % class_id: auc(wanted, probabilities, weights),
        MetricKey.CLASS_AUC_PR % class_id: auc(
            wanted, probabilities, weights, curve="PR"
        ),
    }


def _share(ids, class_id, weights):
    return mean(cast(equal(cast(ids, dtypes.int32), class_id), dtypes.float32), weights)


def _columns(class_id, predictions, weights):
    return {
        name % class_id: mean(predictions[key][:, class_id], weights)
        for name, key in _COLUMNS
    }
