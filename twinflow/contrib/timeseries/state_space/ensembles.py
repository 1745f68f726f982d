"""Several state space models as one."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.matrices import block_diagonal
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModel,
    StateSpaceModelConfiguration,
)
from twinflow.ops.core.elementwise import add_n
from twinflow.ops.core.joining import concat


class StateSpaceEnsemble(StateSpaceModel):
    """Models whose states stand side by side; the base of ensembles.

    Args:
        ensemble_members: list of StateSpaceModels.
        configuration: a StateSpaceModelConfiguration, of the whole.
    """

    def __init__(
        self, ensemble_members: Any, configuration: StateSpaceModelConfiguration
    ) -> None:
        self._ensemble_members = ensemble_members
        super().__init__(configuration=configuration)

    def _set_input_statistics(self, input_statistics=None):
        super()._set_input_statistics(input_statistics)
        for member in self._ensemble_members:
            member._set_input_statistics(input_statistics)

    def _define_parameters(self, observation_transition_tradeoff_log=None):
        if observation_transition_tradeoff_log is None:
            with self._scope():
                observation_transition_tradeoff_log = (
                    self._variable_observation_transition_tradeoff_log()
                )
        for member in self._ensemble_members:
            member._define_parameters(observation_transition_tradeoff_log)
        super()._define_parameters(observation_transition_tradeoff_log)

    def _make_priors(self):
        for member in self._ensemble_members:
            with member._scope():
                member._make_priors()
        super()._make_priors()

    def random_model_parameters(self, seed: int | None = None) -> dict:
        """See StateSpaceModel."""
        found = {}
        for member in self._ensemble_members:
            found.update(member.random_model_parameters(seed))
        found.update(super().random_model_parameters(seed))
        return found

    def _blocked(self, name, *args):
        """What a method of the members gives, on a diagonal."""
        parts = [getattr(member, name)(*args) for member in self._ensemble_members]
        return block_diagonal(parts, dtype=self.dtype, name="ensemble_" + name)

    def get_prior_mean(self) -> Tensor:
        """See StateSpaceModel."""
        means = [member._prior_mean for member in self._ensemble_members]
        return concat(means, axis=0, name="ensemble_prior_state_mean")

    def get_state_transition(self) -> Tensor:
        """See StateSpaceModel."""
        return self._blocked("get_state_transition")

    def get_noise_transform(self) -> Tensor:
        """See StateSpaceModel."""
        return self._blocked("get_noise_transform")

    def transition_to_powers(self, powers: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return self._blocked("transition_to_powers", powers)

    def _observed(self, times):
        """What each member shows."""
        return [
            member.get_broadcasted_observation_model(times)
            for member in self._ensemble_members
        ]

    def get_observation_model(self, times: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return self.get_broadcasted_observation_model(times)

    def _loss_additions(self, times, values, mode):
        return add_n(
            [
                super()._loss_additions(times, values, mode),
                *(
                    m._loss_additions(times, values, mode)
                    for m in self._ensemble_members
                ),
            ]
        )


class StateSpaceIndependentEnsemble(StateSpaceEnsemble):
    """Models whose sum the values are, each with a noise of its own.

    Args:
        ensemble_members, configuration: see StateSpaceEnsemble.
    """

    def get_prior_covariance(self) -> Tensor:
        """See StateSpaceModel."""
        parts = [member._prior_covariance for member in self._ensemble_members]
        name = "ensemble_prior_state_covariance"
        return block_diagonal(parts, dtype=self.dtype, name=name)

    def get_state_transition_noise_covariance(
        self, minimum_initial_variance: float = 1e-5
    ) -> Tensor:
        """See StateSpaceModel."""
        return block_diagonal(
            [m.state_transition_noise_covariance for m in self._ensemble_members],
            dtype=self.dtype, name="ensemble_state_transition_noise",
        )  # fmt: skip

    def transition_power_noise_accumulator(self, num_steps: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return self._blocked("transition_power_noise_accumulator", num_steps)

    def get_broadcasted_observation_model(self, times: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return concat(self._observed(times), axis=2)


class StateSpaceCorrelatedFeaturesEnsemble(StateSpaceEnsemble):
    """A model for each feature, with one noise for all of them.

    Args:
        ensemble_members: list of StateSpaceModels of one feature.
        configuration: see StateSpaceEnsemble.
    """

    def transition_power_noise_accumulator(self, num_steps: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        if len(self._ensemble_members) == 1:
            return self._ensemble_members[0].transition_power_noise_accumulator(
                num_steps
            )
        return super().transition_power_noise_accumulator(num_steps)

    def get_broadcasted_observation_model(self, times: TensorValue) -> Tensor:
        """See StateSpaceModel."""
        return block_diagonal(self._observed(times), dtype=self.dtype)
