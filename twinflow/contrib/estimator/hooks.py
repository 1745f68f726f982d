"""Hooks that evaluate inside a training, or end one at a step."""

import time
from collections.abc import Callable
from typing import Any

from twinflow.base import logging
from twinflow.base.annotations import Path
from twinflow.estimator import evaluation
from twinflow.estimator.estimator import Estimator, trained_steps
from twinflow.estimator.model_fn import ModeKeys
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import SecondOrStepTimer, StopAtStepHook
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates in the process of a training, without a checkpoint.

    Args:
        estimator: the Estimator that is trained. input_fn: for the evaluation.
        steps: batches; None: until the input ends. hooks: SessionRunHooks.
        name: of the evaluation. every_n_iter: how often.
    Raises:
        ValueError: `every_n_iter` is not positive.
    Example:
        estimator = tf.estimator.BaselineRegressor("./model")
        data = {"x": [[1.0]]}, [[2.0]]
        input_fn = lambda: tf.data.Dataset.from_tensors(data).repeat(3)
        hook = tf.contrib.estimator.InMemoryEvaluatorHook(estimator, input_fn)
        estimator.train(input_fn, hooks=[hook])
    """

    def __init__(
        self, estimator: Estimator, input_fn: Callable[..., Any], steps: Any = None,
        hooks: Any = None, name: str | None = None, every_n_iter: int = 100,
    ) -> None:  # fmt: skip
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if (
            estimator.config.num_ps_replicas > 0
            or estimator.config.num_worker_replicas > 1
        ):
            raise ValueError(
                "InMemoryEvaluator supports only single machine (aka Local) setting."
            )
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        self._estimator, self._input_fn, self._steps = estimator, input_fn, steps
        self._name, self._hooks = name, list(hooks or [])
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)
        self._eval_dir = estimator.eval_dir(name)
        self._iteration = 0

    def begin(self) -> None:
        """Build the graph of the evaluation, which takes the values over."""
        self._timer.reset()
        self._iteration = 0
        estimator = self._estimator
        with estimator._graph() as graph:
            features, labels, hooks = estimator._inputs(self._input_fn, ModeKeys.EVAL)
            spec = estimator._call_model_fn(
                features, labels, ModeKeys.EVAL, estimator.config
            )
            self._update, self._values = evaluation.metric_ops(spec)
            self._given = evaluation.with_local_variables(spec.scaffold)
            self._all_hooks = [*hooks, *self._hooks, *spec.evaluation_hooks]
            names = [v.name for v in get_collection(GraphKeys.GLOBAL_VARIABLES)]
        self._graph, self._names = graph, names

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Evaluate what the training starts with."""
        if not training_util.get_global_step(session.graph):
            return
        self._evaluate(session)

    def _evaluate(self, session):
        variables = session.graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
        wanted = {v.name: v for v in variables if v.name in self._names}
        by_name = session.run(wanted)
        with self._graph.as_default():
            scaffold = Scaffold(
                init_fn=lambda scaffold, sess: _load(sess, by_name),
                copy_from_scaffold=self._given,
            )
            hooks = list(self._all_hooks)
            if self._steps is not None:
                hooks.append(evaluation.StopAfterNEvalsHook(self._steps))
            found = evaluation.evaluate_once(
                None, scaffold, self._update, self._values, hooks,
                self._estimator._session_config,
            )  # fmt: skip
        step = int(found[training_util.GLOBAL_STEP])
        evaluation.write_summary(self._eval_dir, found, step, None)
        self._timer.update_last_triggered_step(self._iteration)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluate where it is time to."""
        self._iteration += 1
        if self._timer.should_trigger_for_step(self._iteration):
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        """Evaluate what the training ends with."""
        self._evaluate(session)


def _load(session, by_name):
    """Give the variables of the current graph their values."""
    for variable in get_collection(GraphKeys.GLOBAL_VARIABLES):
        if variable.name in by_name:
            variable.load(by_name[variable.name], session)


class StopAtCheckpointStepHook(SessionRunHook):
    """Waits until a checkpoint of a step is there, and stops.

    Args:
        model_dir: the folder. last_step: the step.
        wait_after_file_check_secs: how long to wait between looks.
    Raises:
        ValueError: one is not given.
    """

    def __init__(
        self, model_dir: Path, last_step: int, wait_after_file_check_secs: int = 30
    ) -> None:
        if last_step is None:
            raise ValueError("last_step must be specified.")
        if model_dir is None:
            raise ValueError("model_dir must be specified.")
        self._model_dir, self._last_step = model_dir, last_step
        self._wait = wait_after_file_check_secs

    def begin(self) -> None:
        self._step = training_util.get_or_create_global_step()

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results + 1 < self._last_step:
            return
        while trained_steps(self._model_dir) < self._last_step:
            logging.info("Waiting for a checkpoint of step %d", self._last_step)
            time.sleep(self._wait)
        run_context.request_stop()


def make_stop_at_checkpoint_step_hook(
    estimator: Estimator, last_step: int, wait_after_file_check_secs: int = 30
) -> SessionRunHook:
    """A hook that ends the training of every task of a cluster at a step.

    Args:
        estimator: the Estimator. last_step: the step.
        wait_after_file_check_secs: how long other tasks wait between looks.
    Raises:
        ValueError: there is no step.
    Example:
        estimator = tf.estimator.BaselineRegressor("./model")
        hook = tf.contrib.estimator.make_stop_at_checkpoint_step_hook(estimator, 2)
        data = {"x": [[1.0]]}, [[2.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data).repeat(), [hook])
    """
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return StopAtCheckpointStepHook(
        estimator.model_dir, last_step, wait_after_file_check_secs
    )
