"""Series that repeat: one latent value for each time of a period, or fewer."""

from typing import Any

import numpy as np

from twinflow.base.dtypes import int64
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModel,
    StateSpaceModelConfiguration,
)
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros_like
from twinflow.ops.core.division import floormod
from twinflow.ops.core.rounding import rint
from twinflow.ops.math.trigonometry import sin


class CycleStateSpaceModel(StateSpaceModel):
    """Values that repeat after a period, and sum to zero over it.

    Args:
        periodicity: int, how many times a period has.
        configuration: a StateSpaceModelConfiguration, of one feature.
    """

    def __init__(
        self, periodicity: int,
        configuration: StateSpaceModelConfiguration = StateSpaceModelConfiguration(),  # noqa: B008
    ) -> None:  # fmt: skip
        self._periodicity = periodicity
        super().__init__(configuration=configuration)

    def get_state_transition(self) -> Tensor:
        """See StateSpaceModel: the values move on; the new one is minus their sum."""
        size = self._periodicity - 1
        return constant(
            np.concatenate([-np.ones([1, size]), np.eye(size)[:-1]]), self.dtype
        )

    def get_noise_transform(self) -> Tensor:
        """See StateSpaceModel."""
        return constant(np.eye(self._periodicity - 1)[:, :1], self.dtype)

    def get_observation_model(self, times: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return constant(np.eye(self._periodicity - 1)[0], self.dtype)

    def transition_to_powers(self, powers: TensorValue) -> Tensor:
        """See StateSpaceModel: those of less than a period."""
        powers = convert_to_tensor(powers)
        return super().transition_to_powers(powers % self._periodicity)


class ResolutionCycleModel(CycleStateSpaceModel):
    """As CycleStateSpaceModel, with fewer latent values than times in a period.

    Between them values are interpolated by sines, and the period need not be whole.

    Args:
        num_latent_values: int, odd and at least 3. periodicity: float, the period.
        near_integer_threshold: float, below which a distance to a latent value counts
            as none. configuration: a StateSpaceModelConfiguration, of one feature.
    Raises:
        ValueError: num_latent_values is even or below 3.
    """

    def __init__(
        self, num_latent_values: int, periodicity: Any,
        near_integer_threshold: float = 1e-8,
        configuration: StateSpaceModelConfiguration = StateSpaceModelConfiguration(),  # noqa: B008
    ) -> None:  # fmt: skip
        if num_latent_values % 2 != 1 or num_latent_values < 3:
            raise ValueError(
                "ResolutionCycleModel requires num_latent_values to be an odd number "
                f"of at least 3, got {num_latent_values}."
            )
        self._num_latent_values = num_latent_values
        self._period, self._threshold = periodicity, near_integer_threshold
        super().__init__(periodicity=num_latent_values, configuration=configuration)

    def get_state_transition(self) -> Tensor:
        """See StateSpaceModel."""
        size = self._num_latent_values - 1
        found = self.transition_to_powers(ones([1], int64))[0]
        found.set_shape([size, size])
        return found

    def transition_to_powers(self, powers: TensorValue) -> Tensor:
        """See StateSpaceModel: a circulant matrix of sines, whose rows sum to one.

        Latent value j counts at distance d by D(d) = sin(pi d) / (n sin(pi d / n)), and
        the last one is minus the sum of the others.
        """
        powers = convert_to_tensor(powers)
        count, size = self._num_latent_values, self._num_latent_values - 1
        period = cast(self._period, self.dtype)
        turns = cast(powers, self.dtype) * (cast(count, self.dtype) / period)
        place = np.arange(size)
        away = turns[..., None, None] - constant(
            (place[:, None] - place[None, :]).astype(float), self.dtype
        )
        last = turns[..., None] - constant((place + 1.0), self.dtype)
        return self._kernel(away) - self._kernel(last)[..., None]

    def _kernel(self, distance):
        """D(d), which is 1 at multiples of n and 0 at other whole numbers."""
        count = float(self._num_latent_values)
        whole = rint(distance)
        near = abs(distance - whole) < self._threshold
        offset = where(near, zeros_like(distance) + 0.5, distance)
        wave = sin(offset * np.pi) / (count * sin(offset * (np.pi / count)))
        at = cast(equal(floormod(whole, count), 0.0), self.dtype)
        return where(near, at, wave)
