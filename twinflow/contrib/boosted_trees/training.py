"""Gradient boosted decision trees that grow batch by batch.

Ponomareva et al., TF Boosted Trees (2017): a step adds up gradients and hessians by
leaf and feature; once a layer has seen examples enough the last tree grows by a layer.
"""

import collections
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.shapes import TensorShape
from twinflow.contrib.boosted_trees.batch_features import extract_features
from twinflow.contrib.boosted_trees.handler_lists import handlers_of, is_active
from twinflow.contrib.boosted_trees.scheduling import run_handler_scheduled_ops
from twinflow.contrib.boosted_trees.second_order import Slopes
from twinflow.contrib.boosted_trees.stats_accumulator import StatsAccumulator
from twinflow.contrib.boosted_trees.updates import EnsembleUpdate
from twinflow.estimator.model_fn import ModeKeys
from twinflow.formats import decision_protos
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.joining import stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.trees.contrib import model_ops, prediction_ops
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign
from twinflow.summary import summaries

ENSEMBLE_STAMP = "ensemble_stamp"
PREDICTIONS = "predictions"
PARTITION_IDS = "partition_ids"
NUM_LAYERS_ATTEMPTED = "num_layers"
NUM_TREES_ATTEMPTED = "num_trees"
NUM_USED_HANDLERS = "num_used_handlers"
USED_HANDLERS_MASK = "used_handlers_mask"
LEAF_INDEX = "leaf_index"

_COUNTERS = (
    "num_layer_examples", "num_layer_steps", "num_layers", "active_tree",
    "active_layer",
)  # fmt: skip
GBDTTrainingState = collections.namedtuple(
    "GBDTTrainingState",
    (*_COUNTERS, "continue_centering", "bias_stats_accumulator", "steps_accumulator",
     "handlers"),
)  # fmt: skip


def fill_in(config: Any, logits_dimension: int) -> None:
    """Write the defaults into a LearnerConfig where nothing is said."""
    if not config.constraints.max_tree_depth:
        config.constraints.max_tree_depth = 6
    if not config.learning_rate_tuner.WhichOneof("tuner"):
        config.learning_rate_tuner.fixed.learning_rate = 0.1
    several = "DIAGONAL_HESSIAN" if logits_dimension > 1 else "TREE_PER_CLASS"
    for field, name in (
        ("pruning_mode", "POST_PRUNE"),
        ("growing_mode", "LAYER_BY_LAYER"),
        ("multi_class_strategy", several),
    ):
        if not getattr(config, field):
            setattr(config, field, _strategy(name))


def counter(name: str) -> Variable:
    """An int64 variable that starts with 0."""
    return Variable(zeros([], dtypes.int64), name=name, trainable=False)


