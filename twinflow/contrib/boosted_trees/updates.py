"""The op by which an ensemble grows, once a layer has seen examples enough."""

from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.trees.contrib import model_ops, training_ops
from twinflow.ops.variables.state import assign


class EnsembleUpdate(NamedTuple):
    """What the update is made of.

    Attributes:
        handle: of the ensemble. config: a LearnerConfig. center_bias: bool.
        depth: int32 variable, of trees. counts: variables of finalized and attempted
            trees. state: a GBDTTrainingState.
    """

    handle: Any
    config: Any
    center_bias: bool
    depth: Any
    counts: tuple
    state: Any

    def made(self, stamp: Any, seed: Any, class_id: Any) -> Any:
        """The op; see `make_update_ensemble_fn`."""
        after = stamp + 1
        _, _, _, *bias = self.state.bias_stats_accumulator.flush(stamp, after)
        found = [h.make_splits(stamp, after, class_id) for h in self.state.handlers]
        ready = reduce_all(stack([splits[0] for splits in found]))
        lists = [list(part) for part in list(zip(*found))[1:]]

        def grow():
            return cond(
                ready,
                lambda: self._grown(stamp, after, seed, self._rate(), lists),
                lambda: self._grown(stamp, after, seed, 0.0, ([], [], [])),
            )

        def center():
            return self._centered(stamp, after, *bias)

        flushed = [part for splits in found for part in splits[1:]]
        with control_dependencies([ready, *flushed, *bias]):
            if self.center_bias:
                updated = cond(self.state.continue_centering, center, grow)
            else:
                updated = grow()
        return self._noted(stamp, after, updated)

    def _rate(self):
        tuner = self.config.learning_rate_tuner
        kind = tuner.WhichOneof("tuner")
        if kind == "line_search":
            raise ValueError("Line search learning rate is not yet supported.")
        return getattr(tuner, kind).learning_rate

    def _grown(self, stamp, after, seed, rate, lists):
        weak = constant(self.config.weak_learner_type, dtypes.int32)
        inputs = self.handle, stamp, after, rate, seed, self.depth, weak, *lists
        attrs = {
            "learner_config": self.config.SerializeToString(),
            "center_bias": self.center_bias,
        }
        with control_dependencies(
            [apply(training_ops.GrowTreeEnsemble, inputs, attrs)]
        ):
            return constant(False)

    def _centered(self, stamp, after, gradients, hessians):
        steps = where(
            greater(hessians, 0.0), -gradients / hessians, zeros_like(gradients)
        )
        attrs = {"learner_config": self.config.SerializeToString()}
        inputs = self.handle, stamp, after, steps
        goes_on = apply(training_ops.CenterTreeEnsembleBias, inputs, attrs)
        return assign(self.state.continue_centering, goes_on)

    def _noted(self, stamp, after, updated):
        """Notes how far the ensemble is, and starts to count examples anew."""
        state = self.state
        with control_dependencies([updated]):
            stats = apply(model_ops.TreeEnsembleStats, (self.handle, after))
        pairs = zip(
            (self.counts[0], state.num_layers, state.active_tree, state.active_layer,
             self.counts[1]),
            stats,
        )  # fmt: skip
        notes = [assign(variable, value) for variable, value in pairs]
        steps = state.steps_accumulator.flush(stamp, after)[0]
        return group([updated, *notes, steps], name="update_ensemble")
