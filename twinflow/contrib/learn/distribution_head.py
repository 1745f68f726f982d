"""A head whose loss is that of a distribution."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.learn.heads import Head, _RegressionHead
from twinflow.contrib.learn.keys import PredictionKey
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.shape import squeeze


def estimator_head_distribution_regression(
    make_distribution_fn: Callable[..., Any], label_dimension: int = 1,
    logits_dimension: int | None = None, label_name: Any = None,
    weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: Any = None,
) -> Head:  # fmt: skip
    """The head of a regression whose logits are parameters of a distribution.

    Its loss is the mean of -log p(labels), its predictions are means.

    Args:
        make_distribution_fn: from logits, float32[n, logits_dimension], to a
            Distribution.
        label_dimension: how many numbers a label has.
        logits_dimension: how many logits there are; as many as labels by default.
        label_name, weight_column_name, enable_centered_bias, head_name: see
            tf.contrib.learn.regression_head.
    Example:
        def normal(logits):
            return tf.distributions.Normal(logits[:, 0], tf.exp(logits[:, 1]))
        head = tf.contrib.distributions.estimator_head_distribution_regression(
            normal, logits_dimension=2)
        head.logits_dimension  # 2
    """
    return _DistributionRegressionHead(
        make_distribution_fn, label_dimension, logits_dimension, label_name,
        weight_column_name, enable_centered_bias, head_name,
    )  # fmt: skip


class _DistributionRegressionHead(_RegressionHead):
    """The head; it keeps the distribution of each tensor of logits."""

    def __init__(
        self, make_distribution_fn: Callable, label_dimension: int,
        logits_dimension: int | None = None, label_name: Any = None,
        weight_column_name: Any = None, enable_centered_bias: bool = False,
        head_name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            logits_dimension or label_dimension, label_name, weight_column_name,
            enable_centered_bias, head_name or "regression_head",
        )  # fmt: skip
        self._make, self._label_dimension = make_distribution_fn, label_dimension
        self._distributions: dict[Any, Any] = {}

    @property
    def distributions(self) -> dict:
        """{logits: their Distribution}"""
        return self._distributions

    def distribution(self, logits: Any, name: str | None = None) -> Any:
        """The Distribution of logits, made once."""
        with name_scope(name, "distribution", [logits]):
            found = self._distributions.get(logits)
            if found is None:
                found = self._distributions[logits] = self._make(logits)
            return found

    def losses(self, labels: Any, logits: Any) -> Any:
        """-log p(labels)."""
        labels = convert_to_tensor(labels, logits.dtype)
        if self._label_dimension == 1 and labels.shape.ndims == 2:
            labels = squeeze(labels, [1])
        return -self.distribution(logits).log_prob(labels)

    def predictions(self, logits: Any) -> dict:
        """{"scores": the means}"""
        return {PredictionKey.SCORES: self.distribution(logits).mean()}
