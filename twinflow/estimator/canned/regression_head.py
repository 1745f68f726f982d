"""The head of numbers."""

from twinflow.estimator.canned.head import REGRESS, SimpleHead
from twinflow.estimator.canned.measures import predictions_mean
from twinflow.estimator.canned.metric_keys import MetricKeys
from twinflow.estimator.canned.prediction_keys import PredictionKeys
from twinflow.estimator.canned.shapes import (
    check_dense_labels_match_logits_and_reshape,
)
from twinflow.estimator.export_outputs import RegressionOutput
from twinflow.losses.losses import mean_squared_error
from twinflow.losses.weighting import Reduction
from twinflow.metrics.means import mean
from twinflow.ops.core.constant import to_float


class RegressionHead(SimpleHead):
    """Squares of differences; labels are numbers.

    Args:
        label_dimension: how many numbers. inverse_link_fn: from logits to predictions.
        The others: see SimpleHead.
    """

    per_logit_weights = True

    def __init__(
        self, label_dimension, weight_column=None, loss_reduction=Reduction.SUM,
        loss_fn=None, inverse_link_fn=None, name=None,
    ):  # fmt: skip
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._logits_dimension = self.loss_dimension = label_dimension
        self._inverse_link_fn = inverse_link_fn

    @property
    def logits_dimension(self) -> int:
        """The label dimension."""
        return self._logits_dimension

    def _processed_labels(self, labels, logits):
        return to_float(
            check_dense_labels_match_logits_and_reshape(
                labels, logits, self._logits_dimension
            )
        )

    def _losses(self, labels, logits):
        return mean_squared_error(labels, logits, reduction=Reduction.NONE)

    def _predictions(self, logits):
        if self._inverse_link_fn is None:
            return {PredictionKeys.PREDICTIONS: logits}
        return {
            PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits),
            PredictionKeys.LOGITS: logits,
        }

    def _export_outputs(self, predictions):
        return {REGRESS: RegressionOutput(predictions[PredictionKeys.PREDICTIONS])}

    def _metrics(self, predictions, spec):
        return {
            MetricKeys.PREDICTION_MEAN: predictions_mean(
                predictions[PredictionKeys.PREDICTIONS], spec.weights,
                name=MetricKeys.PREDICTION_MEAN,
            ),
            MetricKeys.LABEL_MEAN: mean(
                spec.processed_labels, spec.weights, name=MetricKeys.LABEL_MEAN
            ),
        }  # fmt: skip


def regression_head(
    weight_column=None, label_dimension=1, loss_reduction=Reduction.SUM, loss_fn=None,
    inverse_link_fn=None, name=None,
):  # fmt: skip
    """The head of numbers; see RegressionHead."""
    return RegressionHead(
        label_dimension, weight_column, loss_reduction, loss_fn, inverse_link_fn, name
    )
