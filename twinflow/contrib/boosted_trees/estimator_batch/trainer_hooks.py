"""Hooks for the training of trees."""

import os
from typing import Any

from twinflow.base import logging
from twinflow.formats import protos
from twinflow.graph.defaults import get_default_graph
from twinflow.ops.core.constant import cast
from twinflow.ops.core.no_op import no_op
from twinflow.ops.variables.state import assign
from twinflow.summary.writer import FileWriterCache
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook
from twinflow.train.training_util import get_global_step

__all__ = [
    "FeatureImportanceSummarySaver", "FeedFnHook", "StopAfterNTrees", "SwitchTrainOp",
]  # fmt: skip


class FeedFnHook(SessionRunHook):
    """Feeds each step what a function gives.

    Args:
        feed_fn: a function without arguments that gives a feed_dict.
    """

    def __init__(self, feed_fn: Any) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """See SessionRunHook."""
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


class StopAfterNTrees(SessionRunHook):
    """Stops when there are enough trees, or twice as many were tried.

    Args:
        n: how many trees. num_attempted_trees_tensor, num_finalized_trees_tensor: int64
            scalars. override_global_step_value: what the global step is then set to.
    """

    def __init__(
        self, n: int, num_attempted_trees_tensor: Any, num_finalized_trees_tensor: Any,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        self._n = n
        self._tensors = num_attempted_trees_tensor, num_finalized_trees_tensor
        self._last_step, self._override = override_global_step_value, None

    def begin(self) -> None:
        """Looks for the global step.

        Raises:
            RuntimeError: there is none.
        """
        step = get_global_step()
        if step is None:
            raise RuntimeError(
                "Global step should be created to use StopAfterNTrees: call "
                "tf.train.create_global_step()."
            )
        if self._last_step is not None:
            self._override = assign(step, cast(self._last_step, step.dtype.base_dtype))

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """See SessionRunHook."""
        names = "num_attempted_trees", "num_finalized_trees"
        return SessionRunArgs(dict(zip(names, self._tensors)))

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """See SessionRunHook."""
        finalized = run_values.results["num_finalized_trees"]
        attempted = run_values.results["num_attempted_trees"]
        if finalized < self._n and attempted < 2 * self._n:
            return
        logging.info(
            "Requesting stop since we have reached %d trees (%d attempted).", finalized,
            attempted,
        )  # fmt: skip
        run_context.request_stop()
        if self._override is not None:
            run_context.session.run(self._override)


class SwitchTrainOp(SessionRunHook):
    """Runs one op for some steps, and another one after them.

    Args:
        first_train_op: the op of the first steps. train_steps: how many they are.
        second_train_op: the op of the others.
    """

    def __init__(
        self, first_train_op: Any, train_steps: int, second_train_op: Any
    ) -> None:
        self._first_train_op, self._second_train_op = first_train_op, second_train_op
        self._train_steps = train_steps
        self._global_step_tensor: Any = None
        self._current_train_op: Any = None

    def _get_train_op_for_global_step(self, current_step):
        first = current_step < self._train_steps
        return self._first_train_op if first else self._second_train_op

    def begin(self) -> None:
        """Looks for the global step.

        Raises:
            RuntimeError: there is none.
        """
        self._global_step_tensor = get_global_step()
        self._current_train_op = no_op()
        if self._global_step_tensor is None:
            raise RuntimeError(
                "Global step should be created to use SwitchTrainOp: call "
                "tf.train.create_global_step()."
            )

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """See SessionRunHook."""
        return SessionRunArgs(
            {
                "global_step": self._global_step_tensor,
                "train_op": self._current_train_op,
            }
        )

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """See SessionRunHook."""
        step = run_values.results["global_step"]
        self._current_train_op = self._get_train_op_for_global_step(step)


_IMPORTANCE = "usage_counts", "usage_fraction", "gains", "gains_fraction"


class FeatureImportanceSummarySaver(SessionRunHook):
    """Writes how much each feature gains, as summaries.

    Args:
        model_dir: the folder of the model. every_n_steps: how often.
    Raises:
        ValueError: there is no folder.
    """

    def __init__(self, model_dir: Any, every_n_steps: int = 1) -> None:
        if model_dir is None:
            raise ValueError("model dir must be specified.")
        self._model_dir, self._every_n_steps = model_dir, every_n_steps
        self._last_triggered_step: Any = None
        self._tensors: Any = None
        self._step: Any = None

    def begin(self) -> None:
        """Looks for the ensemble and the global step.

        Raises:
            RuntimeError: there is no global step.
        """
        self._step = get_global_step()
        if self._step is None:
            raise RuntimeError(
                "Global step should be created to use FeatureImportanceSummarySaver."
            )
        graph = get_default_graph()
        self._tensors = {
            "global_step": self._step,
            "feature_names": graph.get_tensor_by_name("gbdt/feature_names:0"),
            "feature_usage_counts": graph.get_tensor_by_name(
                "gbdt/feature_usage_counts:0"
            ),
            "feature_gains": graph.get_tensor_by_name("gbdt/feature_gains:0"),
        }

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """See SessionRunHook."""
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """See SessionRunHook."""
        found = run_values.results
        step, last = found["global_step"], self._last_triggered_step
        if last is not None and step < last + self._every_n_steps:
            return
        self._last_triggered_step = step
        counts, gains = found["feature_usage_counts"], found["feature_gains"]
        values = counts, _shares(counts), gains, _shares(gains)
        for name, *own in zip(found["feature_names"], *values):
            self._write(name.decode("utf-8"), own, step)

    def _write(self, name, values, step):
        writer = FileWriterCache.get(os.path.join(self._model_dir, name))
        parts = [
            protos.Summary.Value(tag=f"feature_importance/{tag}", simple_value=value)
            for tag, value in zip(_IMPORTANCE, values)
        ]
        writer.add_summary(protos.Summary(value=parts), step)
        writer.flush()


def _shares(values):
    """Each as a part of their sum; 0 where that is 0."""
    return values / (values.sum() or 1)
