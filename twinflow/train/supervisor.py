"""Supervisor: sessions that are restored, saved and summarised by threads."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes, errors, logging
from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.checkpoint.saver import Saver
from twinflow.formats.protos import SessionLog, Summary
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.files import write_graph
from twinflow.graph.graph_def.meta_export import create_meta_graph_def
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.variables.collections import (
    GraphKeys,
    get_collection,
    global_variables,
    global_variables_initializer,
)
from twinflow.ops.variables.initialized import report_uninitialized_variables
from twinflow.summary.summaries import merge_all
from twinflow.summary.writer import FileWriter
from twinflow.train import training_util
from twinflow.train.coordinator import Coordinator, LooperThread
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_manager import SessionManager

if TYPE_CHECKING:
    from twinflow.execute.session import Session


class Supervisor:
    """Starts and restores sessions; threads save checkpoints and summaries.

    It is TensorFlow's older MonitoredTrainingSession. Nothing is saved at the end: the
    last checkpoint is the last one that was due.

    Args:
        graph: the Graph; the default one if None. It is finalised.
        ready_op, ready_for_local_init_op, init_op, init_feed_dict, local_init_op,
        init_fn: see Scaffold; `init_fn` is a function of the session.
        is_chief: whether it initialises, saves and writes; the others of a cluster wait
            until the chief has initialised what they share.
        logdir: the folder of checkpoints and summaries; None: nothing is written.
        summary_op: string scalar; all summaries by default. saver: the Saver.
        global_step: int scalar; the global step by default.
        save_summaries_secs, save_model_secs: how often; 0: never.
        recovery_wait_secs, stop_grace_secs: for others, and for threads to end.
        checkpoint_basename: how names of checkpoints begin.
        session_manager: a SessionManager. summary_writer: a FileWriter, or None.
        local_init_run_options: RunOptions for `local_init_op`.
    Example:
        train_op = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        sv = tf.train.Supervisor(logdir="./model")
        with sv.managed_session() as sess:
            while not sv.should_stop():
                if sess.run(train_op) >= 3: sv.request_stop()
    """

    USE_DEFAULT = 0

    def __init__(
        self, graph: Any = None, ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT, is_chief: bool = True,
        init_op: Any = USE_DEFAULT, init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT, logdir: Path | None = None,
        summary_op: Any = USE_DEFAULT, saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT, save_summaries_secs: float = 120,
        save_model_secs: float = 600, recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120, checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None, summary_writer: Any = USE_DEFAULT,
        init_fn: Any = None, local_init_run_options: Any = None,
    ) -> None:  # fmt: skip
        _check_mode()
        self._graph = get_default_graph() if graph is None else graph
        logdir = logdir if is_chief else None
        self._logdir, self._init_fn = logdir, init_fn
        self._stop_grace_secs, self.init_feed_dict = stop_grace_secs, init_feed_dict
        self.save_summaries_secs = save_summaries_secs
        self.save_model_secs, self.is_chief = save_model_secs, is_chief
        self.save_path = logdir and os.path.join(logdir, checkpoint_basename)
        self.coord = Coordinator()
        with self._graph.as_default():
            self.ready_op = _given(
                ready_op, GraphKeys.READY_OP, report_uninitialized_variables
            )
            self.ready_for_local_init_op = _given(
                ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP
            )
            self.init_op = _given(
                init_op, GraphKeys.INIT_OP, global_variables_initializer
            )
            local_init_op = _given(
                local_init_op, GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
            self.summary_op = _given(summary_op, GraphKeys.SUMMARY_OP, merge_all)
            self.global_step = _given(global_step, GraphKeys.GLOBAL_STEP, _default_step)
            self.saver = _given(saver, GraphKeys.SAVERS, _default_saver)
        self.session_manager = session_manager or SessionManager(
            local_init_op, self.ready_op, self.ready_for_local_init_op, self._graph,
            recovery_wait_secs, local_init_run_options,
        )  # fmt: skip
        if summary_writer is Supervisor.USE_DEFAULT:
            summary_writer = FileWriter(logdir) if logdir else None
        self.summary_writer = summary_writer if is_chief else None
        self._graph_is_written = False
        if not is_chief:
            _check_devices(self._graph)
        self._graph.finalize()

    # ------------------------------------------------------------------ sessions
    @contextlib.contextmanager
    def managed_session(
        self, master: str = "", config: Any = None,
        start_standard_services: bool = True, close_summary_writer: bool = True,
    ) -> "Iterator[Session]":  # fmt: skip
        """A block with a session; at its end the threads are stopped.

        Args:
            master, config: for the Session.
            start_standard_services: start the threads that save.
            close_summary_writer: close it at the end.
        Raises:
            What the block or a thread raises, but for OutOfRangeError, which ends it.
        """
        session = None
        try:
            session = self.prepare_or_wait_for_session(
                master, config, start_standard_services=start_standard_services
            )
            yield session
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if session is not None:
                    session.close()

    def prepare_or_wait_for_session(
        self, master: str = "", config: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200, start_standard_services: bool = True,
    ) -> "Session":  # fmt: skip
        """A session that is restored or initialised, with its threads.

        Args:
            see `managed_session`, and SessionManager.prepare_session.
        """
        self.coord.clear_stop()
        if self.summary_writer:
            self.summary_writer.reopen()
        if self.is_chief:
            session = self.session_manager.prepare_session(
                master, self.init_op, self.saver, self._logdir,
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs,
                config=config, init_feed_dict=self.init_feed_dict,
                init_fn=self._init_fn,
            )  # fmt: skip
            self._write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(session)
        else:
            session = self.session_manager.wait_for_session(
                master, config=config, max_wait_secs=max_wait_secs
            )
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(session)
        return session

    def _write_graph(self):
        graph_def = self._graph.as_graph_def(add_shapes=True)
        if self._logdir:
            write_graph(graph_def, self._logdir, "graph.pbtxt")
        if self.summary_writer and not self._graph_is_written:
            saver_def = self.saver.saver_def if self.saver else None
            meta = create_meta_graph_def(graph_def=graph_def, saver_def=saver_def)
            self.summary_writer.add_graph(self._graph)
            self.summary_writer.add_meta_graph(meta)
            self._graph_is_written = True

    # ------------------------------------------------------------------ threads
    def start_standard_services(self, sess: Any) -> list[LooperThread]:
        """Start the threads that write summaries and checkpoints; returns them.

        Args:
            sess: the Session they use.
        Raises:
            RuntimeError: this is not the chief, who alone writes.
        """
        if not self.is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief "
                "supervisors can write events."
            )
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' of the Supervisor")
            return []
        writer, step = self.summary_writer, self.global_step
        if writer and step is not None:
            log = SessionLog(status=SessionLog.START)
            writer.add_session_log(log, training_util.global_step(sess, step))
        found = []
        if self.save_summaries_secs and writer:
            seconds = self.save_summaries_secs
            if self.summary_op is not None:
                found.append(self.loop(seconds, self._summarize, [sess]))
            if step is not None:
                counter = _StepCounter(self, sess)
                found.append(self.loop(seconds, counter.write))
        if self.saver and self.save_model_secs:
            found.append(self.loop(self.save_model_secs, self._save, [sess]))
        return found

    def _summarize(self, sess):
        self.summary_computed(sess, sess.run(self.summary_op))

    def _save(self, sess):
        logging.info("Saving checkpoint to path %s", self.save_path)
        self.saver.save(sess, self.save_path, global_step=self.global_step)
        if self.summary_writer and self.global_step is not None:
            log = SessionLog(
                status=SessionLog.CHECKPOINT, checkpoint_path=self.save_path
            )
            step = training_util.global_step(sess, self.global_step)
            self.summary_writer.add_session_log(log, step)

    def start_queue_runners(self, sess: Any, queue_runners: Any = None) -> list[Any]:
        """Start the threads of QueueRunners; returns them.

        Args:
            sess: the Session. queue_runners: those of the graph by default.
        """
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        found = []
        for runner in queue_runners:
            found += runner.create_threads(sess, self.coord, daemon=True, start=True)
        return found

    def loop(
        self, timer_interval_secs: Any, target: Callable[..., Any], args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:  # fmt: skip
        """Call a function again and again in a thread, until the stop.

        Args:
            timer_interval_secs: seconds between the beginnings of two calls.
            target, args, kwargs: the function, and what it is given.
        Returns:
            The LooperThread.
        """
        thread = LooperThread(self.coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def stop(
        self, threads: Any = None, close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:  # fmt: skip
        """Stop the threads, and wait for them; see Coordinator.join.

        Args:
            threads: further ones to wait for. close_summary_writer: close it.
            ignore_live_threads: do not mind those that still run.
        """
        self.coord.request_stop()
        try:
            self.coord.join(threads, self._stop_grace_secs, ignore_live_threads)
        finally:
            if close_summary_writer and self.summary_writer:
                log = SessionLog(status=SessionLog.STOP)
                self.summary_writer.add_session_log(log)
                self.summary_writer.close()
                self._graph_is_written = False

    # ------------------------------------------------------------------ stopping
    def request_stop(self, ex: Any = None) -> None:
        """Ask for the end; `ex`: because of this exception."""
        self.coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether the end was asked for."""
        return self.coord.should_stop()

    def stop_on_exception(self) -> Any:
        """A block whose exceptions ask for the end; see Coordinator."""
        return self.coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Wait until the end is asked for."""
        self.coord.wait_for_stop()

    def summary_computed(
        self, sess: Any, summary: Any, global_step: Any = None
    ) -> None:
        """Write a summary that the program computed.

        Args:
            sess: the Session. summary: its bytes, or a Summary.
            global_step: its step; that of the session by default.
        Raises:
            RuntimeError: there is no writer.
        """
        if not self.summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer: pass "
                               "`logdir` or `summary_writer`.")  # fmt: skip
        if global_step is None and self.global_step is not None:
            global_step = training_util.global_step(sess, self.global_step)
        self.summary_writer.add_summary(summary, global_step)

    # the older names
    Loop, PrepareSession, RequestStop = loop, prepare_or_wait_for_session, request_stop
    ShouldStop, StartQueueRunners = should_stop, start_queue_runners
    StartStandardServices, Stop = start_standard_services, stop
    StopOnException, SummaryComputed = stop_on_exception, summary_computed
    WaitForStop = wait_for_stop


class _StepCounter:
    """Writes how many steps a session has made in a second."""

    def __init__(self, supervisor, session):
        self.supervisor, self.session = supervisor, session
        self.last, self.when = self._step(), time.monotonic()
        self.tag = f"{supervisor.global_step.op.name}/sec"

    def _step(self):
        return training_util.global_step(self.session, self.supervisor.global_step)

    def write(self):
        step, now = self._step(), time.monotonic()
        elapsed = now - self.when
        rate = (step - self.last) / elapsed if elapsed else float("inf")
        self.last, self.when = step, now
        summary = Summary()
        summary.value.add(tag=self.tag, simple_value=rate)
        self.supervisor.summary_writer.add_summary(summary, step)
        logging.info("%s: %g", self.tag, rate)


def _check_mode():
    if current_mode().eager:
        raise RuntimeError(
            "tf.train.Supervisor needs a graph and its sessions; save with "
            "tf.train.Checkpoint in eager mode"
        )


def _check_devices(graph):
    """Variables that say nothing would not be those of the chief."""
    for op in graph.get_operations():
        if op.type in ("Variable", "VariableV2") and not op.device:
            raise ValueError(
                f"When using replicas, all Variables must have their device set: {op}"
            )


def _default_step():
    """What is called "global_step"; None where it is no integer."""
    found = get_default_graph().by_name.get("global_step")
    if found is None or not found.outputs:
        return None
    step = found.outputs[0]
    if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
        return step
    logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
    return None


def _given(value, key, make=lambda: None):
    """What the user gave; else the first of a collection, or a new one put there."""
    if value is not Supervisor.USE_DEFAULT:
        return value
    found = get_collection(key)
    if found:
        return found[0]
    made = make()
    if made is not None and key != "global_step":
        add_to_collection(key, made)
    return made


def _default_saver():
    return Saver() if global_variables() else None


def basic_train_loop(
    supervisor: Any, train_step_fn: Callable[..., Any], args: Any = None,
    kwargs: Any = None, master: str = "",
) -> None:  # fmt: skip
    """Call a function with a session of a Supervisor until the stop is asked for.

    Args:
        supervisor: the Supervisor. train_step_fn: (session, *args, **kwargs).
        args, kwargs: for it. master: for the Session.
    Example:
        train_op = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        sv = tf.train.Supervisor(logdir="./model")
        def step(sess):
            if sess.run(train_op) >= 3: sv.request_stop()
        tf.train.basic_train_loop(sv, step)
    """
    while True:
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or ()), **(kwargs or {}))
            return
        except errors.AbortedError:  # the session is lost: begin with a new one
            continue
