"""Models that take a series one time after the other."""

import abc
from typing import Any

from twinflow.base import nest
from twinflow.base.dtypes import float32, int64
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import (
    PredictionFeatures,
    TrainEvalFeatures,
)
from twinflow.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.variable_store import AUTO_REUSE
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.reduction import reduce_prod, reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.tensor_array.arrays import TensorArray

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


class SequentialTimeSeriesModel(TimeSeriesModel):
    """A model that goes through a series, from state to state; the base of them.

    Args:
        train_output_names, predict_output_names: lists of what steps give.
        num_features, exogenous_feature_columns, dtype: see TimeSeriesModel.
        normalize_features: whether values are normalised by their statistics.
        exogenous_update_condition: a function of times, int64[batch], and a dict of
            exogenous features, that gives bool[batch]: whether they act.
        static_unrolling_window_size_threshold: accepted; loops are never unrolled.
    """

    def __init__(
        self, train_output_names: Any, predict_output_names: Any, num_features: int,
        normalize_features: bool = False, dtype: Any = float32,
        exogenous_feature_columns: Any = None, exogenous_update_condition: Any = None,
        static_unrolling_window_size_threshold: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, exogenous_feature_columns, dtype)
        self._train_names, self._predict_names = (
            train_output_names, predict_output_names,
        )  # fmt: skip
        self._normalizes = normalize_features
        self._condition = exogenous_update_condition

    def _scale_data(self, data):
        return super()._scale_data(data) if self._normalizes else data

    def _scale_back_predictions(self, predictions):
        """Predictions in the units of the values."""
        if not self._normalizes:
            return predictions
        scaled = dict(predictions)
        scaled["mean"] = self._scale_back_data(predictions["mean"])
        scaled["covariance"] = self._scale_back_variance(predictions["covariance"])
        return scaled

    # What a model fills in, each for one time of every series: times int64[batch].
    @abc.abstractmethod
    def _filtering_step(self, current_times, current_values, state, predictions):
        """(state, outputs) after values were seen."""

    @abc.abstractmethod
    def _prediction_step(self, current_times, state):
        """(state, outputs) before values are seen."""

    @abc.abstractmethod
    def _imputation_step(self, current_times, state):
        """The state, brought to the times."""

    @abc.abstractmethod
    def _exogenous_input_step(self, current_times, current_exogenous_regressors, state):
        """The state, after exogenous features acted, float[batch, n]."""

    def _window_initializer(self, times, state):
        """Get ready for the times of a window, int64[batch, window]."""

    def get_batch_loss(self, features: dict, mode: str, state: Any) -> ModelOutputs:
        """See TimeSeriesModel."""
        return self.outputs_of(
            features, mode, *self.per_step_batch_loss(features, mode, state)
        )

    def outputs_of(
        self, features: dict, mode: str, states: Any, outputs: dict
    ) -> ModelOutputs:
        """The ModelOutputs of a batch, from what each of its times gave.

        Args:
            features, mode: see get_batch_loss. states, outputs: what
            per_step_batch_loss gave.
        """
        times = convert_to_tensor(features[_TIMES], int64)
        values = convert_to_tensor(features[_VALUES], self.dtype)
        losses = outputs["loss"]
        loss = reduce_sum(losses) / cast(reduce_prod(shape(times)), losses.dtype)
        return ModelOutputs(
            loss=identity(loss + self._loss_additions(times, values, mode)),
            end_state=nest.map_structure(lambda x: x[:, -1], states),
            predictions={
                **{name: value for name, value in outputs.items() if name != "loss"},
                "observed": values,
            },
            prediction_times=times,
        )

    def _loss_additions(self, times, values, mode):
        """What is added to the loss, such as priors."""
        return 0.0

    def per_step_batch_loss(
        self, features: dict, mode: str, state: Any
    ) -> tuple[Any, dict[str, Tensor]]:
        """The states after each time, [batch, window, ...], and losses and predictions.

        Args:
            features, mode, state: see get_batch_loss.
        Returns:
            (states, dict of outputs with `loss`, float[batch, window]).
        """
        self._check_graph_initialized()
        times = convert_to_tensor(features[_TIMES], int64)
        values = self._scale_data(convert_to_tensor(features[_VALUES], self.dtype))
        regressors = self._process_exogenous_features(times, features)

        def step(number, current_times, state):
            state = self._imputation_step(current_times, state)
            state = self._apply_exogenous_update(
                current_times, number, state, features, regressors
            )
            state, outputs = self._prediction_step(current_times, state)
            return self._filtering_step(
                current_times, values[:, number], state, predictions=outputs
            )

        states, outputs = self._state_update_loop(times, state, step, self._train_names)
        return states, self._scale_back_predictions(outputs)

    def predict(self, features: dict) -> dict[str, Tensor]:
        """See TimeSeriesModel."""
        self._check_graph_initialized()
        times = convert_to_tensor(features[_TIMES], int64)
        state = features[PredictionFeatures.STATE_TUPLE]
        regressors = self._process_exogenous_features(times, features)

        def step(number, current_times, state):
            state = self._imputation_step(current_times, state)
            state = self._apply_exogenous_update(
                current_times, number, state, features, regressors
            )
            return self._prediction_step(current_times, state)

        _, outputs = self._state_update_loop(times, state, step, self._predict_names)
        return self._scale_back_predictions(outputs)

    def _apply_exogenous_update(self, times, number, state, features, regressors):
        """The state, after the features beside the values acted where they do."""
        if not self._exogenous_feature_columns:
            return state
        updated = self._exogenous_input_step(times, regressors[:, number], state)
        if self._condition is None:
            return updated
        now = {
            name: value[:, number]
            for name, value in features.items()
            if name not in (_TIMES, _VALUES, PredictionFeatures.STATE_TUPLE)
        }
        acts = convert_to_tensor(self._condition(times=times, features=now))
        return nest.map_structure(
            lambda new, old: where(acts, new, old), updated, state
        )

    def _state_update_loop(self, times, state, step, names):
        """(states, outputs by name), each [batch, window, ...], of all times."""
        self._window_initializer(times, state)
        flat_state = [convert_to_tensor(x) for x in nest.flatten(state)]
        count = shape(times)[1]
        arrays = [TensorArray(x.dtype, count) for x in flat_state]
        arrays += [TensorArray(self.dtype, count) for _ in names]

        def body(number, flat, arrays):
            with variable_scope("state_update_step", reuse=AUTO_REUSE):
                old = nest.pack_sequence_as(state, flat)
                new, outputs = step(number, times[:, number], old)
            new = nest.flatten(new)
            for had, has in zip(flat, new):
                has.set_shape(had.shape)
            found = [*new, *(outputs[name] for name in names)]
            return number + 1, new, [a.write(number, x) for a, x in zip(arrays, found)]

        _, _, arrays = while_loop(
            lambda number, *_: number < count, body, (0, flat_state, arrays)
        )
        every = [_batch_first(array.stack()) for array in arrays]
        states = nest.pack_sequence_as(state, every[: len(flat_state)])
        return states, dict(zip(names, every[len(flat_state) :]))


def _batch_first(tensor):
    """[batch, window, ...] of [window, batch, ...]."""
    rest = list(range(2, tensor.shape.ndims))
    return transpose(tensor, [1, 0, *rest])
