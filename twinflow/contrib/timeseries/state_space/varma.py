"""Vector autoregression with moving averages."""

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModel,
    StateSpaceModelConfiguration,
)
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import log, maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import reshape
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer


class VARMA(StateSpaceModel):
    """Values made of those before, and of noise now and before.

    Args:
        autoregressive_order: int, how many values before count.
        moving_average_order: int, how many noises before count.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, autoregressive_order: int, moving_average_order: int,
        configuration: StateSpaceModelConfiguration = StateSpaceModelConfiguration(),  # noqa: B008
    ) -> None:  # fmt: skip
        self.ar_order, self.ma_order = autoregressive_order, moving_average_order
        self.state_num_blocks = max(autoregressive_order, moving_average_order + 1)
        super().__init__(configuration=configuration)
        self.state_dimension = self.state_num_blocks * self.num_features

    def _define_parameters(self, observation_transition_tradeoff_log=None):
        features = self.num_features
        with self._scope():
            self.ar_coefs = get_variable(
                "ar_coefs", [features, features, self.ar_order], self.dtype,
                zeros_initializer(),
            )  # fmt: skip
            start = np.tile(np.eye(features)[None], [self.ma_order, 1, 1])
            self.ma_coefs = get_variable(
                "ma_coefs", initializer=constant(start, self.dtype), dtype=self.dtype
            )
        super()._define_parameters(observation_transition_tradeoff_log)

    def get_state_transition(self) -> Tensor:
        """See StateSpaceModel."""
        features, blocks = self.num_features, self.state_num_blocks
        padded = pad(self.ar_coefs, [[0, 0], [0, 0], [0, blocks - self.ar_order]])
        first = reshape(padded, [features, self.state_dimension])
        moved = np.eye(self.state_dimension)[: self.state_dimension - features]
        return concat([first, constant(moved, self.dtype)], axis=0)

    def get_noise_transform(self) -> Tensor:
        """See StateSpaceModel."""
        features = self.num_features
        rest = self.state_num_blocks - 1 - self.ma_order
        padded = pad(self.ma_coefs, [[rest, 0], [0, 0], [0, 0]])
        before = reshape(padded, [(rest + self.ma_order) * features, features])
        return concat([before, eye(features, dtype=self.dtype)], axis=0)

    def get_observation_model(self, times: TensorValue) -> Tensor:
        """See StateSpaceModel: the first block, and the last where it holds noise."""
        shown = np.eye(self.num_features, self.state_dimension)
        if self.state_num_blocks > max(self.ar_order, 1):
            shown[:, -self.num_features :] += np.eye(self.num_features)
        return constant(shown, self.dtype)

    def _transition_scale(self, least):
        """How much states change at first, as a logarithm: as much as values."""
        if self._input_statistics is None:
            return zeros([], self.dtype)
        return log(maximum(reduce_mean(self._start_variances(0.0)), least))
