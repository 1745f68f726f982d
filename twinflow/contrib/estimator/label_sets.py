"""The head of any number of classes for each example."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.estimator.canned import measures
from twinflow.estimator.canned.classes import classification_output, ids_of
from twinflow.estimator.canned.head import CLASSIFY, Head, SimpleHead
from twinflow.estimator.canned.metric_keys import MetricKeys
from twinflow.estimator.canned.prediction_keys import PredictionKeys
from twinflow.estimator.canned.shapes import (
    check_dense_labels_match_logits_and_reshape,
    check_label_range,
    no_labels,
)
from twinflow.losses.losses import sigmoid_cross_entropy
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.constant import to_int64
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.debugging.static import assert_integer
from twinflow.ops.sparse.select import sparse_to_indicator
from twinflow.ops.sparse.tensor import (
    SparseTensor,
    convert_to_tensor_or_sparse_tensor,
)

_OF_CLASS = (
    (MetricKeys.PROBABILITY_MEAN_AT_CLASS, MetricKeys.PROBABILITY_MEAN_AT_NAME),
    (MetricKeys.AUC_AT_CLASS, MetricKeys.AUC_AT_NAME),
    (MetricKeys.AUC_PR_AT_CLASS, MetricKeys.AUC_PR_AT_NAME),
)
_AT_THRESHOLD = (
    (MetricKeys.ACCURACY_AT_THRESHOLD, measures.accuracy_at_threshold),
    (MetricKeys.PRECISION_AT_THRESHOLD, measures.precision_at_threshold),
    (MetricKeys.RECALL_AT_THRESHOLD, measures.recall_at_threshold),
)


class MultiLabelHead(SimpleHead):
    """Logistic functions of the logits of classes; see multi_label_head."""

    def __init__(
        self, n_classes, weight_column=None, thresholds=None, label_vocabulary=None,
        loss_reduction=Reduction.SUM_OVER_BATCH_SIZE, loss_fn=None,
        classes_for_class_based_metrics=None, name=None,
    ):  # fmt: skip
        if n_classes is None or n_classes < 2:
            raise ValueError(
                "n_classes must be > 1 for multi-class classification. Given: "
                f"{n_classes}"
            )
        self._thresholds = tuple(thresholds or ())
        for threshold in self._thresholds:
            if threshold <= 0.0 or threshold >= 1.0:
                raise ValueError(
                    f"thresholds must be in (0, 1) range. Given: {threshold}"
                )
        _check_vocabulary(label_vocabulary, n_classes)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._label_vocabulary = n_classes, label_vocabulary
        self._metric_classes = _class_ids(
            classes_for_class_based_metrics or (), label_vocabulary, n_classes
        )

    @property
    def logits_dimension(self) -> int:
        """The number of classes."""
        return self._n_classes

    # ------------------------------------------------------------------ labels
    def _processed_labels(self, labels, logits):
        if labels is None:
            raise no_labels()
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            labels = to_int64(sparse_to_indicator(self._ids(labels), self._n_classes))
        elif self._label_vocabulary is not None and labels.dtype == dtypes.string:
            raise TypeError(f"Expected int64 labels, one for each class, got {labels}")
        labels = check_dense_labels_match_logits_and_reshape(
            labels, logits, self._n_classes
        )
        return check_label_range(
            labels, 2, message="labels must be a multi-hot Tensor with values in [0, 1]"
        )

    def _ids(self, labels):
        """A SparseTensor of the numbers of classes, checked."""
        if labels.dtype == dtypes.string:
            values = ids_of(labels.values, self._label_vocabulary)
            return SparseTensor(labels.indices, values, labels.dense_shape)
        message = (
            "labels must be an integer SparseTensor with values in "
            f"[0, {self._n_classes})"
        )
        assert_integer(labels.values, message=message)
        checked = check_label_range(labels.values, self._n_classes, message=message)
        return SparseTensor(labels.indices, to_int64(checked), labels.dense_shape)

    def _losses(self, labels, logits):
        found = sigmoid_cross_entropy(
            multi_class_labels=labels, logits=logits, reduction=Reduction.NONE
        )
        return reduce_mean(found, axis=-1, keepdims=True)

    # ------------------------------------------------------------------ the spec
    def _predictions(self, logits):
        return {
            PredictionKeys.LOGITS: logits,
            PredictionKeys.PROBABILITIES: sigmoid(
                logits, name=PredictionKeys.PROBABILITIES
            ),
        }

    def _export_outputs(self, predictions):
        scores = predictions[PredictionKeys.PROBABILITIES]
        return {
            CLASSIFY: classification_output(
                scores, self._n_classes, self._label_vocabulary
            )
        }

    def _metrics(self, predictions, spec):
        labels, weights = spec.processed_labels, spec.weights
        probabilities = predictions[PredictionKeys.PROBABILITIES]
        found = {
            key: measures.auc(labels, probabilities, weights, curve, name=key)
            for key, curve in ((MetricKeys.AUC, "ROC"), (MetricKeys.AUC_PR, "PR"))
        }
        for threshold in self._thresholds:
            for key, metric in _AT_THRESHOLD:
                whole = key % threshold
                found[whole] = metric(
                    labels, probabilities, weights, threshold, name=whole
                )
        for i in self._metric_classes:
            found.update(self._of_class(i, labels, probabilities, weights))
        return found

    def _of_class(self, i, labels, probabilities, weights):
        """The metrics of one class."""
        row, chance = labels[..., i : i + 1], probabilities[..., i : i + 1]
        if self._label_vocabulary is None:
            mean, auc, area = (by_id % i for by_id, _ in _OF_CLASS)
        else:
            name = self._label_vocabulary[i]
            mean, auc, area = (by_name % name for _, by_name in _OF_CLASS)
        return {
            mean: measures.predictions_mean(chance, weights, name=mean),
            auc: measures.auc(row, chance, weights, name=auc),
            area: measures.auc(row, chance, weights, "PR", name=area),
        }


def _check_vocabulary(vocabulary, n_classes):
    if vocabulary is None:
        return
    if not isinstance(vocabulary, list | tuple):
        raise ValueError(
            f"label_vocabulary must be a list or tuple. Given type: {type(vocabulary)}"
        )
    if len(vocabulary) != n_classes:
        raise ValueError(
            f"Length of label_vocabulary must be n_classes ({n_classes}). Given: "
            f"{len(vocabulary)}"
        )


def _class_ids(classes, vocabulary, n_classes):
    """The numbers of the classes that have metrics of their own."""
    if classes and isinstance(classes[0], str):
        if not vocabulary:
            raise ValueError(
                "label_vocabulary must be provided when "
                "classes_for_class_based_metrics are sting."
            )
        return tuple(vocabulary.index(name) for name in classes)
    for i in classes:
        if i < 0 or i >= n_classes:
            raise ValueError(
                "All classes_for_class_based_metrics must be in range "
                f"[0, {n_classes - 1}]. Given: {i}"
            )
    return tuple(classes)


def multi_label_head(
    n_classes: int, weight_column: Any = None, thresholds: Any = None,
    label_vocabulary: Any = None,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    classes_for_class_based_metrics: Any = None, name: str | None = None,
) -> Head:  # fmt: skip
    """A head of any number of classes for each example: a logistic loss of each.

    Labels are 0 and 1 for each class, or a SparseTensor of numbers or names of classes.

    Args:
        n_classes: more than 1. thresholds: see binary_classification_head.
        classes_for_class_based_metrics: numbers or names of classes that have metrics
            of their own.
        The others: see multi_class_head.
    Raises:
        ValueError: an argument does not do.
    Example:
        tf.contrib.estimator.multi_label_head(4).logits_dimension  # 4
    """
    return MultiLabelHead(
        n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn,
        classes_for_class_based_metrics, name,
    )  # fmt: skip
