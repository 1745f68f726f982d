"""The head of one of several classes."""

from twinflow.base import dtypes
from twinflow.estimator.canned.classes import classification_output, ids_of, names_of
from twinflow.estimator.canned.head import CLASSIFY, SimpleHead
from twinflow.estimator.canned.metric_keys import MetricKeys
from twinflow.estimator.canned.prediction_keys import PredictionKeys
from twinflow.estimator.canned.shapes import (
    check_dense_labels_match_logits_and_reshape,
    check_label_range,
)
from twinflow.losses.losses import sparse_softmax_cross_entropy
from twinflow.losses.weighting import Reduction
from twinflow.metrics.means import accuracy
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.softmax import softmax


class MultiClassHead(SimpleHead):
    """Softmax over the classes; labels are their numbers, or their names.

    Args:
        n_classes: more than 2. label_vocabulary: the names, if labels are strings.
        The others: see SimpleHead.
    """

    def __init__(
        self, n_classes, weight_column=None, label_vocabulary=None,
        loss_reduction=Reduction.SUM, loss_fn=None, name=None,
    ):  # fmt: skip
        if n_classes is None or n_classes <= 2:
            raise ValueError(f"n_classes must be > 2: {n_classes}.")
        if label_vocabulary is not None and not isinstance(
            label_vocabulary, list | tuple
        ):
            raise ValueError(
                "label_vocabulary should be a list or a tuple. Given type: "
                f"{type(label_vocabulary)}"
            )
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._label_vocabulary = n_classes, label_vocabulary

    @property
    def logits_dimension(self) -> int:
        """The number of classes."""
        return self._n_classes

    def _processed_labels(self, labels, logits):
        labels = check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        vocabulary = self._label_vocabulary
        if vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError(
                    f"Labels dtype should be integer. Instead got {labels.dtype!r}."
                )
        elif labels.dtype != dtypes.string:
            raise ValueError(
                "Labels dtype should be string if there is a vocabulary. Instead got "
                f"{labels.dtype!r}"
            )
        else:
            labels = ids_of(labels, vocabulary)
        return check_label_range(labels, self._n_classes)

    def _losses(self, labels, logits):
        found = sparse_softmax_cross_entropy(
            labels=labels, logits=logits, reduction=Reduction.NONE
        )
        return expand_dims(found, axis=-1)  # as labels and weights have it

    def _predictions(self, logits):
        ids = expand_dims(argmax(logits, axis=-1, name=PredictionKeys.CLASS_IDS), -1)
        return {
            PredictionKeys.LOGITS: logits,
            PredictionKeys.PROBABILITIES: softmax(
                logits, name=PredictionKeys.PROBABILITIES
            ),
            PredictionKeys.CLASS_IDS: ids,
            PredictionKeys.CLASSES: names_of(ids, self._label_vocabulary),
        }

    def _export_outputs(self, predictions):
        return {
            CLASSIFY: classification_output(
                predictions[PredictionKeys.PROBABILITIES], self._n_classes,
                self._label_vocabulary,
            ),
        }  # fmt: skip

    def _metrics(self, predictions, spec):
        return {
            MetricKeys.ACCURACY: accuracy(
                spec.processed_labels, predictions[PredictionKeys.CLASS_IDS],
                spec.weights, name=MetricKeys.ACCURACY,
            ),
        }  # fmt: skip


def multi_class_head_with_softmax_cross_entropy_loss(
    n_classes, weight_column=None, label_vocabulary=None,
    loss_reduction=Reduction.SUM, loss_fn=None, name=None,
):  # fmt: skip
    """The head of one of several classes; see MultiClassHead."""
    return MultiClassHead(
        n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name
    )
