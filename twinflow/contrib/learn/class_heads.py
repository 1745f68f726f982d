"""Heads of classes: of two, of several, and of any number at once."""

from twinflow.base import dtypes
from twinflow.contrib.learn import class_metrics
from twinflow.contrib.learn.head_base import _column, _SingleHead
from twinflow.contrib.learn.keys import (
    MetricKey,
    PredictionKey,
    ProblemType,
)
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.curves import auc
from twinflow.metrics.means import accuracy, mean
from twinflow.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
from twinflow.ops.core.compare import greater, greater_equal
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, squeeze
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import sparse_softmax_cross_entropy_with_logits
from twinflow.ops.nn.softmax import softmax
from twinflow.ops.sparse.select import sparse_to_indicator
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.tables.ids import (
    index_table_from_tensor,
    index_to_string_table_from_tensor,
)

_HALF = 0.5


class _ClassHead(_SingleHead):
    """A head of classes, which may be named."""

    problem = ProblemType.CLASSIFICATION

    def __init__(self, n_classes, dimension, *args, label_keys=None):
        super().__init__(dimension, *args)
        self._n_classes, self._label_keys = n_classes, label_keys

    def _labels(self, labels):
        found = super()._labels(labels)
        if self._label_keys is not None:
            found = index_table_from_tensor(self._label_keys).lookup(found)
        if found.shape.ndims == 2 and self._dimension != found.shape[1]:
            found = squeeze(found, [1])
        return found

    def _classes(self, ids):
        if self._label_keys is None:
            return ids
        return index_to_string_table_from_tensor(self._label_keys).lookup(ids)


class _MultiClassHead(_ClassHead):
    def __init__(self, n_classes, *args, metric_class_ids=None, label_keys=None):
        super().__init__(n_classes, n_classes, *args, label_keys=label_keys)
        self._class_ids = class_metrics.checked_ids(metric_class_ids, n_classes)

    def losses(self, labels, logits):
        return sparse_softmax_cross_entropy_with_logits(
            labels=cast(labels, dtypes.int64), logits=logits
        )

    def predictions(self, logits):
        ids = argmax(logits, 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: softmax(logits),
            PredictionKey.CLASSES: self._classes(ids),
        }

    def metrics(self, labels, predictions, weights):
        ids = argmax(predictions[PredictionKey.LOGITS], 1)
        found = {MetricKey.ACCURACY: accuracy(labels, ids, weights)}
        for i in () if self._label_keys else self._class_ids:
            found |= class_metrics.of_one_of_several(
                i, labels, ids, predictions, weights
            )
        return found


class _BinaryHead(_ClassHead):
    problem = ProblemType.LOGISTIC_REGRESSION

    def __init__(self, *args, thresholds=None, label_keys=None):
        super().__init__(2, 1, *args, label_keys=label_keys)
        self._thresholds = thresholds or [_HALF]

    def losses(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=_column(labels), logits=logits)

    def predictions(self, logits):
        both = concat([zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: sigmoid(logits),
            PredictionKey.PROBABILITIES: softmax(both),
            PredictionKey.CLASSES: self._classes(argmax(both, 1)),
        }

    def metrics(self, labels, predictions, weights):
        labels, logistic = _column(labels), predictions[PredictionKey.LOGISTIC]
        if weights is not None:
            weights = reshape(weights, [-1, 1])
        ids = cast(greater_equal(logistic, _HALF), dtypes.float32)
        found = {
            MetricKey.PREDICTION_MEAN: mean(logistic, weights),
            MetricKey.LABEL_MEAN: mean(labels, weights),
            MetricKey.ACCURACY_BASELINE: mean(labels, weights),
            MetricKey.ACCURACY: accuracy(labels, ids, weights),
            MetricKey.AUC: auc(labels, logistic, weights),
            MetricKey.AUC_PR: auc(labels, logistic, weights, curve="PR"),
        }
        for t in self._thresholds:
            above = cast(greater_equal(logistic, t), dtypes.float32)
            found[MetricKey.ACCURACY_MEAN % t] = accuracy(labels, above, weights)
            for key, metric in (
                (MetricKey.PRECISION_MEAN, precision_at_thresholds),
                (MetricKey.RECALL_MEAN, recall_at_thresholds),
            ):
                value, update = metric(labels, logistic, [t], weights)
                found[key % t] = squeeze(value), squeeze(update)
        return found


class _SvmHead(_BinaryHead):
    problem = ProblemType.UNSPECIFIED

    def losses(self, labels, logits):
        signs = 2 * _column(labels) - ones_like(logits)
        return relu(1 - signs * logits)

    def predictions(self, logits):
        both = concat([zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.CLASSES: self._classes(argmax(both, 1)),
        }

    def metrics(self, labels, predictions, weights):
        ids = predictions[PredictionKey.CLASSES]
        return {
            MetricKey.ACCURACY: accuracy(squeeze(_column(labels), [1]), ids, weights)
        }


class _MultiLabelHead(_ClassHead):
    def __init__(self, n_classes, *args, metric_class_ids=None):
        super().__init__(n_classes, n_classes, *args)
        self._class_ids = class_metrics.checked_ids(metric_class_ids, n_classes)

    def _labels(self, labels):
        found = _SingleHead._labels(self, labels)
        if isinstance(found, SparseTensor):
            found = sparse_to_indicator(cast(found, dtypes.int64), self._n_classes)
        return _column(found)

    def losses(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits):
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: sigmoid(logits),
            PredictionKey.CLASSES: cast(greater(logits, 0.0), dtypes.int64),
        }

    def metrics(self, labels, predictions, weights):
        ids = predictions[PredictionKey.CLASSES]
        if weights is not None:
            weights = broadcast_weights(_column(weights), labels)
        probabilities = predictions[PredictionKey.PROBABILITIES]
        found = {
            MetricKey.ACCURACY: accuracy(labels, ids, weights),
            MetricKey.AUC: auc(labels, probabilities, weights),
            MetricKey.AUC_PR: auc(labels, probabilities, weights, curve="PR"),
        }
        for i in self._class_ids:
            found |= class_metrics.of_any_of_several(i, labels, predictions, weights)
        return found