class GradientBoostedDecisionTreeModel:
    """An ensemble, what it predicts for a batch, and how it grows.

    Args:
        is_chief: whether this process grows it. num_ps_replicas: unused.
        ensemble_handle: of a `tree_ensemble_variable`.
        center_bias: whether the first tree is a bias.
        examples_per_layer: int, or a function of the number of the layer.
        learner_config: a LearnerConfig. features: {name: tensor or SparseTensor}.
        logits_dimension: int. loss_reduction: of losses: SUM makes gradients sums.
        feature_columns, use_core_columns: see `extract_features`.
        output_leaf_index: whether predictions say where examples end.
        output_leaf_index_modes: in which modes; all but training.
        num_quantiles: int, how many buckets a number has.
    Raises:
        ValueError: something of the configuration is missing or does not fit.
    """

    def __init__(
        self, is_chief: bool, num_ps_replicas: int, ensemble_handle: Any,
        center_bias: bool, examples_per_layer: Any, learner_config: Any, features: dict,
        logits_dimension: int,
        loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS,
        feature_columns: Any = None, use_core_columns: bool = False,
        output_leaf_index: bool = False, output_leaf_index_modes: Any = None,
        num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        if ensemble_handle is None:
            raise ValueError("ensemble_handle must be specified.")
        if learner_config is None:
            raise ValueError("learner_config must be specified.")
        if learner_config.num_classes < 2:
            raise ValueError("Number of classes must be >=2")
        self._is_chief, self._handle = is_chief, ensemble_handle
        self._center_bias = center_bias
        self._examples_per_layer = examples_per_layer
        config = learner_config
        fill_in(config, logits_dimension)
        if center_bias and config.multi_class_strategy != _strategy("TREE_PER_CLASS"):
            raise ValueError("Center bias should be False for multiclass.")
        depth = config.constraints.max_tree_depth
        self._max_tree_depth = Variable(int(depth), trainable=False)
        self._attempted_trees = counter("attempted_trees")
        self._finalized_trees = counter("finalized_trees")
        self._config = config
        self._logits_dimension = logits_dimension
        self._loss_reduction = loss_reduction
        self._columns = extract_features(features, feature_columns, use_core_columns)
        self._leaf_modes = (
            (ModeKeys.EVAL, ModeKeys.PREDICT)
            if output_leaf_index_modes is None
            else output_leaf_index_modes
        )
        self._output_leaf_index = output_leaf_index
        self._num_quantiles = num_quantiles

    @property
    def _names(self):
        return self._columns[0]

    def get_number_of_trees_tensor(self) -> tuple:
        """(finalized trees, attempted trees): int64 variables."""
        return self._finalized_trees, self._attempted_trees

    def get_max_tree_depth(self) -> Variable:
        """int32 variable: how many layers a tree has."""
        return self._max_tree_depth

    # -------------------------------------------------------------- predicting
    def predict(self, mode: str) -> dict:
        """What the ensemble says of the batch: a dict, by the constants of this module.

        Args:
            mode: a ModeKeys. Trees are left out (dropout) only in TRAIN, and averaged
                only in the others.
        """
        handle = self._handle
        stamp = apply(model_ops.TreeEnsembleStampToken, (handle,))
        stats = apply(model_ops.TreeEnsembleStats, (handle, stamp))
        used, mask = apply(
            model_ops.TreeEnsembleUsedHandlers,
            (handle, stamp),
            {"num_all_handlers": len(self._names)},
        )
        logits, leaves = self._predicted(mode, stats[4])
        inputs = (handle, *self._columns[1:])
        with control_dependencies([stats[0]]):
            partitions = apply(prediction_ops.GradientTreesPartitionExamples, inputs)
        found = {
            ENSEMBLE_STAMP: stamp, PREDICTIONS: logits, PARTITION_IDS: partitions,
            NUM_LAYERS_ATTEMPTED: stats[5], NUM_TREES_ATTEMPTED: stats[4],
            NUM_USED_HANDLERS: used, USED_HANDLERS_MASK: mask,
        }  # fmt: skip
        if leaves is not None:
            found[LEAF_INDEX] = leaves
        return found

    def _predicted(self, mode, attempted_trees):
        """(logits, the leaves or None)"""
        training = mode == ModeKeys.TRAIN
        attrs = {
            "learner_config": self._config.SerializeToString(),
            "apply_dropout": training, "apply_averaging": not training,
            "center_bias": self._center_bias,
            "reduce_dim": self._logits_dimension == self._config.num_classes - 1,
            "use_locking": True,
        }  # fmt: skip
        seed = attempted_trees if training else constant(-1, dtypes.int64)
        inputs = (self._handle, seed, *self._columns[1:])
        wanted = self._output_leaf_index and mode in self._leaf_modes
        op = prediction_ops.GradientTreesPrediction
        if wanted:
            op = prediction_ops.GradientTreesPredictionVerbose
        found = apply(op, inputs, attrs)
        found[0].set_shape([None, self._logits_dimension])
        return found[0], found[2] if wanted else None

    # -------------------------------------------------------------- training
    def _class_id(self, predictions_dict):
        """int32 scalar: the class that the tree is for; -1: all of them."""
        per_class = self._config.multi_class_strategy == _strategy("TREE_PER_CLASS")
        if per_class and self._logits_dimension != 1:
            trees = predictions_dict[NUM_TREES_ATTEMPTED]
            return cast(trees % self._logits_dimension, dtypes.int32)
        return constant(-1, dtypes.int32)

    def update_stats(self, loss: Any, predictions_dict: dict) -> tuple:
        """What adds up the gradients of a batch.

        Args:
            loss: float32 scalar. predictions_dict: of `predict`.
        Returns:
            (op, an op that starts everything anew, GBDTTrainingState)
        """
        stamp = predictions_dict[ENSEMBLE_STAMP]
        class_id = self._class_id(predictions_dict)
        slopes = Slopes.of(
            loss, predictions_dict[PREDICTIONS], self._config.multi_class_strategy,
            class_id,
        )  # fmt: skip
        handlers = handlers_of(
            self._columns, self._config, slopes, stamp, self._num_quantiles,
            self._loss_reduction == Reduction.SUM,
        )  # fmt: skip
        state = self._state(handlers, predictions_dict)
        ops = [self._bias_stats(state, slopes, predictions_dict)]
        ops += self._handler_stats(handlers, slopes, predictions_dict)
        return group(ops), self._reset(state), state

    def _state(self, handlers, predictions_dict):
        counters = [counter(name) for name in _COUNTERS]
        centering = Variable(
            self._center_bias, name="continue_centering", trainable=False
        )
        zero, none = constant(0, dtypes.int64), TensorShape([])
        bias = StatsAccumulator(zero, none, none, name="BiasAccumulator")
        steps = StatsAccumulator(zero, none, none, name="StepsAccumulator")
        for name, variable in (
            ("layer_stats/num_examples", counters[0]),
            ("layer_stats/num_steps", counters[1]),
            ("ensemble_stats/active_tree", counters[3]),
            ("ensemble_stats/active_layer", counters[4]),
        ):
            summaries.scalar(name, variable)
        return GBDTTrainingState(*counters, centering, bias, steps, handlers)

    def _bias_stats(self, state, slopes, predictions_dict):
        """Adds up the gradients of each class, while the bias moves."""
        if not self._center_bias:
            return no_op()

        def add():
            gradients, hessians = slopes.of_bias()
            count = self._logits_dimension
            return state.bias_stats_accumulator.add(
                predictions_dict[ENSEMBLE_STAMP], range_of(count),
                zeros([count, 2], dtypes.int64), gradients, hessians,
            )  # fmt: skip

        return cond(state.continue_centering, lambda: group([add()]), no_op)

    def _handler_stats(self, handlers, slopes, predictions_dict):
        stamp = predictions_dict[ENSEMBLE_STAMP]
        names = (
            NUM_LAYERS_ATTEMPTED, NUM_TREES_ATTEMPTED, NUM_USED_HANDLERS,
            USED_HANDLERS_MASK,
        )  # fmt: skip
        active = is_active(
            self._config, len(handlers), *(predictions_dict[name] for name in names)
        )
        reads = {h: h.scheduled_reads() for h in handlers}
        found = run_handler_scheduled_ops(reads, stamp, None)
        none = slopes.none()
        done, scheduled = [], {}
        for number, handler in enumerate(handlers):
            op, scheduled[handler] = handler.update_stats(
                stamp, predictions_dict[PARTITION_IDS], slopes.gradients,
                slopes.hessians, *none, slopes.weights, active[number], found[handler],
            )  # fmt: skip
            done.append(op)
        updates = run_handler_scheduled_ops(scheduled, stamp, None)
        return [*done, *(op for ops in updates.values() for op in ops)]

    def _reset(self, state):
        """An op that empties the ensemble and all that was added up."""
        stamp = apply(model_ops.TreeEnsembleSerialize, (self._handle,))[0]
        after = stamp + 1
        ops = [handler.reset(stamp, after) for handler in state.handlers]
        for sums in (state.bias_stats_accumulator, state.steps_accumulator):
            ops.append(sums.flush(stamp, after)[0])
        ops += [assign(v, 0) for v in self.get_number_of_trees_tensor()]
        with control_dependencies(ops):
            inputs = self._handle, after, b""
            put = apply(model_ops.TreeEnsembleDeserialize, inputs, None, "reset_gbdt")
        return group([put])

    def increment_step_counter_and_maybe_update_ensemble(
        self, predictions_dict: dict, training_state: GBDTTrainingState
    ) -> Any:
        """An op that counts the batch, and lets the trees grow where that is enough.

        Args:
            predictions_dict: of `predict`. training_state: of `update_stats`.
        """
        state, stamp = training_state, predictions_dict[ENSEMBLE_STAMP]
        batch = cast(shape(predictions_dict[PREDICTIONS])[0], dtypes.float32)
        added = state.steps_accumulator.add(stamp, [0], [[0, 0]], stack([batch]), [1.0])
        if not self._is_chief:
            return group([added])
        with control_dependencies([added]):
            _, _, _, _, examples, steps = state.steps_accumulator.serialize()
            examples = cast(reduce_sum(examples), dtypes.int64)
            steps = cast(reduce_sum(steps), dtypes.int64)
        counted = [
            assign(state.num_layer_examples, examples),
            assign(state.num_layer_steps, steps),
        ]
        enough = self._examples_per_layer
        if callable(enough):
            enough = enough(state.active_layer)
        seed = predictions_dict[NUM_TREES_ATTEMPTED]
        update = self.make_update_ensemble_fn(
            stamp, state, seed, self._class_id(predictions_dict)
        )
        grown = cond(examples >= cast(enough, dtypes.int64), update, no_op)
        return group([*counted, grown])

    def make_update_ensemble_fn(
        self, ensemble_stamp: Any, training_state: GBDTTrainingState, dropout_seed: Any,
        class_id: Any,
    ) -> Any:  # fmt: skip
        """A function without arguments that makes the op by which the trees grow.

        Args:
            ensemble_stamp, dropout_seed: int64 scalars.
            training_state: of `update_stats`. class_id: int32 scalar.
        """
        update = EnsembleUpdate(
            self._handle, self._config, self._center_bias, self._max_tree_depth,
            self.get_number_of_trees_tensor(), training_state,
        )  # fmt: skip
        return lambda: update.made(ensemble_stamp, dropout_seed, class_id)

    def train(self, loss: Any, predictions_dict: dict, labels: Any) -> Any:
        """An op that does a step of training.

        Args:
            loss: float32 scalar. predictions_dict: of `predict`. labels: unused.
        """
        update, _, state = self.update_stats(loss, predictions_dict)
        with control_dependencies([update]):
            return self.increment_step_counter_and_maybe_update_ensemble(
                predictions_dict, state
            )


def _strategy(name):
    return getattr(decision_protos.learner.LearnerConfig, name)
