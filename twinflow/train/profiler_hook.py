"""ProfilerHook: timelines of some steps, for chrome://tracing."""

import os
from typing import Any

from twinflow.base import logging
from twinflow.base.annotations import Path
from twinflow.base.files import Open
from twinflow.execute.timeline import Timeline
from twinflow.formats.protos import RunOptions
from twinflow.summary.writer import FileWriterCache
from twinflow.train.basic_session_run_hooks import SecondOrStepTimer, global_step_of
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook


class ProfilerHook(SessionRunHook):
    """Writes a timeline every few steps or seconds, but not of the first step.

    Args:
        save_steps, save_secs: exactly one of them.
        output_dir: the folder of the files `timeline-<step>.json`, which
            chrome://tracing loads.
        show_dataflow: draw arrows from nodes to those that use them.
        show_memory: draw the memory of outputs.
    Raises:
        ValueError: both or none of `save_steps` and `save_secs`.
    Example:
        train_op = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        hook = tf.train.ProfilerHook(save_steps=1, output_dir="./profile")
        with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
            sess.run(train_op)
            sess.run(train_op)  # is timed
        tf.gfile.Glob("./profile/timeline-*.json")  # ["./profile/timeline-2.json"]
    """

    def __init__(
        self, save_steps: Any = None, save_secs: Any = None, output_dir: Path = "",
        show_dataflow: bool = True, show_memory: bool = False,
    ) -> None:  # fmt: skip
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._file_writer = FileWriterCache.get(output_dir)
        self._show_dataflow, self._show_memory = show_dataflow, show_memory

    def begin(self) -> None:
        self._next_step: Any = None
        self._global_step_tensor = global_step_of("ProfilerHook")

    def before_run(self, run_context: Any) -> SessionRunArgs:
        self._request_summary = (
            self._next_step is not None
            and self._timer.should_trigger_for_step(self._next_step)
        )
        full = self._request_summary
        options = RunOptions(trace_level=RunOptions.FULL_TRACE) if full else None
        return SessionRunArgs({"global_step": self._global_step_tensor}, None, options)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        stale = run_values.results["global_step"]
        if self._next_step is None:
            self._timer.update_last_triggered_step(stale)
        step = stale + 1
        if self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(step)
            self._save(step, run_values.run_metadata.step_stats)
            self._file_writer.add_run_metadata(
                run_values.run_metadata, f"step_{step}", step
            )
        self._next_step = step + 1

    def _save(self, step, step_stats):
        path = self._output_file.format(step)
        logging.info("Saving timeline for %d into '%s'.", step, path)
        found = Timeline(step_stats).generate_chrome_trace_format(
            show_dataflow=self._show_dataflow, show_memory=self._show_memory
        )
        with Open(path, "w") as f:
            f.write(found)
