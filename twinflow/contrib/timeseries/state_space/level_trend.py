"""A level and a trend: the local linear trend model."""

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModel,
    StateSpaceModelConfiguration,
)
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_mean


class AdderStateSpaceModel(StateSpaceModel):
    """A level, to which a slowly changing trend is added at each time.

    Args:
        use_level_noise: whether the level has noise beside that of the trend.
        configuration: a StateSpaceModelConfiguration, of one feature.
    """

    def __init__(
        self, use_level_noise: bool = True,
        configuration: StateSpaceModelConfiguration = StateSpaceModelConfiguration(),  # noqa: B008
    ) -> None:  # fmt: skip
        self._use_level_noise = use_level_noise
        super().__init__(configuration=configuration)

    def get_prior_mean(self) -> Tensor:
        """See StateSpaceModel: the level begins where the series does."""
        prior = super().get_prior_mean()
        if self._input_statistics is None:
            return prior
        start = self._scale_data(self._input_statistics.series_start_moments.mean)
        return prior + stack([reduce_mean(start), zeros([], self.dtype)])

    def get_state_transition(self) -> Tensor:
        """See StateSpaceModel."""
        return constant([[1.0, 1.0], [0.0, 1.0]], self.dtype)

    def get_noise_transform(self) -> Tensor:
        """See StateSpaceModel."""
        every = [[1.0, 0.0], [0.0, 1.0]] if self._use_level_noise else [[0.0], [1.0]]
        return constant(every, self.dtype)

    def get_observation_model(self, times: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return constant([1.0, 0.0], self.dtype)
