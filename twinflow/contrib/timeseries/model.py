"""What time series models have in common."""

import abc
from typing import Any, NamedTuple

from twinflow.base.dtypes import float32, string
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import (
    PredictionFeatures,
    TrainEvalFeatures,
)
from twinflow.contrib.timeseries.matrices import replicate_state
from twinflow.feature_column.layers import input_layer
from twinflow.feature_column.makers import make_parse_example_spec
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.parsing.public import parse_example

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


class ModelOutputs(NamedTuple):
    """What a model makes of a batch."""

    loss: Any
    end_state: Any
    predictions: Any
    prediction_times: Any


class TimeSeriesModel(abc.ABC):
    """A model of time series: the base of them.

    Args:
        num_features: int, of the values. dtype: of the model.
        exogenous_feature_columns: columns of features beside the values, which are
            known for the times that are predicted too.
    """

    def __init__(
        self, num_features: int, exogenous_feature_columns: Any = None,
        dtype: Any = float32,
    ) -> None:  # fmt: skip
        self.num_features, self.dtype = num_features, dtype
        self._exogenous_feature_columns = exogenous_feature_columns or []
        self._input_statistics: Any = None
        self._graph_initialized = False
        self._stats_means: Any = None
        self._stats_sigmas: Any = None

    @property
    def exogenous_feature_columns(self) -> Any:
        """The columns of features beside the values."""
        return self._exogenous_feature_columns

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Make what the model needs in a graph.

        Args:
            input_statistics: InputStatistics, by which values are normalised.
        """
        self._graph_initialized = True
        self._input_statistics = input_statistics
        if input_statistics is not None:
            overall = input_statistics.overall_feature_moments
            self._stats_means = overall.mean
            self._stats_sigmas = sqrt(overall.variance)

    def _check_graph_initialized(self):
        if not self._graph_initialized:
            raise ValueError(
                f"TimeSeriesModels require initialize_graph() to be called before "
                f"use; {type(self).__name__} was not."
            )

    def _scale_data(self, data):
        if self._input_statistics is None:
            return data
        return (data - self._stats_means) / self._stats_sigmas

    def _scale_variance(self, variance):
        if self._input_statistics is None:
            return variance
        return variance / self._input_statistics.overall_feature_moments.variance

    def _scale_back_data(self, data):
        if self._input_statistics is None:
            return data
        return data * self._stats_sigmas + self._stats_means

    def _scale_back_variance(self, variance):
        if self._input_statistics is None:
            return variance
        return variance * self._input_statistics.overall_feature_moments.variance

    def define_loss(self, features: dict[Any, Any], mode: str) -> ModelOutputs:
        """The ModelOutputs of a batch, each series from the start.

        Args:
            features: dict of tensors, [batch, window, ...]. mode: a ModeKeys.
        """
        self._check_graph_initialized()
        count = shape(features[_TIMES])[0]
        state = replicate_state(self.get_start_state(), count)
        return self.get_batch_loss(features, mode, state)

    @abc.abstractmethod
    def generate(
        self, number_of_series: Any, series_length: Any, model_parameters: Any = None,
        seed: Any = None,
    ) -> dict[Any, Any]:  # fmt: skip
        """Series drawn from the model: dict of times and values.

        Args:
            number_of_series, series_length: ints. model_parameters: dict from tensors
                of parameters to values. seed: int.
        """

    @abc.abstractmethod
    def get_start_state(self) -> Any:
        """The state before a series, a structure of tensors."""

    @abc.abstractmethod
    def get_batch_loss(
        self, features: dict[Any, Any], mode: str, state: Any
    ) -> ModelOutputs:
        """The ModelOutputs of a batch, each series from a state.

        Args:
            features, mode: see define_loss. state: as get_start_state, [batch, ...].
        """

    @abc.abstractmethod
    def predict(self, features: dict[Any, Any]) -> dict[str, Tensor]:
        """What comes at times after a state.

        Args:
            features: dict of times, int64[batch, window], a state, `start_tuple`, and
                exogenous features.
        """

    def _process_exogenous_features(self, times, features):
        """float[batch, window, n], what the columns make of the features."""
        if not self._exogenous_feature_columns:
            window = shape(times)
            return zeros(concat([window, [0]], 0), self.dtype)
        window = shape(times)
        flat = {}
        for name, value in features.items():
            if name == PredictionFeatures.STATE_TUPLE:
                continue
            rest = shape(value)[2:]
            flat[name] = reshape(value, concat([[window[0] * window[1]], rest], 0))
        found = input_layer(flat, self._exogenous_feature_columns)
        width = found.shape[-1].value
        return reshape(cast(found, self.dtype), concat([window, [width]], 0))

    def _exogenous_size(self):
        """int, how many elements exogenous features have."""
        if not self._exogenous_feature_columns:
            return 0
        with Graph().as_default():
            parsing = make_parse_example_spec(self._exogenous_feature_columns)
            features = parse_example(placeholder(string, [None]), parsing)
            found = input_layer(features, self._exogenous_feature_columns)
            return found.shape[-1].value
