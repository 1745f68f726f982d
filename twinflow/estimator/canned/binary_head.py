"""The head of one of two classes."""

from twinflow.estimator.canned import measures
from twinflow.estimator.canned.classes import classification_output, ids_of, names_of
from twinflow.estimator.canned.head import CLASSIFY, REGRESS, SimpleHead
from twinflow.estimator.canned.metric_keys import MetricKeys
from twinflow.estimator.canned.multi_class_head import MultiClassHead
from twinflow.estimator.canned.prediction_keys import PredictionKeys
from twinflow.estimator.canned.shapes import (
    check_dense_labels_match_logits_and_reshape,
    check_label_range,
)
from twinflow.estimator.export_outputs import RegressionOutput
from twinflow.losses.weighting import Reduction
from twinflow.metrics.counts import precision, recall
from twinflow.metrics.means import accuracy
from twinflow.ops.core.constant import to_float
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.softmax import softmax

_AT_THRESHOLD = (
    (MetricKeys.ACCURACY_AT_THRESHOLD, measures.accuracy_at_threshold),
    (MetricKeys.PRECISION_AT_THRESHOLD, measures.precision_at_threshold),
    (MetricKeys.RECALL_AT_THRESHOLD, measures.recall_at_threshold),
)


class BinaryHead(SimpleHead):
    """The logistic function of one logit; labels are 0 and 1, or two names.

    Args:
        thresholds: from which on a probability counts as 1, for more metrics.
        label_vocabulary: the names, if labels are strings. The others: see SimpleHead.
    """

    def __init__(
        self, weight_column=None, thresholds=None, label_vocabulary=None,
        loss_reduction=Reduction.SUM, loss_fn=None, name=None,
    ):  # fmt: skip
        self._thresholds = checked_thresholds(thresholds)
        if label_vocabulary is not None and not isinstance(
            label_vocabulary, list | tuple
        ):
            raise TypeError(
                "label_vocabulary should be a list or tuple. Given type: "
                f"{type(label_vocabulary)}"
            )
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._label_vocabulary = label_vocabulary

    @property
    def logits_dimension(self) -> int:
        """1."""
        return 1

    def _processed_labels(self, labels, logits):
        labels = check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = ids_of(labels, self._label_vocabulary)
        return check_label_range(to_float(labels), 2)

    def _losses(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _predictions(self, logits):
        both = concat((zeros_like(logits), logits), axis=-1, name="two_class_logits")
        ids = expand_dims(argmax(both, axis=-1, name=PredictionKeys.CLASS_IDS), -1)
        return {
            PredictionKeys.LOGITS: logits,
            PredictionKeys.LOGISTIC: sigmoid(logits, name=PredictionKeys.LOGISTIC),
            PredictionKeys.PROBABILITIES: softmax(
                both, name=PredictionKeys.PROBABILITIES
            ),
            PredictionKeys.CLASS_IDS: ids,
            PredictionKeys.CLASSES: names_of(ids, self._label_vocabulary),
        }

    def _export_outputs(self, predictions):
        scores = predictions[PredictionKeys.PROBABILITIES]
        return {
            CLASSIFY: classification_output(scores, 2, self._label_vocabulary),
            REGRESS: RegressionOutput(predictions[PredictionKeys.LOGISTIC]),
        }

    def _metrics(self, predictions, spec):
        labels, weights = spec.processed_labels, spec.weights
        ids = predictions[PredictionKeys.CLASS_IDS]
        logistic = predictions[PredictionKeys.LOGISTIC]
        average = measures.indicator_labels_mean(
            labels, weights=weights, name=MetricKeys.LABEL_MEAN
        )
        found = {
            key: metric(labels, ids, weights, name=key)
            for key, metric in (
                (MetricKeys.ACCURACY, accuracy), (MetricKeys.PRECISION, precision),
                (MetricKeys.RECALL, recall),
            )
        }  # fmt: skip
        found[MetricKeys.PREDICTION_MEAN] = measures.predictions_mean(
            logistic, weights, name=MetricKeys.PREDICTION_MEAN
        )
        found[MetricKeys.LABEL_MEAN] = average
        found[MetricKeys.ACCURACY_BASELINE] = measures.accuracy_baseline(average)
        for key, curve in (MetricKeys.AUC, "ROC"), (MetricKeys.AUC_PR, "PR"):
            found[key] = measures.auc(labels, logistic, weights, curve, name=key)
        for threshold in self._thresholds:
            for key, metric in _AT_THRESHOLD:
                whole = key % threshold
                found[whole] = metric(labels, logistic, weights, threshold, name=whole)
        return found


def checked_thresholds(thresholds):
    """A tuple of thresholds; raises ValueError for one that is not in (0, 1)."""
    found = tuple(thresholds or ())
    if any(t <= 0.0 or t >= 1.0 for t in found):
        raise ValueError(f"thresholds not in (0, 1): {(found,)}.")
    return found


def binary_logistic_head_with_sigmoid_cross_entropy_loss(
    weight_column=None, thresholds=None, label_vocabulary=None,
    loss_reduction=Reduction.SUM, loss_fn=None, name=None,
):  # fmt: skip
    """The head of one of two classes; see BinaryHead."""
    return BinaryHead(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    )


def binary_logistic_or_multi_class_head(
    n_classes, weight_column, label_vocabulary, loss_reduction
):
    """The head of a classifier."""
    if n_classes == 2:
        return BinaryHead(
            weight_column, label_vocabulary=label_vocabulary,
            loss_reduction=loss_reduction,
        )  # fmt: skip
    return MultiClassHead(
        n_classes, weight_column, label_vocabulary, loss_reduction=loss_reduction
    )
