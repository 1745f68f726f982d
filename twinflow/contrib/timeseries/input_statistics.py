"""What a model knows of its series before it sees them: means, variances, times."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base.dtypes import int32, int64
from twinflow.contrib.timeseries.feature_keys import TrainEvalFeatures
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.constant import cast, identity
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_max, reduce_min, reduce_sum
from twinflow.ops.core.rounding import rint
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.math.positions import argmin
from twinflow.ops.nn.moments import moments
from twinflow.ops.random.initializers_plain import Constant as constant_initializer
from twinflow.ops.variables.state import assign, assign_add


class Moments(NamedTuple):
    """A mean and a variance, float[features]."""

    mean: Any
    variance: Any


class InputStatistics(NamedTuple):
    """What is known of a series."""

    series_start_moments: Any
    overall_feature_moments: Any
    start_time: Any
    total_observation_count: Any


class InputStatisticsFromMiniBatch:
    """Statistics of a series, from the batches that training takes.

    Args:
        num_features: int. dtype: of the values.
        starting_variance_window_size: int, how many values the moments of the start are
            of.
    """

    def __init__(
        self, num_features: int, dtype: Any, starting_variance_window_size: int = 16
    ) -> None:
        self._features, self._dtype = num_features, dtype
        self._window = starting_variance_window_size

    def initialize_graph(
        self, features: dict, update_statistics: bool = True
    ) -> InputStatistics:
        """The InputStatistics, with the batch where it has values.

        Args:
            features: dict of times, int64[batch, window], and values,
                [batch, window, features]. update_statistics: whether the batch counts.
        """
        times = features.get(TrainEvalFeatures.TIMES)
        values = features.get(TrainEvalFeatures.VALUES)
        with variable_scope("input_statistics", use_resource=True):
            kept = self._variables(_KEPT)
        with variable_scope("input_statistics_auxiliary", use_resource=True):
            sums = self._variables(_SUMS)
        update = no_op()
        if update_statistics and times is not None and values is not None:
            update = self._updated(kept, sums, times, values)
        with control_dependencies([update]):
            found = {name: identity(variable) for name, variable in kept.items()}
        start = found["start_time"]
        if update_statistics and times is not None:
            start = minimum(start, reduce_min(times))
        return InputStatistics(
            Moments(found["series_start_mean"], found["series_start_variance"]),
            Moments(found["overall_feature_mean"], found["overall_feature_var"]),
            start, found["total_observation_count"],
        )  # fmt: skip

    def _variables(self, table):
        kinds = {"float": self._dtype, "int": int64}
        return {
            name: get_variable(
                name, [self._features] if wide else [], kinds[kind],
                constant_initializer(value), trainable=False,
            )
            for name, kind, wide, value in table
        }  # fmt: skip

    def _updated(self, kept, sums, times, values):
        """An op that counts a batch."""
        values = cast(values, self._dtype)
        with control_dependencies([self._summed(sums, times, values)]):
            start = self._start_moments(kept, times, values)
            with control_dependencies([start]):
                first = assign(
                    kept["start_time"], minimum(kept["start_time"], reduce_min(times))
                )
            return group(first, *self._overall(kept, sums, first))

    def _summed(self, sums, times, values):
        """An op that adds the batch to the sums."""
        length = reduce_max(times, axis=1) - reduce_min(times, axis=1)
        pause = cast(length, self._dtype) / cast(shape(times)[1] - 1, self._dtype)
        latest = maximum(sums["max_time_seen"], reduce_max(times))
        more = {
            "chunk_count": shape(times, out_type=int64)[0],
            "inter_observation_duration_sum": reduce_sum(pause),
            "example_count": size(times, out_type=int64),
            "overall_feature_sum": reduce_sum(values, axis=[0, 1]),
            "overall_feature_sum_of_squares": reduce_sum(values**2, axis=[0, 1]),
        }
        added = [assign_add(sums[name], value) for name, value in more.items()]
        return group(assign(sums["max_time_seen"], latest), *added)

    def _overall(self, kept, sums, start):
        """Ops that set what is known of the whole series."""
        count = cast(sums["example_count"], self._dtype)
        mean = sums["overall_feature_sum"] / count
        spread = sums["overall_feature_sum_of_squares"] / count - mean**2
        pause = sums["inter_observation_duration_sum"] / cast(
            sums["chunk_count"], self._dtype
        )
        whole = cast(sums["max_time_seen"] - start + 1, self._dtype) / pause
        return (
            assign(kept["overall_feature_mean"], mean),
            assign(kept["overall_feature_var"], count / (count - 1.0) * spread),
            assign(kept["total_observation_count"], cast(rint(whole), int64)),
        )

    def _start_moments(self, kept, times, values):
        """An op that sets the moments of the start, where the batch has it."""
        first = cast(argmin(times[:, 0]), int32)

        def found():
            mean, variance = moments(values[first, : self._window], axes=[0])
            return group(
                assign(kept["series_start_mean"], mean),
                assign(kept["series_start_variance"], variance),
            )

        return cond(times[first, 0] <= kept["start_time"], found, no_op)


_LIMITS = np.iinfo(np.int64)
_KEPT = (
    ("series_start_mean", "float", True, 0.0),
    ("series_start_variance", "float", True, 1.0),
    ("overall_feature_mean", "float", True, 0.0),
    ("overall_feature_var", "float", True, 1.0),
    ("start_time", "int", False, _LIMITS.max),
    ("total_observation_count", "int", False, 1),
)
_SUMS = (
    ("max_time_seen", "int", False, _LIMITS.min),
    ("chunk_count", "int", False, 0),
    ("inter_observation_duration_sum", "float", False, 0.0),
    ("example_count", "int", False, 0),
    ("overall_feature_sum", "float", True, 0.0),
    ("overall_feature_sum_of_squares", "float", True, 0.0),
)
