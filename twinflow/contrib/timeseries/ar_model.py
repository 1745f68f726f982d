"""Autoregressive models: windows of the past make windows of what comes."""

from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.base.dtypes import int64
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.ar_networks import FlatPredictionModel
from twinflow.contrib.timeseries.feature_keys import (
    PredictionFeatures,
    TrainEvalFeatures,
)
from twinflow.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from twinflow.distributions.normal import Normal
from twinflow.distributions.student_t import StudentT
from twinflow.estimator.model_fn import ModeKeys
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable, get_variable_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros, zeros_like
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.elementwise import exp, maximum, sqrt
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import (
    reduce_logsumexp,
    reduce_mean,
    reduce_prod,
    reduce_sum,
)
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer
from twinflow.ops.tensor_array.arrays import TensorArray

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES
_STATE = PredictionFeatures.STATE_TUPLE
_LEAST = 1e-5  # of variances


class ARModel(TimeSeriesModel):
    """Values of a window, and the place in each period, make those of the next window.

    Args:
        periodicities: int or list: the periods. input_window_size: int, how many values
            before count. output_window_size: int, how many come at once.
        num_features: int, of the values.
        prediction_model_factory: makes the network of num_features, input_window_size
            and output_window_size.
        num_time_buckets: int, into how many parts a period is cut.
        loss: NORMAL_LIKELIHOOD_LOSS or SQUARED_LOSS.
        exogenous_feature_columns: columns of features beside the values.
    """

    SQUARED_LOSS = "squared_loss"
    NORMAL_LIKELIHOOD_LOSS = "normal_likelihood_loss"

    def __init__(
        self, periodicities: Any, input_window_size: int, output_window_size: int,
        num_features: int, prediction_model_factory: Any = FlatPredictionModel,
        num_time_buckets: int = 10, loss: str = NORMAL_LIKELIHOOD_LOSS,
        exogenous_feature_columns: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, exogenous_feature_columns)
        if not isinstance(periodicities, list | tuple):
            periodicities = [] if periodicities is None else [periodicities]
        self._periodicities = [int(p) for p in periodicities]
        self._buckets, self.loss = num_time_buckets, loss
        self.input_window_size = input_window_size
        self.output_window_size = output_window_size
        self.window_size = input_window_size + output_window_size
        self._factory, self._network = prediction_model_factory, None

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """See TimeSeriesModel."""
        super().initialize_graph(input_statistics=input_statistics)
        self._network = self._factory(
            num_features=self.num_features, input_window_size=self.input_window_size,
            output_window_size=self.output_window_size,
        )  # fmt: skip

    def get_start_state(self) -> tuple[Tensor, Tensor, Tensor]:
        """(times, values, exogenous features) of a window of zeros."""
        length = self.input_window_size
        return (
            zeros([length], int64), zeros([length, self.num_features], self.dtype),
            zeros([length, self._exogenous_size()], self.dtype),
        )  # fmt: skip

    def random_model_parameters(self, seed: int | None = None) -> None:
        """None: there is nothing to choose.

        Args:
            seed: int.
        """

    def generate(
        self, number_of_series: Any, series_length: Any, model_parameters: Any = None,
        seed: Any = None,
    ) -> dict[Any, Any]:  # fmt: skip
        """Not possible: what comes is no distribution of whole series.

        Args:
            number_of_series, series_length, model_parameters, seed: see
            TimeSeriesModel.
        Raises:
            UnimplementedError: always.
        """
        raise errors.UnimplementedError(
            None, None,
            "An autoregressive model gives no series of its own, only what follows "
            "values: call `predict`, or take a state space model.",
        )  # fmt: skip

    # ------------------------------------------------------------------- networks
    def _compute_time_features(self, times):
        """float[batch, window, periods * buckets]: the place in each period.

        A bucket holds how far a time is in it, as a part; the others hold 0.
        """
        periods = constant(self._periodicities, times.dtype)
        place = cast(times[..., None] % periods, self.dtype)
        place = place * float(self._buckets) / cast(periods, self.dtype)
        inside = relu(place[..., None] - numbers(float(self._buckets)))
        inside = where(inside < 1.0, inside, zeros_like(inside))
        width = len(self._periodicities) * self._buckets
        return reshape(inside, concat([shape(times), [width]], 0))

    def prediction_ops(
        self, times: TensorValue, values: TensorValue,
        exogenous_regressors: TensorValue,
    ) -> dict[str, Tensor]:  # fmt: skip
        """dict of what the network makes of a window, in units of normalised values.

        Args:
            times: int64[batch, input + output]. values: float[batch, input, features].
            exogenous_regressors: float[batch, input + output, n].
        """
        times.set_shape([None, self.window_size])
        past = self.input_window_size
        early, late = [], []
        if self._periodicities:
            place = self._compute_time_features(times)
            early.append(place[:, :past])
            late.append(place[:, past:])
        early.append(values)
        if exogenous_regressors.shape[-1].value != 0:
            early.append(exogenous_regressors[:, :past])
            late.append(exogenous_regressors[:, past:])
        before = concat(early, axis=2)
        if not late:
            late = [zeros([shape(times)[0], self.output_window_size, 0], self.dtype)]
        scope = get_variable_scope().name
        with name_scope(scope + "/" if scope else None, "window"):
            return self._network(before, concat(late, axis=2))

    def loss_op(self, targets: TensorValue, prediction_ops: dict[Any, Any]) -> Tensor:
        """The loss of a window, for each of its values.

        Args:
            targets: float[batch, output, features], normalised.
            prediction_ops: what `prediction_ops` gave.
        """
        count = cast(reduce_prod(shape(targets)), self.dtype)
        if self.loss == self.SQUARED_LOSS:
            errors_of = (prediction_ops["mean"] - targets) ** 2
            return reduce_sum(errors_of) / count
        return -reduce_sum(self._normal(targets, prediction_ops)) / count

    def _normal(self, targets, prediction_ops):
        """How likely values are, as logarithms."""
        scale = sqrt(maximum(prediction_ops["covariance"], _LEAST))
        return Normal(loc=targets, scale=scale).log_prob(prediction_ops["mean"])

    # -------------------------------------------------------------------- windows
    def _process_window(self, times, values, original, regressors, in_units=True):
        """The ModelOutputs of one window, of normalised and of original values.

        Where `in_units`, squared errors are those of the original values.
        """
        past, coming = self.input_window_size, self.output_window_size
        found = self.prediction_ops(times, values[:, :past], regressors)
        targets = values[:, past:]
        targets.set_shape([None, coming, self.num_features])
        predictions = {
            "mean": self._scale_back_data(found["mean"]),
            "covariance": self._scale_back_variance(found["covariance"]),
            "observed": original[:, -coming:],
        }
        if in_units and self.loss == self.SQUARED_LOSS:
            loss = self.loss_op(original[:, past:], predictions)
        else:
            loss = self.loss_op(targets, found)
        return ModelOutputs(
            loss=loss,
            end_state=self._end(times, values, regressors),
            predictions=predictions, prediction_times=times[:, -coming:],
        )  # fmt: skip

    def get_batch_loss(
        self, features: dict[Any, Any], mode: str, state: Any
    ) -> ModelOutputs:
        """See TimeSeriesModel."""
        self._check_graph_initialized()
        times = convert_to_tensor(features[_TIMES], int64)
        original = cast(features[_VALUES], self.dtype)
        values = self._scale_data(original)
        regressors = self._process_exogenous_features(
            times, {k: v for k, v in features.items() if k not in (_TIMES, _VALUES)}
        )
        length = times.shape[1].value
        if mode == ModeKeys.TRAIN:
            if length != self.window_size:
                raise ValueError(self._wrong_window(times))
            return self._process_window(times, values, original, regressors, False)
        if length is not None and length < self.window_size:
            raise ValueError(
                "ARModel requires a window of at least input_window_size + "
                "output_window_size to evaluate on (input_window_size="
                f"{self.input_window_size}, output_window_size="
                f"{self.output_window_size}, and got shape {times.shape} for feature "
                f"'{_TIMES}' (batch size, window size))."
            )
        return self._evaluated(times, values, original, regressors)

    def _wrong_window(self, times):
        return (
            f"ARModel with input_window_size={self.input_window_size} and "
            f"output_window_size={self.output_window_size} expects feature '{_TIMES}' "
            f"to have shape (batch_size, {self.window_size}) (for any batch_size), but "
            f"got shape {times.shape}. If you are using RandomWindowInputFn, set "
            f"window_size={self.window_size} or adjust the input_window_size and "
            "output_window_size arguments to ARModel."
        )

    def _evaluated(self, times, values, original, regressors):
        """The ModelOutputs of windows one after the other, up to the end."""
        past, coming = self.input_window_size, self.output_window_size
        count = (shape(times)[1] - past) // coming
        used = count * coming
        aligned = [
            x[:, -(used + past) :] for x in (times, values, original, regressors)
        ]

        def body(number, arrays):
            start = number * coming
            window = [x[:, start : start + self.window_size] for x in aligned]
            for part, whole in zip(window, aligned):
                rest = whole.shape.as_list()[2:]
                part.set_shape([whole.shape[0].value, self.window_size, *rest])
            found = self._process_window(*window)
            parts = (
                found.loss,
                found.predictions["mean"],
                found.predictions["covariance"],
            )
            return number + 1, [a.write(number, x) for a, x in zip(arrays, parts)]

        arrays = [TensorArray(self.dtype, count) for _ in range(3)]
        _, arrays = while_loop(lambda n, _: n < count, body, (0, arrays))
        losses, means, covariances = (array.stack() for array in arrays)
        return ModelOutputs(
            loss=reduce_mean(losses, axis=0),
            end_state=self._end(times, values, regressors),
            predictions={
                "mean": self._joined(means, used), "observed": original[:, -used:],
                "covariance": self._joined(covariances, used),
            },
            prediction_times=times[:, -used:],
        )  # fmt: skip

    def _end(self, *parts):
        """The last input window: what the next one starts from."""
        past = self.input_window_size
        found = tuple(x[:, shape(x)[1] - past :] for x in parts)
        for part, whole in zip(found, parts):
            rest = whole.shape.as_list()[2:]
            part.set_shape([whole.shape[0].value, past, *rest])
        return found

    def _joined(self, windows, length):
        """float[batch, length, features] of float[windows, batch, output, features]."""
        found = transpose(windows, [1, 0, 2, 3])
        return reshape(found, [shape(found)[0], length, self.num_features])

    def predict(self, features: dict[Any, Any]) -> dict[str, Tensor]:
        """See TimeSeriesModel: what was predicted is the past of the next window."""
        self._check_graph_initialized()
        times = convert_to_tensor(features[_TIMES], int64)
        regressors = self._process_exogenous_features(
            times, {k: v for k, v in features.items() if k not in (_TIMES, _STATE)}
        )
        past, coming = self.input_window_size, self.output_window_size
        length = shape(times)[1]
        count = (length + coming - 1) // coming
        missing = [0, count * coming - length]
        times = pad(times, [[0, 0], missing])
        regressors = pad(regressors, [[0, 0], missing, [0, 0]])
        before = [x[:, -past:] for x in features[_STATE]] if past else features[_STATE]
        before = [
            cast(x, kind) for x, kind in zip(before, (int64, self.dtype, self.dtype))
        ]

        def body(number, old_times, old_values, old_regressors, arrays):
            place = slice(number * coming, (number + 1) * coming)
            all_times = concat([old_times, times[:, place]], 1)
            every = concat([old_regressors, regressors[:, place]], 1)
            every.set_shape([None, None, regressors.shape[-1].value])
            found = self.prediction_ops(all_times, old_values, every)
            values = concat([old_values, found["mean"]], 1)
            spread = found["covariance"]
            if self.loss == self.SQUARED_LOSS:  # nothing was learnt of it
                spread = ones_like(spread)
            parts = (found["mean"], spread)
            arrays = [a.write(number, x) for a, x in zip(arrays, parts)]
            new = [x[:, coming:] for x in (all_times, values, every)]
            for part, old in zip(new, before):
                part.set_shape(old.shape)
            return (number + 1, *new, arrays)

        arrays = [TensorArray(self.dtype, count) for _ in range(2)]
        *_, arrays = while_loop(lambda n, *_: n < count, body, (0, *before, arrays))
        mean, covariance = (
            self._joined(a.stack(), count * coming)[:, :length] for a in arrays
        )
        return {
            "mean": self._scale_back_data(mean),
            "covariance": self._scale_back_variance(covariance),
        }


