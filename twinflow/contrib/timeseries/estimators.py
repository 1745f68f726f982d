"""Estimators of time series."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.base.dtypes import float32, float64, int64, string
from twinflow.contrib.timeseries.ar_model import AnomalyMixtureARModel, ARModel
from twinflow.contrib.timeseries.ar_networks import (
    FlatPredictionModel,
    LSTMPredictionModel,
)
from twinflow.contrib.timeseries.feature_keys import TrainEvalFeatures
from twinflow.contrib.timeseries.head import (
    OneShotPredictionHead,
    TimeSeriesRegressionHead,
)
from twinflow.contrib.timeseries.input_statistics import InputStatisticsFromMiniBatch
from twinflow.contrib.timeseries.model import TimeSeriesModel
from twinflow.contrib.timeseries.model_parts import state_to_dictionary
from twinflow.contrib.timeseries.state_management import (
    ChainingStateManager,
    FilteringOnlyStateManager,
    PassthroughStateManager,
)
from twinflow.contrib.timeseries.state_space.filtering_postprocessor import (
    StateInterpolatingAnomalyDetector,
)
from twinflow.contrib.timeseries.state_space.state_space_model import (
    StateSpaceModelConfiguration,
)
from twinflow.contrib.timeseries.state_space.structural_ensemble import (
    MultiResolutionStructuralEnsemble,
)
from twinflow.estimator.canned.optimizers import get_optimizer_instance
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.receivers import ServingInputReceiver
from twinflow.feature_column.makers import make_parse_example_spec
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import cast
from twinflow.ops.parsing.features import FixedLenFeature
from twinflow.ops.parsing.public import parse_example
from twinflow.train.adagrad import AdagradOptimizer
from twinflow.train.adam import AdamOptimizer

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


class TimeSeriesRegressor(Estimator):
    """An Estimator of a TimeSeriesModel.

    Args:
        model: a TimeSeriesModel. state_manager: how states go from batch to batch.
        optimizer: minimises the loss; Adam, at 0.02, by default.
        model_dir: where to save. config: a RunConfig.
        head_type: TimeSeriesRegressionHead or OneShotPredictionHead.
    """

    def __init__(
        self, model: TimeSeriesModel, state_manager: Any = None, optimizer: Any = None,
        model_dir: Path | None = None, config: Any = None,
        head_type: Any = TimeSeriesRegressionHead,
    ) -> None:  # fmt: skip
        self._model, self._head_type = model, head_type
        head = head_type(
            model, state_manager or PassthroughStateManager(),
            optimizer or AdamOptimizer(0.02),
            input_statistics_generator=InputStatisticsFromMiniBatch(
                dtype=model.dtype, num_features=model.num_features
            ),
        )  # fmt: skip

        def model_fn(features, labels, mode):
            return head.create_estimator_spec(features, mode, labels)

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def build_raw_serving_input_receiver_fn(
        self, default_batch_size: int | None = None,
        default_series_length: int | None = None,
    ) -> Callable[[], ServingInputReceiver]:  # fmt: skip
        """A serving_input_receiver_fn whose receivers are the features themselves.

        Args:
            default_batch_size, default_series_length: ints, of the placeholders.
        """

        def receiver_fn():
            window = [default_batch_size, default_series_length]
            found = {
                _TIMES: placeholder(int64, window, name=_TIMES),
                _VALUES: placeholder(
                    self._model.dtype, [*window, self._model.num_features], name=_VALUES
                ),
                **self._exogenous_placeholders(window),
                **self._state_placeholders(default_batch_size),
            }
            return ServingInputReceiver(found, found)

        return receiver_fn

    def _exogenous_placeholders(self, window):
        columns = self._model.exogenous_feature_columns
        if not columns:
            return {}
        with Graph().as_default():
            parsing = make_parse_example_spec(columns)
            features = parse_example(placeholder(string, [None]), parsing)
            known = {n: (x.dtype, x.shape.as_list()[1:]) for n, x in features.items()}
        return {
            name: placeholder(dtype, window + rest, name=name)
            for name, (dtype, rest) in known.items()
        }

    def _state_placeholders(self, batch):
        """Placeholders for the parts of a state, where the head takes one."""
        if issubclass(self._head_type, OneShotPredictionHead):
            return {}
        with Graph().as_default():
            self._model.initialize_graph()
            start = state_to_dictionary(self._model.get_start_state())
            known = {n: (x.dtype, x.shape.as_list()) for n, x in start.items()}
        return {
            name: placeholder(dtype, [batch, *size], name=name)
            for name, (dtype, size) in known.items()
        }

    def build_one_shot_parsing_serving_input_receiver_fn(
        self, filtering_length: int, prediction_length: int,
        default_batch_size: int | None = None, values_input_dtype: Any = None,
        truncate_values: bool = False,
    ) -> Callable[[], ServingInputReceiver]:  # fmt: skip
        """A serving_input_receiver_fn of tf.Examples, each with a whole series.

        Args:
            filtering_length: int, how many values come before.
            prediction_length: int, how many times are predicted.
            default_batch_size: int. values_input_dtype: of the values in examples;
                by default, float32.
            truncate_values: whether examples hold values for the times that are
                predicted too, which are left out.
        """
        length = filtering_length + prediction_length
        given = length if truncate_values else filtering_length

        def receiver_fn():
            examples = placeholder(string, [default_batch_size], name="input")
            features = {
                _TIMES: FixedLenFeature([length], int64),
                _VALUES: FixedLenFeature(
                    [given, self._model.num_features], values_input_dtype or float32
                ),
            }
            for name, (dtype, rest) in self._exogenous_shapes().items():
                features[name] = FixedLenFeature([length, *rest], dtype)
            found = parse_example(examples, features)
            values = cast(found[_VALUES], self._model.dtype)
            found[_VALUES] = values[:, :filtering_length]
            return ServingInputReceiver(found, {"examples": examples})

        return receiver_fn

    def _exogenous_shapes(self):
        spec = make_parse_example_spec(self._model.exogenous_feature_columns)
        return {name: (kind.dtype, list(kind.shape)) for name, kind in spec.items()}


class ARRegressor(TimeSeriesRegressor):
    """Forecasts by autoregression: windows of the past make windows of what comes.

    Args:
        periodicities: int or list: the periods. input_window_size: int, how many values
            before count. output_window_size: int, how many come at once.
        num_features: int, of the values.
        exogenous_feature_columns: columns of features beside the values.
        num_time_buckets: int, into how many parts a period is cut.
        loss: ARModel.NORMAL_LIKELIHOOD_LOSS or SQUARED_LOSS.
        hidden_layer_sizes: list of ints. anomaly_prior_probability: float, how many
            values are anomalies, for which anomaly_distribution,
            AnomalyMixtureARModel.GAUSSIAN_ANOMALY or CAUCHY_ANOMALY, is then needed.
        optimizer: minimises the loss; Adagrad, at 0.1, by default.
        model_dir: where to save. config: a RunConfig.
    Raises:
        ValueError: of anomalies only one argument is given, or with another loss.
    Example:
        times = np.arange(100)
        reader = tf.contrib.timeseries.NumpyReader(
            {"times": times, "values": np.sin(times / 4)})
        regressor = tf.contrib.timeseries.ARRegressor(
            periodicities=25, input_window_size=10, output_window_size=5,
            num_features=1)
        regressor.train(tf.contrib.timeseries.RandomWindowInputFn(
            reader, window_size=15, batch_size=4), steps=1)
    """

    def __init__(
        self, periodicities: Any, input_window_size: int, output_window_size: int,
        num_features: int, exogenous_feature_columns: Any = None,
        num_time_buckets: int = 10, loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS,
        hidden_layer_sizes: Any = None, anomaly_prior_probability: float | None = None,
        anomaly_distribution: str | None = None, optimizer: Any = None,
        model_dir: Path | None = None, config: Any = None,
    ) -> None:  # fmt: skip
        network = functools.partial(
            FlatPredictionModel, hidden_layer_sizes=hidden_layer_sizes
        )
        options = dict(
            periodicities=periodicities, num_features=num_features,
            prediction_model_factory=network, num_time_buckets=num_time_buckets,
            exogenous_feature_columns=exogenous_feature_columns,
            input_window_size=input_window_size, output_window_size=output_window_size,
        )  # fmt: skip
        if anomaly_distribution is not None and anomaly_prior_probability is None:
            raise ValueError(
                "anomaly_prior_probability is required if anomaly_distribution is "
                "specified."
            )
        if anomaly_prior_probability is None:
            model = ARModel(loss=loss, **options)
        else:
            if loss != ARModel.NORMAL_LIKELIHOOD_LOSS:
                raise ValueError(
                    "AnomalyMixtureARModel only supports "
                    "ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS for its loss argument."
                )
            model = AnomalyMixtureARModel(
                anomaly_prior_probability=anomaly_prior_probability,
                anomaly_distribution=(
                    anomaly_distribution or AnomalyMixtureARModel.GAUSSIAN_ANOMALY
                ),
                **options,
            )
        super().__init__(
            model=model, state_manager=FilteringOnlyStateManager(),
            optimizer=optimizer or AdagradOptimizer(0.1), model_dir=model_dir,
            config=config,
        )  # fmt: skip


class LSTMAutoRegressor(TimeSeriesRegressor):
    """Forecasts by LSTMs: one reads the past, another writes what comes.

    Args:
        periodicities, input_window_size, output_window_size, num_features, model_dir,
        config: see ARRegressor. extra_feature_columns: columns of features beside the
            values. num_timesteps: int, into how many parts a period is cut.
        loss: see ARRegressor. num_units: int, of each LSTM.
        optimizer: the name of one, or an Optimizer.
    """

    def __init__(
        self, periodicities: Any, input_window_size: int, output_window_size: int,
        model_dir: Path | None = None, num_features: int = 1,
        extra_feature_columns: Any = None, num_timesteps: int = 10,
        loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS, num_units: int = 128,
        optimizer: Any = "Adam", config: Any = None,
    ) -> None:  # fmt: skip
        model = ARModel(
            periodicities=periodicities, input_window_size=input_window_size,
            output_window_size=output_window_size, num_features=num_features,
            exogenous_feature_columns=extra_feature_columns,
            num_time_buckets=num_timesteps, loss=loss,
            prediction_model_factory=functools.partial(
                LSTMPredictionModel, num_units=num_units
            ),
        )  # fmt: skip
        super().__init__(
            model=model, state_manager=FilteringOnlyStateManager(),
            optimizer=get_optimizer_instance(optimizer, learning_rate=0.01),
            model_dir=model_dir, config=config,
        )  # fmt: skip


class StateSpaceRegressor(TimeSeriesRegressor):
    """An Estimator of a state space model, whose states go from batch to batch.

    Args:
        The same as TimeSeriesRegressor.
    """

    def __init__(
        self, model: TimeSeriesModel, state_manager: Any = None, optimizer: Any = None,
        model_dir: Path | None = None, config: Any = None,
        head_type: Any = TimeSeriesRegressionHead,
    ) -> None:  # fmt: skip
        super().__init__(
            model, state_manager or ChainingStateManager(), optimizer, model_dir,
            config, head_type,
        )  # fmt: skip


class StructuralEnsembleRegressor(StateSpaceRegressor):
    """Forecasts by a trend, cycles, and an autoregression with moving averages.

    Args:
        periodicities: number or list: the periods. num_features: int, of the values.
        cycle_num_latent_values: int, odd, how many latent values a period has.
        moving_average_order, autoregressive_order: ints, how many noises and values
            before count.
        exogenous_feature_columns, exogenous_update_condition: see
            SequentialTimeSeriesModel. dtype: of the model.
        anomaly_prior_probability: float, how many values are anomalies.
        optimizer, model_dir, config, head_type: see TimeSeriesRegressor.
    Example:
        times = np.arange(60)
        reader = tf.contrib.timeseries.NumpyReader(
            {"times": times, "values": np.sin(times / 4) + times / 50})
        regressor = tf.contrib.timeseries.StructuralEnsembleRegressor(
            periodicities=25, num_features=1, cycle_num_latent_values=3)
        whole = tf.contrib.timeseries.WholeDatasetInputFn(reader)
        regressor.train(whole, steps=1)
    """

    def __init__(
        self, periodicities: Any, num_features: int, cycle_num_latent_values: int = 11,
        moving_average_order: int = 4, autoregressive_order: int = 0,
        exogenous_feature_columns: Any = None, exogenous_update_condition: Any = None,
        dtype: Any = float64, anomaly_prior_probability: float | None = None,
        optimizer: Any = None, model_dir: Path | None = None, config: Any = None,
        head_type: Any = TimeSeriesRegressionHead,
    ) -> None:  # fmt: skip
        postprocessor = None
        if anomaly_prior_probability is not None:
            postprocessor = StateInterpolatingAnomalyDetector(
                anomaly_prior_probability=anomaly_prior_probability
            )
        configuration = StateSpaceModelConfiguration(
            num_features=num_features, dtype=dtype,
            filtering_postprocessor=postprocessor,
            exogenous_feature_columns=exogenous_feature_columns,
            exogenous_update_condition=exogenous_update_condition,
        )  # fmt: skip
        model = MultiResolutionStructuralEnsemble(
            cycle_num_latent_values=cycle_num_latent_values,
            moving_average_order=moving_average_order,
            autoregressive_order=autoregressive_order, periodicities=periodicities,
            configuration=configuration,
        )  # fmt: skip
        super().__init__(
            model=model, optimizer=optimizer, model_dir=model_dir, config=config,
            head_type=head_type,
        )  # fmt: skip
