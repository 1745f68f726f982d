"""Hooks that write: checkpoints, summaries, steps per second."""

import os
from typing import Any

from twinflow.base import logging
from twinflow.base.annotations import Path, overridable
from twinflow.formats.protos import SessionLog, Summary
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.files import write_graph
from twinflow.graph.graph_def.meta_export import create_meta_graph_def
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.summary.writer import FileWriterCache
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import SecondOrStepTimer, global_step_of
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


class CheckpointSaverListener:
    """What is called around each saving of a CheckpointSaverHook."""

    @overridable
    def begin(self) -> Any:
        """Called once, before the session is made."""

    @overridable
    def before_save(self, session: Any, global_step_value: Any) -> Any:
        """Called before each saving."""

    @overridable
    def after_save(self, session: Any, global_step_value: Any) -> Any:
        """Called after each saving; True asks for the end."""

    @overridable
    def end(self, session: Any, global_step_value: Any) -> Any:
        """Called at the end."""


class CheckpointSaverHook(SessionRunHook):
    """Saves checkpoints every few steps or seconds, at the start and at the end.

    Args:
        checkpoint_dir: the folder. save_secs, save_steps: exactly one of them.
        saver: the Saver, or scaffold: whose Saver it is; by default that of the graph.
        checkpoint_basename: how names of files begin.
        listeners: CheckpointSaverListeners.
    """

    def __init__(
        self, checkpoint_dir: Path, save_secs: Any = None, save_steps: Any = None,
        saver: Any = None, checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None, listeners: Any = None,
    ) -> None:  # fmt: skip
        logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold = saver, scaffold
        self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = listeners or []
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Say how many steps one run makes."""
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._step = global_step_of("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        step, graph = session.run(self._step), get_default_graph()
        graph_def = graph.as_graph_def(add_shapes=True)
        write_graph(graph_def, self._checkpoint_dir, "graph.pbtxt")
        saver_def = self._get_saver().saver_def
        self._summary_writer.add_graph(graph)
        self._summary_writer.add_meta_graph(
            create_meta_graph_def(graph_def=graph_def, saver_def=saver_def)
        )
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        stale = run_values.results
        if not self._timer.should_trigger_for_step(stale + self._steps_per_run):
            return
        step = run_context.session.run(self._step)
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        last = session.run(self._step)
        if last != self._timer.last_triggered_step():
            self._save(session, last)
        for listener in self._listeners:
            listener.end(session, last)

    def _save(self, session, step):
        """Save; whether a listener asks for the end."""
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=int(step))
        log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(log, step)
        stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logging.info("A CheckpointSaverListener requested that training be "
                             "stopped. listener: %s", listener)  # fmt: skip
                stop = True
        return stop

    def _get_saver(self):
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        found = get_collection(GraphKeys.SAVERS)
        if len(found) != 1:
            few = "No items" if not found else "More than one item"
            raise RuntimeError(
                f"{few} in collection {GraphKeys.SAVERS}. Please indicate which one to "
                "use by passing it to the constructor."
            )
        self._saver = found[0]
        return self._saver


class StepCounterHook(SessionRunHook):
    """Writes how many steps are made in a second.

    Args:
        every_n_steps, every_n_secs: when; one of them.
        output_dir: the folder of the summaries. summary_writer: a FileWriter.
    """

    _last_global_step: Any

    def __init__(
        self, every_n_steps: int | None = 100, every_n_secs: Any = None,
        output_dir: Path | None = None, summary_writer: Any = None,
    ) -> None:  # fmt: skip
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError(
                "exactly one of every_n_steps and every_n_secs should be provided."
            )
        self._timer = SecondOrStepTimer(
            every_steps=every_n_steps, every_secs=every_n_secs
        )
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._last_global_step, self._steps_per_run = None, 1
        self._global_step_check_count = 0

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Say how many steps one run makes."""
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._step = global_step_of("StepCounterHook")
        self._summary_tag = training_util.get_global_step().op.name + "/sec"

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        stale = run_values.results
        if self._timer.should_trigger_for_step(stale + self._steps_per_run):
            step = run_context.session.run(self._step)
            if self._timer.should_trigger_for_step(step):
                seconds, steps = self._timer.update_last_triggered_step(step)
                if seconds is not None:
                    self._log_and_record(steps, seconds, step)
        if stale == self._last_global_step:
            self._warn_of_20(stale)
        else:
            self._global_step_check_count = 0
        self._last_global_step = stale

    def _warn_of_20(self, stale):
        """Say after each 20 runs that the global step stays as it is."""
        self._global_step_check_count += 1
        if self._global_step_check_count % 20 == 0:
            self._global_step_check_count = 0
            logging.warning(
                "It seems that global step (tf.train.get_global_step) has not been "
                "increased. Current value (could be stable): %s vs previous value: %s. "
                "You could increase the global step by passing "
                "tf.train.get_global_step() to Optimizer.apply_gradients or "
                "Optimizer.minimize.", stale, self._last_global_step,
            )  # fmt: skip

    def _log_and_record(self, steps, seconds, step):
        rate = steps / seconds
        if self._summary_writer is not None:
            summary = Summary()
            summary.value.add(tag=self._summary_tag, simple_value=rate)
            self._summary_writer.add_summary(summary, step)
        logging.info("%s: %g", self._summary_tag, rate)


class SummarySaverHook(SessionRunHook):
    """Writes summaries every few steps or seconds.

    Args:
        save_steps, save_secs: when; one of them.
        output_dir: the folder, or summary_writer: a FileWriter.
        scaffold: whose summary_op it is, or summary_op: the tensor(s).
    """

    def __init__(
        self, save_steps: Any = None, save_secs: Any = None,
        output_dir: Path | None = None, summary_writer: Any = None,
        scaffold: Any = None, summary_op: Any = None,
    ) -> None:  # fmt: skip
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step = None
        self._step = global_step_of("SummarySaverHook")

    def before_run(self, run_context: Any) -> SessionRunArgs:
        self._request_summary = (
            self._next_step is None
            or self._timer.should_trigger_for_step(self._next_step)
        )
        requests = {"global_step": self._step}
        if self._request_summary and self._get_summary_op() is not None:
            requests["summary"] = self._get_summary_op()
        return SessionRunArgs(requests)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if not self._summary_writer:
            return
        stale = run_values.results["global_step"]
        step = stale + 1
        if self._next_step is None or self._request_summary:
            step = run_context.session.run(self._step)
        if self._next_step is None:
            log = SessionLog(status=SessionLog.START)
            self._summary_writer.add_session_log(log, step)
        if self._request_summary:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, step)
        self._next_step = step + 1

    def end(self, session: Any = None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()

    def _get_summary_op(self):
        op = (
            self._summary_op
            if self._summary_op is not None
            else (self._scaffold.summary_op)
        )
        if op is None:
            return None
        return list(op) if isinstance(op, list | tuple) else [op]
