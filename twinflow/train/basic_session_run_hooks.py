"""The usual hooks: stopping, logging, watching for NaN."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import errors, logging
from twinflow.graph.defaults import get_default_graph
from twinflow.train import training_util
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


class SecondOrStepTimer:
    """Says when something is due that happens every few steps or seconds.

    Args:
        every_secs, every_steps: exactly one of them.
    """

    def __init__(self, every_secs: Any = None, every_steps: Any = None) -> None:
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it was last due."""
        self._last_triggered_step = self._last_triggered_time = None

    def should_trigger_for_step(self, step: Any) -> Any:
        """Whether it is due at `step`; at the first one it always is."""
        if self._last_triggered_step is None:
            return True
        if self._last_triggered_step == step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_triggered_time + self._every_secs
        return step >= self._last_triggered_step + self._every_steps

    def update_last_triggered_step(self, step: Any) -> tuple[Any, ...]:
        """Note that it was done at `step`.

        Returns:
            (seconds, steps) since the last time; None at the first.
        """
        now, last = time.time(), self._last_triggered_step
        elapsed = (None, None)
        if last is not None:
            elapsed = now - self._last_triggered_time, step - last
        self._last_triggered_time, self._last_triggered_step = now, step
        return elapsed

    def last_triggered_step(self) -> Any:
        """The step it was last done at, or None."""
        return self._last_triggered_step


class NeverTriggerTimer:
    """A timer of something that is never due."""

    def should_trigger_for_step(self, step):
        """False."""
        return False

    def update_last_triggered_step(self, step):
        """Nothing to note."""
        return None, None

    def last_triggered_step(self):
        """None."""


class LoggingTensorHook(SessionRunHook):
    """Writes the values of tensors to the log.

    Args:
        tensors: dict from labels to tensors or names, or a list of them.
        every_n_iter, every_n_secs: when; one of them, unless at_end.
        at_end: at the end, too. formatter: from the dict of values to a text.
    """

    def __init__(
        self, tensors: Any, every_n_iter: Any = None, every_n_secs: Any = None,
        at_end: bool = False, formatter: Any = None,
    ) -> None:  # fmt: skip
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs "
                "must be provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if not isinstance(tensors, dict):
            self._tag_order, tensors = tensors, {item: item for item in tensors}
        else:
            self._tag_order = list(tensors)
        self._tensors, self._formatter, self._at_end = tensors, formatter, at_end
        self._timer = (
            NeverTriggerTimer()
            if only_at_end
            else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        )

    def begin(self) -> None:
        self._iter_count, self._should_trigger = 0, False
        if hasattr(self._timer, "reset"):
            self._timer.reset()
        graph = get_default_graph()
        self._current_tensors = {
            tag: graph.as_graph_element(tensor) for tag, tensor in self._tensors.items()
        }

    def before_run(self, run_context: Any) -> Any:
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session: Any) -> None:
        if self._at_end:
            self._log_tensors(session.run(self._current_tensors))

    def _log_tensors(self, values):
        elapsed, _ = self._timer.update_last_triggered_step(self._iter_count)
        if self._formatter:
            logging.info(self._formatter(values))
            return
        with np.printoptions(suppress=True):
            text = ", ".join(f"{tag} = {values[tag]!s}" for tag in self._tag_order)
        if elapsed is None:
            logging.info("%s", text)
        else:
            logging.info("%s (%.3f sec)", text, elapsed)


class StopAtStepHook(SessionRunHook):
    """Asks for the end at a step.

    Args:
        num_steps: how many steps from the start. last_step: or the last one.
    """

    def __init__(self, num_steps: Any = None, last_step: Any = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self) -> None:
        self._step = global_step_of("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._step) + self._num_steps

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results + 1 < self._last_step:
            return
        # What was fetched may be older than the update of the same run.
        if run_context.session.run(self._step) >= self._last_step:
            run_context.request_stop()


def global_step_of(hook):
    """A tensor of the global step, which a hook needs."""
    found = training_util.get_or_create_global_step_read()
    if found is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return found


class NanLossDuringTrainingError(RuntimeError):
    """The loss was NaN."""

    @property
    def message(self) -> str:
        """What it says."""
        return str(self)

    def __str__(self):
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Ends the training when a loss is NaN.

    Args:
        loss_tensor: the loss. fail_on_nan_loss: with an error, else as at the end.
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if np.isnan(run_values.results):
            message = "Model diverged with loss = NaN."
            if self._fail_on_nan_loss:
                logging.error(message)
                raise NanLossDuringTrainingError
            logging.warning(message)
            run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Waits before the first run until the global step has come so far.

    Args:
        wait_until_step: the step; another thread must make it.
    """

    def __init__(self, wait_until_step: Any) -> None:
        self._wait_until_step = wait_until_step
        self._worker_is_started = False

    def begin(self) -> None:
        self._step = global_step_of("_GlobalStepWaiterHook")

    def before_run(self, run_context: Any) -> None:
        if self._worker_is_started or self._wait_until_step <= 0:
            self._worker_is_started = True
            return
        logging.info("Waiting for global step %d before starting training.",
                     self._wait_until_step)  # fmt: skip
        while run_context.session.run(self._step) < self._wait_until_step:
            time.sleep(0.5)
        self._worker_is_started = True


class FinalOpsHook(SessionRunHook):
    """Runs ops at the end.

    Args:
        final_ops: a structure of tensors and operations.
        final_ops_feed_dict: what is fed.
    Attributes:
        final_ops_values: their values, afterwards.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops, self._feed_dict = final_ops, final_ops_feed_dict
        self._final_ops_values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values of the ops, once they have run."""
        return self._final_ops_values

    def end(self, session: Any) -> None:
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(self._final_ops, self._feed_dict)
        except (errors.OutOfRangeError, StopIteration) as error:
            logging.warning(
                "An OutOfRangeError or StopIteration exception is raised by the code "
                "in FinalOpsHook: the final ops have a dependency back to some input "
                "source that is at its end. Put the hook after those that read from "
                "it, or read with an iterator of its own. %s", error,
            )  # fmt: skip
            raise


class FeedFnHook(SessionRunHook):
    """Feeds what a function gives at each run.

    Args:
        feed_fn: () -> dict from tensors to values.
    """

    def __init__(self, feed_fn: Callable[..., Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())
