"""Distributions whose methods take further named arguments."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.distributions.distribution import Distribution
from twinflow.distributions.transformed_distribution import TransformedDistribution


class ConditionalDistribution(Distribution):
    """A Distribution that hands further named arguments to the methods of a subclass.

    Args: see tf.distributions.Distribution.
    """

    def sample(
        self, sample_shape: Any = (), seed: int | None = None,
        name: str | None = "sample", **condition_kwargs: Any,
    ) -> Tensor:  # fmt: skip
        """Samples; see Distribution.sample."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    def log_prob(
        self, value: TensorValue, name: str | None = "log_prob", **condition_kwargs: Any
    ) -> Tensor:
        """The log density; see Distribution.log_prob."""
        return self._call_log_prob(value, name, **condition_kwargs)

    def prob(
        self, value: TensorValue, name: str | None = "prob", **condition_kwargs: Any
    ) -> Tensor:
        """The density; see Distribution.log_prob."""
        return self._call_prob(value, name, **condition_kwargs)

    def log_cdf(
        self, value: TensorValue, name: str | None = "log_cdf", **condition_kwargs: Any
    ) -> Tensor:
        """log P[X <= value]; see Distribution.log_prob."""
        return self._call_log_cdf(value, name, **condition_kwargs)

    def cdf(
        self, value: TensorValue, name: str | None = "cdf", **condition_kwargs: Any
    ) -> Tensor:
        """P[X <= value]; see Distribution.log_prob."""
        return self._call_cdf(value, name, **condition_kwargs)

    def log_survival_function(
        self, value: TensorValue, name: str | None = "log_survival_function",
        **condition_kwargs: Any,
    ) -> Tensor:  # fmt: skip
        """log P[X > value]; see Distribution.log_prob."""
        return self._call_log_survival_function(value, name, **condition_kwargs)

    def survival_function(
        self, value: TensorValue, name: str | None = "survival_function",
        **condition_kwargs: Any,
    ) -> Tensor:  # fmt: skip
        """P[X > value]; see Distribution.log_prob."""
        return self._call_survival_function(value, name, **condition_kwargs)


class ConditionalTransformedDistribution(
    ConditionalDistribution, TransformedDistribution
):
    """A TransformedDistribution whose methods take further named arguments.

    `bijector_kwargs` and `distribution_kwargs`, dicts, go to the bijector and to the
    distribution of X.

    Args: see TransformedDistribution.
    """

    def _for_bijector(self, kwargs):
        return kwargs.get("bijector_kwargs") or {}

    def _for_distribution(self, kwargs):
        return kwargs.get("distribution_kwargs") or {}
