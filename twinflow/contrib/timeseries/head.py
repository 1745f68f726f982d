"""The heads of time series models."""

from typing import Any

from twinflow.base import nest
from twinflow.base.dtypes import int64
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import (
    FilteringFeatures,
    SavedModelLabels,
    State,
    TrainEvalFeatures,
)
from twinflow.contrib.timeseries.model_parts import state_to_dictionary
from twinflow.estimator.canned.head import Head
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.scopes import group, name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.variable_store import AUTO_REUSE
from twinflow.metrics.means import mean
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.shape import shape
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign
from twinflow.summary.summaries import scalar
from twinflow.train.training_util import get_global_step

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES
_STATE = FilteringFeatures.STATE_TUPLE


class TimeSeriesRegressionHead(Head):
    """Makes an EstimatorSpec of a model of time series.

    Args:
        model: a TimeSeriesModel. state_manager: how states go from batch to batch.
        optimizer: minimises the loss.
        input_statistics_generator: an InputStatisticsFromMiniBatch.
        name: of the head.
    """

    def __init__(
        self, model: Any, state_manager: Any, optimizer: Any,
        input_statistics_generator: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        self.model, self.state_manager = model, state_manager
        self.optimizer, self.input_statistics_generator = (
            optimizer, input_statistics_generator,
        )  # fmt: skip
        self._name = name

    @property
    def name(self) -> str | None:
        """The name."""
        return self._name

    @property
    def logits_dimension(self) -> None:
        """None: there are no logits."""
        return None

    def create_loss(
        self, features: Any, mode: Any, logits: Any = None, labels: Any = None
    ) -> Any:
        """The ModelOutputs of features.

        Args:
            features: dict of tensors. mode: a ModeKeys. logits, labels: not taken.
        """
        with _model_scope():
            outputs = self.state_manager.define_loss(self.model, features, mode)
            scalar("loss", outputs.loss)
        return outputs

    def _predicted(self, features):
        with _model_scope():
            return self.model.predict(features=features)

    def create_estimator_spec(
        self, features: dict[Any, Any], mode: str, labels: Any = None
    ) -> EstimatorSpec:
        """See Head.

        Args:
            features: dict of tensors. mode: a ModeKeys. labels: None, or an empty dict.
        """
        if labels:
            raise ValueError(
                "The model received a `labels`, which is not supported. Pass "
                "'times' and 'values' as features."
            )
        with name_scope("head"):
            features = {name: self._tensor(name, v) for name, v in features.items()}
            self._initialize(features, mode)
            return self._ops(features, mode)(features)

    def _tensor(self, name, value):
        if name == _STATE:
            return tuple(convert_to_tensor(part) for part in value)
        value = convert_to_tensor(value)
        return cast(value, int64) if name == _TIMES else value

    def _ops(self, features, mode):
        if mode != ModeKeys.PREDICT:
            check_train_eval_features(features, self.model)
            return self._train_ops if mode == ModeKeys.TRAIN else self._evaluate_ops
        if _VALUES in features:
            return self._serving_ops
        self._check_predict_features(features)
        return self._predict_ops

    def _initialize(self, features, mode):
        """Make the model's variables."""
        statistics = None
        if self.input_statistics_generator is not None:
            statistics = self.input_statistics_generator.initialize_graph(
                features, update_statistics=mode == ModeKeys.TRAIN
            )
        self.model.initialize_graph(input_statistics=statistics)
        self.state_manager.initialize_graph(
            model=self.model, input_statistics=statistics
        )

    def _train_ops(self, features):
        outputs = self.create_loss(features, ModeKeys.TRAIN)
        step = get_global_step()
        return EstimatorSpec(
            mode=ModeKeys.TRAIN, loss=outputs.loss,
            train_op=self.optimizer.minimize(outputs.loss, global_step=step),
        )  # fmt: skip

    def _evaluate_ops(self, features):
        outputs = self.create_loss(features, ModeKeys.EVAL)
        metrics = {
            name: _kept(name, value) for name, value in outputs.predictions.items()
        }
        metrics[_TIMES] = _kept(_TIMES, outputs.prediction_times)
        metrics[_STATE] = _all_kept(_STATE, outputs.end_state)
        metrics["average_loss"] = mean(outputs.loss, name="average_loss")
        return EstimatorSpec(
            mode=ModeKeys.EVAL, loss=outputs.loss, eval_metric_ops=metrics,
            predictions={},
        )  # fmt: skip

    def _check_predict_features(self, features):
        if _STATE not in features:
            raise ValueError(f"Expected a '{_STATE}' feature for prediction.")
        if _TIMES not in features:
            raise ValueError(f"Expected a '{_TIMES}' feature for prediction.")
        check_shapes(features, _TIMES, features[_TIMES], ignore=(_STATE,))

    def _predict_ops(self, features):
        found = self._predicted(features)
        return EstimatorSpec(
            mode=ModeKeys.PREDICT, predictions={**found, _TIMES: features[_TIMES]}
        )

    def _gather_state(self, features):
        """Features, with a state of those that are its parts."""
        parts = sorted(name for name in features if name.startswith(State.STATE_PREFIX))
        if not parts:
            return features
        rest = {name: v for name, v in features.items() if name not in parts}
        state = [features[name] for name in parts]
        like = self.model.get_start_state()
        return {**rest, _STATE: nest.pack_sequence_as(like, state)}

    def _serving_ops(self, features):
        """The signatures of an exported model: to predict and to filter."""
        given = self._gather_state(features)
        predicted = self._predicted(
            {name: v for name, v in given.items() if name != _VALUES}
        )
        cold = {name: v for name, v in given.items() if name != _STATE}
        warm, fresh = (
            state_to_dictionary(self.create_loss(x, ModeKeys.EVAL).end_state)
            for x in (given, cold)
        )
        labels = SavedModelLabels
        return EstimatorSpec(
            mode=ModeKeys.PREDICT, predictions={},
            export_outputs={
                labels.PREDICT: PredictOutput(predicted),
                labels.FILTER: PredictOutput(warm),
                labels.COLD_START_FILTER: NoStatePredictOutput(fresh),
            },
        )  # fmt: skip


class NoStatePredictOutput(PredictOutput):
    """As PredictOutput, without the parts of a state among its inputs."""

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """See PredictOutput.

        Args:
            receiver_tensors: dict from names to tensors.
        """
        return super().as_signature_def(
            {
                name: tensor
                for name, tensor in receiver_tensors.items()
                if not name.startswith(State.STATE_PREFIX)
            }
        )


class OneShotPredictionHead(TimeSeriesRegressionHead):
    """A head whose exported models take the past and the times to predict at once.

    Features beside the values come for all times; values for those before.

    Args:
        The same as TimeSeriesRegressionHead.
    """

    def _check_predict_features(self, features):
        if _VALUES not in features:
            raise ValueError(f"Expected a '{_VALUES}' feature for prediction.")
        if _TIMES not in features:
            raise ValueError(f"Expected a '{_TIMES}' feature for prediction.")
        check_shapes(features, _TIMES, features[_TIMES], ignore=(_VALUES,))

    def _serving_ops(self, features):
        length = shape(features[_VALUES])[1]
        before = {name: value[:, :length] for name, value in features.items()}
        after = {
            name: value[:, length:]
            for name, value in features.items()
            if name != _VALUES
        }
        after[_STATE] = self.create_loss(before, ModeKeys.EVAL).end_state
        predicted = self._predicted(after)
        return EstimatorSpec(
            mode=ModeKeys.PREDICT, predictions={**predicted, _TIMES: after[_TIMES]},
            export_outputs={SavedModelLabels.PREDICT: PredictOutput(predicted)},
        )  # fmt: skip


def check_train_eval_features(features: dict, model: Any) -> None:
    """Refuse what cannot be trained or evaluated.

    Args:
        features: dict of tensors. model: a TimeSeriesModel.
    Raises:
        ValueError: times or values are missing, or shapes do not fit.
    """
    for name in (_TIMES, _VALUES):
        if name not in features:
            raise ValueError(f"Expected a '{name}' feature for training/evaluation.")
    times, values = features[_TIMES], features[_VALUES]
    if not times.shape.is_compatible_with([None, None]):
        raise ValueError(
            f"Expected shape (batch dimension, window size) for feature '{_TIMES}' "
            f"(got shape {times.shape})"
        )
    if not values.shape.is_compatible_with([None, None, model.num_features]):
        raise ValueError(
            "Expected shape (batch dimension, window size, "
            f"{model.num_features}) for feature '{_VALUES}', since the model was "
            f"configured with num_features={model.num_features} (got shape "
            f"{values.shape})"
        )
    check_shapes(features, _TIMES, times, ignore=(_STATE,))


def check_shapes(features: dict, like_name: str, like: Tensor, ignore: Any) -> None:
    """Refuse features whose first two dimensions are not those of another.

    Args:
        features: dict of tensors. like_name, like: the other. ignore: names.
    Raises:
        ValueError: they are not.
    """
    for name, value in features.items():
        if name == like_name or name in ignore:
            continue
        if value.shape.ndims is not None and value.shape.ndims < 2:
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...) (got "
                f"rank {value.shape.ndims} for feature '{name}')"
            )
        if not value.shape[:2].is_compatible_with(like.shape[:2]):
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...) where "
                f"batch dimension and window size match the '{like_name}' feature (got "
                f"shape {value.shape} for feature '{name}' but shape {like.shape} for "
                f"feature '{like_name}')"
            )


def _model_scope():
    return variable_scope("model", use_resource=True, reuse=AUTO_REUSE)


def _kept(name, tensor):
    """(value, update op) of a metric that is what the last batch gave."""
    kept = Variable(
        zeros_like(tensor, optimize=False), name=f"{name}_identity_metric",
        collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=False,
        use_resource=False, trainable=False,
    )  # fmt: skip
    return identity(kept), assign(kept, tensor, validate_shape=False)


def _all_kept(name, structure):
    """(values, update op) of a metric that is a structure."""
    pairs = [
        _kept(f"{name}_{number}", part)
        for number, part in enumerate(nest.flatten(structure))
    ]
    values = nest.pack_sequence_as(structure, [value for value, _ in pairs])
    return values, group(*(update.op for _, update in pairs))
