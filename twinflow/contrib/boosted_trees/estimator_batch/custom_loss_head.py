"""A head with a loss of one's own."""

from typing import Any

from twinflow.contrib.learn.heads import _RegressionHead
from twinflow.ops.core.creation import ones
from twinflow.ops.core.shape import shape

__all__ = ["CustomLossHead"]


class CustomLossHead(_RegressionHead):
    """A head with a loss of one's own.

    Args:
        loss_fn: (labels, weights float32[batch, 1], logits) -> (losses, update op).
        link_fn: from logits to predictions. logit_dimension: int. head_name: of the
            scope. weight_column_name: the key of the weights among the features.
        metrics_fn: (predictions, labels, weights) -> {name: (value, update op)}.
    """

    def __init__(
        self, loss_fn: Any, link_fn: Any, logit_dimension: int,
        head_name: str | None = None, weight_column_name: str | None = None,
        metrics_fn: Any = None,
    ) -> None:  # fmt: skip
        name = head_name or "regression_head"
        super().__init__(
            logit_dimension, None, weight_column_name, False, name, link_fn=link_fn
        )
        self._loss_fn, self._metrics_fn = loss_fn, metrics_fn
        self._given: Any = None

    def _weights(self, features):
        """None: the loss has them in it already."""
        self._given = super()._weights(features)

    def losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example."""
        weights = self._given
        if weights is None:
            weights = ones([shape(logits)[0], 1])
        return self._loss_fn(labels, weights, logits)[0]

    def metrics(self, labels: Any, predictions: Any, weights: Any) -> dict[Any, Any]:
        """{name: (value, update op)}"""
        if self._metrics_fn is None:
            return {}
        return self._metrics_fn(predictions, labels, self._given)
