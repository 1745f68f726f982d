"""The Kalman filter: what is known of a state, before and after an observation."""

from typing import Any

from twinflow.base.dtypes import float32
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.distributions.mvn import MultivariateNormalTriL
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape, squeeze
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.matrix.cholesky import cholesky
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.matrix.solve import matrix_solve


class KalmanFilter:
    """Linear-Gaussian filtering of batches of states.

    Args:
        dtype: of the states. simplified_posterior_covariance_computation: take the
            short formula of the covariance after an observation, which rounding may
            make indefinite, in place of Joseph's.
    """

    def __init__(
        self, dtype: Any = float32,
        simplified_posterior_covariance_computation: bool = False,
    ) -> None:  # fmt: skip
        self.dtype = dtype
        self._short = simplified_posterior_covariance_computation

    def do_filter(
        self, estimated_state: TensorValue, estimated_state_covariance: TensorValue,
        predicted_observation: TensorValue,
        predicted_observation_covariance: TensorValue, observation: TensorValue,
        observation_model: TensorValue, observation_noise: TensorValue,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        """States after observations, and how likely these were.

        Args:
            estimated_state: float[batch, states]. estimated_state_covariance:
                float[batch, states, states]. predicted_observation: float[batch, n].
            predicted_observation_covariance: float[batch, n, n].
            observation: float[batch, n].
            observation_model: float[batch, n, states], or without the batch.
            observation_noise: float[n, n].
        Returns:
            (state, covariance, float[batch] log probability of the observation).
        """
        symmetric = 0.5 * (
            predicted_observation_covariance
            + matrix_transpose(predicted_observation_covariance)
        )
        likelihood = MultivariateNormalTriL(
            loc=predicted_observation, scale_tril=cholesky(symmetric)
        ).log_prob(observation)
        state, covariance = self.posterior_from_prior_state(
            estimated_state, estimated_state_covariance, observation,
            observation_model,
            (predicted_observation, predicted_observation_covariance),
            observation_noise,
        )  # fmt: skip
        return state, covariance, likelihood

    def predict_state_mean(
        self, prior_state: TensorValue, transition_matrices: TensorValue
    ) -> Tensor:
        """States after transitions, float[batch, states].

        Args:
            prior_state: float[batch, states].
            transition_matrices: float[batch, states, states].
        """
        return squeeze(matmul(transition_matrices, prior_state[..., None]), [-1])

    def predict_state_var(
        self, prior_state_var: TensorValue, transition_matrices: TensorValue,
        transition_noise_sums: TensorValue,
    ) -> Tensor:  # fmt: skip
        """Covariances after transitions, float[batch, states, states].

        Args:
            prior_state_var, transition_matrices, transition_noise_sums:
                float[batch, states, states].
        """
        moved = matmul(transition_matrices, prior_state_var)
        moved = matmul(moved, transition_matrices, transpose_b=True)
        return moved + transition_noise_sums

    def observed_from_state(
        self, state_mean: TensorValue, state_var: TensorValue,
        observation_model: TensorValue, observation_noise: TensorValue,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """(mean, covariance) of what states show, float[batch, n], float[batch, n, n].

        Args:
            state_mean: float[batch, states]. state_var: float[batch, states, states].
            observation_model, observation_noise: see do_filter.
        """
        model = _batched(observation_model, state_var)
        mean = squeeze(matmul(model, state_mean[..., None]), [-1])
        covariance = matmul(matmul(model, state_var), model, transpose_b=True)
        return mean, covariance + observation_noise

    def posterior_from_prior_state(
        self, prior_state: TensorValue, prior_state_var: TensorValue,
        observation: TensorValue, observation_model: TensorValue,
        predicted_observations: Any, observation_noise: TensorValue,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """(state, covariance) after observations.

        Args:
            prior_state, prior_state_var, observation, observation_model,
            observation_noise: see do_filter. predicted_observations: (mean,
            covariance), as observed_from_state gives.
        """
        mean, covariance = predicted_observations
        model = _batched(observation_model, prior_state_var)
        seen = matmul(model, prior_state_var, adjoint_b=True)
        gain = matrix_solve(covariance, seen)  # its transpose, [batch, n, states]
        error = (observation - mean)[..., None]
        state = prior_state + squeeze(matmul(gain, error, adjoint_a=True), [-1])
        size = prior_state_var.shape[-1].value
        left = eye(size, dtype=self.dtype) - matmul(gain, model, adjoint_a=True)
        posterior = matmul(left, prior_state_var)
        if self._short:
            return state, posterior
        posterior = matmul(posterior, left, transpose_b=True)
        noise = matmul(gain, observation_noise + zeros_like(covariance), adjoint_a=True)
        return state, posterior + matmul(noise, gain)


def _batched(model, like):
    """An observation model for each of a batch."""
    if model.shape.ndims == 3:
        return model
    return model[None] + zeros(concat([shape(like)[:1], [1, 1]], 0), model.dtype)
