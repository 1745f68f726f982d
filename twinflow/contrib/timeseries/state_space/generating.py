"""Series drawn from state space models."""

from collections.abc import Callable
from typing import Any

from twinflow.base.dtypes import int64
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import TrainEvalFeatures
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.joining import stack, tile
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape, squeeze
from twinflow.ops.matrix.cholesky import cholesky
from twinflow.ops.random.draws import random_normal


class StateDraws:
    """Draws series from a state space model.

    Args:
        model: a StateSpaceModel. parameter: a function from tensors to their values.
        seed: int.
    """

    def __init__(self, model: Any, parameter: Callable, seed: int | None) -> None:
        self._model, self._parameter, self._seed = model, parameter, seed
        self._draws = 0

    def _noise(self, covariance, count):
        """float[count, n], normal with a covariance."""
        self._draws += 1
        covariance = convert_to_tensor(covariance)
        seed = None if self._seed is None else self._seed + self._draws
        size = covariance.shape[-1].value
        plain = random_normal([count, size], dtype=covariance.dtype, seed=seed)
        return matmul(plain, cholesky(covariance), transpose_b=True)

    def series(self, count: int, length: int, noisy: bool) -> dict[str, Tensor]:
        """dict of times, int64[count, length], and values, [count, length, features].

        Args:
            count, length: ints. noisy: whether values have noise of their own.
        """
        model, parameter = self._model, self._parameter
        mean, covariance, start = (parameter(x) for x in model.get_start_state())
        state = mean + self._noise(covariance, count)
        transition = convert_to_tensor(model.get_state_transition(), model.dtype)
        transform = convert_to_tensor(model.get_noise_transform(), model.dtype)
        noise = parameter(model.state_transition_noise_covariance)
        times = tile((start + 1 + numbers(length, dtype=int64))[None], [count, 1])
        values = []
        for step in range(length):
            push = matmul(self._noise(noise, count), transform, transpose_b=True)
            state = matmul(state, transition, transpose_b=True) + push
            shown = model.get_broadcasted_observation_model(times[:, step])
            values.append(squeeze(matmul(shown, state[..., None]), [-1]))
        shown = stack(values, axis=1)
        if noisy:
            spread = parameter(model.observation_noise_covariance)
            extra = self._noise(spread, count * length)
            shown = shown + reshape(extra, [count, length, model.num_features])
        return {
            TrainEvalFeatures.TIMES: times,
            TrainEvalFeatures.VALUES: model._scale_back_data(shown),
            **model.get_features_for_timesteps(times),
        }
