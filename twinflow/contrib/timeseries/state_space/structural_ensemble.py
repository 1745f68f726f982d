"""Structural models: a trend, cycles, and an autoregression with moving averages."""

import functools
from typing import Any

from twinflow.contrib.timeseries.state_space.ensembles import (
    StateSpaceCorrelatedFeaturesEnsemble,
    StateSpaceIndependentEnsemble,
)
from twinflow.contrib.timeseries.state_space.level_trend import AdderStateSpaceModel
from twinflow.contrib.timeseries.state_space.periodic import (
    CycleStateSpaceModel,
    ResolutionCycleModel,
)
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModelConfiguration,
)
from twinflow.contrib.timeseries.state_space.varma import VARMA
from twinflow.graph.variable_scope import variable_scope


def _each_feature(make, several, single):
    """An ensemble of one model for each feature."""
    members = []
    for feature in range(several.num_features):
        with variable_scope(f"feature{feature}"):
            members.append(make(single))
    return StateSpaceCorrelatedFeaturesEnsemble(
        ensemble_members=members, configuration=several
    )


def _members(configuration, make_cycle, periodicities, orders, use_level_noise):
    """The parts of a structural model: of trends, noise and cycles."""
    several = configuration._replace(
        use_observation_noise=False, exogenous_feature_columns=[],
        exogenous_update_condition=None, filtering_postprocessor=None,
    )  # fmt: skip
    single = several._replace(num_features=1)
    if not isinstance(periodicities, list | tuple):
        periodicities = [periodicities]
    with variable_scope("adder"):
        yield _each_feature(
            lambda c: AdderStateSpaceModel(use_level_noise, configuration=c), several,
            single,
        )  # fmt: skip
    with variable_scope("varma"):
        yield VARMA(*orders, configuration=several)
    for number, period in enumerate(periodicities):
        with variable_scope(f"cycle{number}"):
            yield _each_feature(functools.partial(make_cycle, period), several, single)


class StructuralEnsemble(StateSpaceIndependentEnsemble):
    """A trend, cycles with a latent value for each time of a period, and VARMA.

    Args:
        periodicities: int, or a list: the periods.
        moving_average_order, autoregressive_order: ints, see VARMA.
        use_level_noise: see AdderStateSpaceModel.
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, periodicities: Any, moving_average_order: int, autoregressive_order: int,
        use_level_noise: bool = True,
        configuration: StateSpaceModelConfiguration = StateSpaceModelConfiguration(),  # noqa: B008
    ) -> None:  # fmt: skip
        orders = (autoregressive_order, moving_average_order)
        members = _members(
            configuration, lambda p, c: CycleStateSpaceModel(p, configuration=c),
            periodicities, orders, use_level_noise,
        )  # fmt: skip
        super().__init__(ensemble_members=list(members), configuration=configuration)


class MultiResolutionStructuralEnsemble(StateSpaceIndependentEnsemble):
    """A trend, cycles with a few latent values a period, and VARMA.

    Args:
        cycle_num_latent_values: int, how many a period has.
        moving_average_order, autoregressive_order, periodicities, use_level_noise,
        configuration: see StructuralEnsemble; periods may be floats.
    """

    def __init__(
        self, cycle_num_latent_values: int, moving_average_order: int,
        autoregressive_order: int, periodicities: Any, use_level_noise: bool = True,
        configuration: StateSpaceModelConfiguration = StateSpaceModelConfiguration(),  # noqa: B008
    ) -> None:  # fmt: skip
        orders = (autoregressive_order, moving_average_order)

        def cycle(period, configuration):
            return ResolutionCycleModel(
                cycle_num_latent_values, period, configuration=configuration
            )

        members = _members(configuration, cycle, periodicities, orders, use_level_noise)
        super().__init__(ensemble_members=list(members), configuration=configuration)
