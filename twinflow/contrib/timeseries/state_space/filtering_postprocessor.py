"""What may happen after each observation: anomalies count less."""

import abc
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.distributions.cauchy import Cauchy
from twinflow.contrib.timeseries.matrices import entropy_matched_cauchy_scale
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape


class FilteringStepPostprocessor(abc.ABC):
    """Changes a state after an observation; the base of such."""

    @property
    @abc.abstractmethod
    def output_names(self) -> list[str]:
        """The names of what `process_filtering_step` adds to the outputs."""

    @abc.abstractmethod
    def process_filtering_step(
        self, current_times: TensorValue, current_values: TensorValue,
        predicted_state: Any, filtered_state: Any, outputs: dict,
    ) -> tuple[Any, dict]:  # fmt: skip
        """(state, outputs) after an observation.

        Args:
            current_times: int64[batch]. current_values: float[batch, features].
            predicted_state, filtered_state: before and after the observation.
            outputs: dict of what the model gives, such as `log_likelihood`.
        """


def cauchy_alternative_to_gaussian(
    current_times: TensorValue, current_values: TensorValue, outputs: dict
) -> Tensor:
    """The log likelihood of values in Cauchy distributions, float[batch].

    Args:
        current_times: int64[batch]. current_values: float[batch, features].
        outputs: dict with the mean and the covariance of the values.
    """
    scale = entropy_matched_cauchy_scale(outputs["covariance"])
    heavy = Cauchy(loc=outputs["mean"], scale=scale)
    return reduce_sum(heavy.log_prob(current_values), axis=-1)


class StateInterpolatingAnomalyDetector(FilteringStepPostprocessor):
    """Anomalous observations change the state less.

    Args:
        anomaly_log_likelihood: a function of times, values and outputs that gives
            float[batch], how likely values are as anomalies.
        anomaly_prior_probability: float, of anomalies.
        responsibility_scaling: float, by which the odds of anomalies are multiplied, as
            logarithms.
    """

    output_names = ["anomaly_score"]

    def __init__(
        self, anomaly_log_likelihood: Callable = cauchy_alternative_to_gaussian,
        anomaly_prior_probability: float = 0.01, responsibility_scaling: float = 1.0,
    ) -> None:  # fmt: skip
        self._likelihood = anomaly_log_likelihood
        self._scaling = responsibility_scaling
        self._prior = float(anomaly_prior_probability)

    def process_filtering_step(
        self, current_times: TensorValue, current_values: TensorValue,
        predicted_state: Any, filtered_state: Any, outputs: dict,
    ) -> tuple[Any, dict]:  # fmt: skip
        """See FilteringStepPostprocessor."""
        odd = self._likelihood(
            current_times=current_times, current_values=current_values, outputs=outputs
        ) + np.log(self._prior)
        usual = outputs["log_likelihood"] + np.log1p(-self._prior)
        share = sigmoid(-self._scaling * (odd - usual))
        state = _between(filtered_state, predicted_state, share)
        loss = -(share * usual + (1.0 - share) * odd)
        return state, {**outputs, "loss": loss, "anomaly_score": odd - usual}


def _between(first_state, second_state, first_share):
    """A state between two: floats are mixed, others are the first's."""

    def mixed(first, second):
        if not first.dtype.is_floating:
            return first
        share = reshape(
            first_share, concat([shape(first_share), [1] * (first.shape.ndims - 1)], 0)
        )
        return share * first + (1.0 - share) * second

    return nest.map_structure(mixed, first_state, second_state)