class AnomalyMixtureARModel(ARModel):
    """An ARModel, some of whose values come from a second, wider distribution.

    Args:
        anomaly_prior_probability: float, how many values are anomalies.
        anomaly_distribution: GAUSSIAN_ANOMALY or CAUCHY_ANOMALY.
        The others: see ARModel.
    """

    GAUSSIAN_ANOMALY = "gaussian"
    CAUCHY_ANOMALY = "cauchy"

    def __init__(
        self, periodicities: Any, anomaly_prior_probability: float,
        input_window_size: int, output_window_size: int, num_features: int,
        prediction_model_factory: Any = FlatPredictionModel,
        anomaly_distribution: str = GAUSSIAN_ANOMALY, num_time_buckets: int = 10,
        exogenous_feature_columns: Any = None,
    ) -> None:  # fmt: skip
        if anomaly_distribution not in (self.GAUSSIAN_ANOMALY, self.CAUCHY_ANOMALY):
            raise ValueError(
                f"anomaly_distribution must be '{self.GAUSSIAN_ANOMALY}' or "
                f"'{self.CAUCHY_ANOMALY}', got {anomaly_distribution!r}."
            )
        self._anomaly_prior_probability = anomaly_prior_probability
        self._anomaly_distribution = anomaly_distribution
        super().__init__(
            periodicities, input_window_size, output_window_size, num_features,
            prediction_model_factory, num_time_buckets, self.NORMAL_LIKELIHOOD_LOSS,
            exogenous_feature_columns,
        )  # fmt: skip

    def prediction_ops(
        self, times: TensorValue, values: TensorValue,
        exogenous_regressors: TensorValue,
    ) -> dict[str, Tensor]:  # fmt: skip
        """See ARModel: with `anomaly_params`, how wide anomalies are.

        Args:
            times, values, exogenous_regressors: see ARModel.
        """
        found = super().prediction_ops(times, values, exogenous_regressors)
        width = get_variable("anomaly_log_param", [], self.dtype, zeros_initializer())
        return {**found, "anomaly_params": exp(width)}

    def _anomaly_log_prob(self, targets, prediction_ops):
        """How likely values are as anomalies, as logarithms."""
        width, mean = prediction_ops["anomaly_params"], prediction_ops["mean"]
        if self._anomaly_distribution == self.GAUSSIAN_ANOMALY:
            scale = sqrt(maximum(width, _LEAST))
            return Normal(loc=targets, scale=scale).log_prob(mean)
        return StudentT(df=1.0, loc=targets, scale=width).log_prob(mean)

    def loss_op(self, targets: TensorValue, prediction_ops: dict) -> Tensor:
        """See ARModel.

        Args:
            targets, prediction_ops: see ARModel.
        """
        share = self._anomaly_prior_probability
        usual = self._normal(targets, prediction_ops) + np.log(1.0 - share)
        odd = self._anomaly_log_prob(targets, prediction_ops) + np.log(share)
        likelihood = reduce_logsumexp(stack([usual, odd]), axis=0)
        count = cast(reduce_prod(shape(targets)), self.dtype)
        return -reduce_sum(likelihood) / count
