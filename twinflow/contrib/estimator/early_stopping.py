"""Hooks that end a training early, by what evaluations have written."""

import collections
import operator
import os
from collections.abc import Callable
from typing import Any

from twinflow.base import errors, files, logging
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.estimator.estimator import Estimator
from twinflow.graph.variable_scope import AUTO_REUSE, get_variable, variable_scope
from twinflow.ops.random.initializers_plain import Constant
from twinflow.ops.variables.collections import GraphKeys
from twinflow.summary.writer import summary_iterator
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import SecondOrStepTimer
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


def make_early_stopping_hook(
    estimator: Estimator, should_stop_fn: Callable[..., Any], run_every_secs: Any = 60,
    run_every_steps: Any = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training when a function of no arguments says so.

    Args:
        estimator: the Estimator. should_stop_fn: () -> whether to stop.
        run_every_secs, run_every_steps: how often it is asked; one of them.
    Raises:
        TypeError: it is no Estimator. ValueError: both or none are given.
    Example:
        estimator = tf.estimator.BaselineRegressor("./model")
        hook = tf.contrib.estimator.make_early_stopping_hook(
            estimator, lambda: True, run_every_secs=None, run_every_steps=1)
        data = {"x": [[1.0]]}, [[2.0]]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data).repeat(), [hook])
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(
            "`estimator` must have type `tf.estimator.Estimator`. Got: "
            f"{type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError(
            "Only one of `run_every_secs` and `run_every_steps` must be set."
        )
    if not estimator.config.is_chief:
        return CheckForStoppingHook()
    return StopOnPredicateHook(should_stop_fn, run_every_secs, run_every_steps)


def stop_if_higher_hook(
    estimator: Estimator, metric_name: str, threshold: float,
    eval_dir: Path | None = None, min_steps: int = 0, run_every_secs: Any = 60,
    run_every_steps: Any = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training once a metric is above a threshold.

    Args:
        estimator: the Estimator. metric_name: of its evaluations. threshold: a number.
        eval_dir: the folder of their summaries. min_steps: how long to train at least.
        run_every_secs, run_every_steps: see make_early_stopping_hook.
    """
    return _threshold_hook(
        estimator, metric_name, threshold, operator.gt, eval_dir, min_steps,
        run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_lower_hook(
    estimator: Estimator, metric_name: str, threshold: float,
    eval_dir: Path | None = None, min_steps: int = 0, run_every_secs: Any = 60,
    run_every_steps: Any = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training once a metric is below a threshold.

    Args: see stop_if_higher_hook.
    """
    return _threshold_hook(
        estimator, metric_name, threshold, operator.lt, eval_dir, min_steps,
        run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_no_increase_hook(
    estimator: Estimator, metric_name: str, max_steps_without_increase: int,
    eval_dir: Path | None = None, min_steps: int = 0, run_every_secs: Any = 60,
    run_every_steps: Any = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training where a metric does not grow for some time.

    Args:
        max_steps_without_increase: how long. The others: see stop_if_higher_hook.
    """
    return _improvement_hook(
        estimator, metric_name, max_steps_without_increase, operator.gt, eval_dir,
        min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_no_decrease_hook(
    estimator: Estimator, metric_name: str, max_steps_without_decrease: int,
    eval_dir: Path | None = None, min_steps: int = 0, run_every_secs: Any = 60,
    run_every_steps: Any = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training where a metric does not fall for some time.

    Args:
        max_steps_without_decrease: how long. The others: see stop_if_higher_hook.
    """
    return _improvement_hook(
        estimator, metric_name, max_steps_without_decrease, operator.lt, eval_dir,
        min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


def read_eval_metrics(eval_dir: Path) -> Any:
    """What evaluations have written, by their steps.

    Args:
        eval_dir: the folder of the summaries.
    Returns:
        An ordered dict from global steps to dicts from names to numbers.
    """
    found: dict = collections.defaultdict(dict)
    for event in _events(eval_dir):
        values = {
            v.tag: v.simple_value
            for v in event.summary.value
            if v.HasField("simple_value")
        }
        if values:
            found[event.step].update(values)
    return collections.OrderedDict(sorted(found.items()))


def _events(folder):
    """The events of all files of a folder."""
    if not files.Exists(folder):
        return
    for name in sorted(files.ListDirectory(folder)):
        if ".tfevents." in name:
            try:
                yield from summary_iterator(os.path.join(folder, name))
            except errors.DataLossError as error:  # a file that is being written
                logging.warning("%s: %s", name, error)


def _threshold_hook(
    estimator, metric_name, threshold, is_beyond, eval_dir, min_steps, secs, steps
):
    eval_dir = eval_dir or estimator.eval_dir()

    def should_stop():
        for step, metrics in read_eval_metrics(eval_dir).items():
            if step < min_steps:
                continue
            value = metrics[metric_name]
            if is_beyond(value, threshold):
                logging.info("At step %s, metric \"%s\" has value %s, the threshold is "
                             "%s.", step, metric_name, value, threshold)  # fmt: skip
                return True
        return False

    return make_early_stopping_hook(estimator, should_stop, secs, steps)


def _improvement_hook(
    estimator, metric_name, most, is_better, eval_dir, min_steps, secs, steps
):
    eval_dir = eval_dir or estimator.eval_dir()

    def should_stop():
        best, since = None, None
        for step, metrics in read_eval_metrics(eval_dir).items():
            if step < min_steps:
                continue
            value = metrics[metric_name]
            if best is None or is_better(value, best):
                best, since = value, step
            if step - since >= most:
                logging.info(
                    'No improvement of metric "%s" for %s steps; its best value is %s.',
                    metric_name, step - since, best,
                )  # fmt: skip
                return True
        return False

    return make_early_stopping_hook(estimator, should_stop, secs, steps)


def _stop_variable():
    """The variable that says whether to stop, made if there is none."""
    with variable_scope("signal_early_stopping", reuse=AUTO_REUSE):
        return get_variable(
            "STOP", shape=[], dtype="bool", initializer=Constant(False),
            collections=[GraphKeys.GLOBAL_VARIABLES], trainable=False,
        )  # fmt: skip


class StopOnPredicateHook(SessionRunHook):
    """Ends the training when a function says so; see make_early_stopping_hook."""

    def __init__(
        self, should_stop_fn: Any, run_every_secs: Any = 60, run_every_steps: Any = None
    ) -> None:
        if not callable(should_stop_fn):
            raise advised(TypeError, "`should_stop_fn` must be callable.")
        self._should_stop_fn = should_stop_fn
        self._timer = SecondOrStepTimer(
            every_secs=run_every_secs, every_steps=run_every_steps
        )

    def begin(self) -> None:
        self._step = training_util.get_global_step()
        self._stop_var = _stop_variable()
        self._stop_op = self._stop_var.assign(True)

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop_fn():
                logging.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop_op)
                run_context.request_stop()


class CheckForStoppingHook(SessionRunHook):
    """Ends the training when the chief has said so."""

    def begin(self) -> None:
        self._stop_var = _stop_variable()

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._stop_var)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results:
            run_context.request_stop()
