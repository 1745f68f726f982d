"""The loop of slim.learning.train: a Supervisor's session, its threads, and steps."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from twinflow.base import errors, logging
from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.base.files import Open
from twinflow.checkpoint.saver import Saver
from twinflow.execute.timeline import Timeline
from twinflow.formats.protos import RunMetadata, RunOptions
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.compare import equal, greater_equal
from twinflow.ops.core.constant import constant
from twinflow.ops.core.division import mod
from twinflow.ops.variables.initialized import report_uninitialized_variables
from twinflow.train import training_util
from twinflow.train.scaffold import Scaffold
from twinflow.train.supervisor import Supervisor
from twinflow.train.sync_replicas_optimizer import SyncReplicasOptimizer

_OF_THE_GRAPH: Any = Supervisor.USE_DEFAULT
_POLL = 1.0  # seconds between two looks at the global step


def train_step(
    sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]
) -> tuple[Any, bool]:
    """One step: (the loss, whether to stop).

    Args:
        train_step_kwargs: bool scalars `should_stop`, `should_log` and `should_trace`;
            `logdir`, where a trace goes, and `summary_writer`. All may be missing.
    Raises:
        ValueError: there is a `should_trace` without a `logdir`.
    """
    start = time.time()
    options, metadata = _traced(sess, train_step_kwargs)
    loss, step = sess.run([train_op, global_step], None, options, metadata)
    seconds = time.time() - start
    if metadata is not None:
        _write_trace(metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, seconds)
    stops = train_step_kwargs.get("should_stop")
    return loss, stops is not None and bool(sess.run(stops))


def _traced(sess, kwargs):
    """The options of a run that is traced, and what it fills; else two None."""
    if "should_trace" not in kwargs:
        return None, None
    if "logdir" not in kwargs:
        raise ValueError(
            "logdir must be present in train_step_kwargs when should_trace is present"
        )
    if not sess.run(kwargs["should_trace"]):
        return None, None
    return RunOptions(trace_level=RunOptions.FULL_TRACE), RunMetadata()


def _write_trace(metadata, step, kwargs):
    path = os.path.join(kwargs["logdir"], f"tf_trace-{step:d}.json")
    logging.info("Writing trace to %s", path)
    with Open(path, "w") as f:
        f.write(Timeline(metadata.step_stats).generate_chrome_trace_format())
    if kwargs.get("summary_writer"):
        kwargs["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step:d}")


def train(
    train_op: Any, logdir: Path | None, train_step_fn: Any = train_step,
    train_step_kwargs: Any = _OF_THE_GRAPH, log_every_n_steps: Any = 1,
    graph: Any = None, master: Any = "", is_chief: bool = True, global_step: Any = None,
    number_of_steps: Any = None, init_op: Any = _OF_THE_GRAPH,
    init_feed_dict: Any = None, local_init_op: Any = _OF_THE_GRAPH,
    init_fn: Any = None, ready_op: Any = _OF_THE_GRAPH, summary_op: Any = _OF_THE_GRAPH,
    save_summaries_secs: Any = 600, summary_writer: Any = _OF_THE_GRAPH,
    startup_delay_steps: Any = 0, saver: Any = None, save_interval_secs: Any = 600,
    sync_optimizer: Any = None, session_config: Any = None, session_wrapper: Any = None,
    trace_every_n_steps: Any = None, ignore_live_threads: bool = False,
) -> Any:  # fmt: skip
    """Run training steps, from the last checkpoint in a folder on.

    Args:
        train_op: what `create_train_op` gave.
        logdir: a folder for checkpoints and summaries, or None.
        train_step_fn: a function like `train_step`.
        train_step_kwargs: what it is given last; by default a dict of `should_stop`,
            `should_log`, with `trace_every_n_steps` `should_trace` and `logdir`, and
            `summary_writer`.
        log_every_n_steps: an int; 0: never.
        number_of_steps: the global step at which to stop; None = never.
        graph, is_chief, init_op, init_feed_dict, local_init_op, ready_op, summary_op,
        save_summaries_secs, summary_writer: see tf.train.Supervisor, which saves.
        init_fn: a function of the session, for what comes from elsewhere.
        saver: a Saver. save_interval_secs: how often to write a checkpoint.
        master, session_config: for the Session. session_wrapper: a function of it.
        startup_delay_steps: who is not the chief waits for this global step.
        sync_optimizer: the SyncReplicasOptimizer of `train_op`, or a list of them.
        trace_every_n_steps: how often a step is traced: `tf_trace-<step>.json` in
            `logdir`, for chrome://tracing, and in the summaries.
        ignore_live_threads: do not mind threads that outlive the training.
    Returns:
        The loss of the last step; None without one.
    Raises:
        ValueError: `train_op` is None, a number is not positive, something that writes
            is given without `logdir`, or `sync_optimizer` is none, or is to start late.
    """
    _check(train_op, logdir, summary_op, saver, trace_every_n_steps, number_of_steps)
    synced = _synced(sync_optimizer, startup_delay_steps)
    graph = graph or get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = training_util.get_or_create_global_step()
        saver, ready = saver or Saver(), None
        if synced:
            ready = group(*[opt.ready_for_local_init_op for opt in synced])
            local_init_op = _local_init(synced, local_init_op, is_chief)
        chiefs = synced if is_chief else []
        tokens = [opt.get_init_tokens_op() for opt in chiefs]
        runners = [opt.get_chief_queue_runner() for opt in chiefs]
        if ready_op is _OF_THE_GRAPH:
            with current_mode().name_scope("init_ops"):
                ready_op = report_uninitialized_variables()
        if train_step_kwargs is _OF_THE_GRAPH:
            trace = trace_every_n_steps if is_chief else None
            train_step_kwargs = _conditions(
                global_step, number_of_steps, log_every_n_steps, trace, logdir
            )
    supervisor = Supervisor(
        graph, ready_op, ready, is_chief, init_op, init_feed_dict, local_init_op,
        logdir, summary_op, saver, global_step, save_summaries_secs, save_interval_secs,
        summary_writer=summary_writer, init_fn=init_fn,
    )  # fmt: skip
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    loop = _Loop(
        supervisor, session_wrapper, runners, tokens, ignore_live_threads,
        min(startup_delay_steps, number_of_steps or startup_delay_steps),
        lambda sess: train_step_fn(sess, train_op, global_step, train_step_kwargs),
    )  # fmt: skip
    while not loop.run(master, session_config):
        logging.info("Retrying training!")
    return loop.loss


@dataclass
class _Loop:
    """What trains in sessions of a Supervisor.

    Args:
        supervisor: it makes, saves and ends them. wrapper: a function of a session.
        runners, tokens: QueueRunners and ops of the chief of replicas in step.
        ignore_live_threads: do not mind threads that outlive the training.
        start: the global step that who is not the chief waits for.
        step: from a session to the loss of a step, and whether to stop.
    Attributes:
        loss: that of the last step, or None.
    """

    supervisor: Supervisor
    wrapper: Callable | None
    runners: list
    tokens: list
    ignore_live_threads: bool
    start: int
    step: Callable
    loss: Any = None

    def run(self, master: str, config: Any) -> bool:
        """Train in a new session; False if a task of the cluster began anew."""
        try:
            with self.supervisor.managed_session(
                master, config, start_standard_services=False
            ) as session:
                logging.info("Starting Session.")
                self._train(self._wrapped(session))
        except errors.AbortedError:
            return False
        return True

    def _wrapped(self, session: Any) -> Any:
        if self.wrapper is None:
            return session
        logging.info("Wrapping session with wrapper function: %s", self.wrapper)
        return self.wrapper(session)

    def _train(self, session: Any) -> None:
        supervisor = self.supervisor
        saves = supervisor.is_chief and supervisor.save_path
        if saves:
            supervisor.start_standard_services(session)
        elif not supervisor.is_chief:
            _wait_for_step(session, supervisor.global_step, self.start)
        threads = supervisor.start_queue_runners(session)
        logging.info("Starting Queues.")
        if self.tokens:
            supervisor.start_queue_runners(session, self.runners)
            session.run(self.tokens)
        self._steps(session)
        if saves:
            logging.info("Finished training! Saving model to disk.")
            step = supervisor.global_step
            supervisor.saver.save(session, supervisor.save_path, step)
        supervisor.stop(threads, False, self.ignore_live_threads)

    def _steps(self, session: Any) -> None:
        """Run steps until one says to stop, or the input ends."""
        try:
            while not self.supervisor.should_stop():
                self.loss, stop = self.step(session)
                if stop:
                    logging.info("Stopping Training.")
                    self.supervisor.request_stop()
        except errors.OutOfRangeError as error:
            logging.info("Caught OutOfRangeError. Stopping Training. %s", error)


def _check(train_op, logdir, summary_op, saver, trace_every_n_steps, number_of_steps):
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        given = {
            "summary_op": summary_op is not _OF_THE_GRAPH,
            "saver": saver is not None,
            "trace_every_n_steps": trace_every_n_steps is not None,
        }
        for name, is_given in given.items():
            if is_given:
                raise ValueError(f"Cannot provide {name} because logdir=None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")


def _synced(sync_optimizer, startup_delay_steps):
    """The optimizers of replicas in step, a list."""
    if sync_optimizer is None:
        return []
    if startup_delay_steps > 0:
        raise ValueError(
            "startup_delay_steps must be zero when sync_optimizer is supplied."
        )
    found = sync_optimizer if isinstance(sync_optimizer, list) else [sync_optimizer]
    if not all(isinstance(opt, SyncReplicasOptimizer) for opt in found):
        raise ValueError(
            "`sync_optimizer` must be a tf.train.SyncReplicasOptimizer, but got "
            f"{sync_optimizer!r}."
        )
    return found


def _local_init(synced, local_init_op, is_chief):
    """The local initialisation, and behind it that of the replicas in step."""
    if local_init_op is _OF_THE_GRAPH:
        local_init_op = Scaffold.default_local_init_op()
    with control_dependencies([] if local_init_op is None else [local_init_op]):
        ops = [
            opt.chief_init_op if is_chief else opt.local_step_init_op for opt in synced
        ]
        return group(*ops)


def _conditions(global_step, number_of_steps, log_every_n_steps, trace, logdir):
    """The keyword arguments of `train_step`: when to stop, to log and to trace."""
    with current_mode().name_scope("train_step"):
        stop = (
            greater_equal(global_step, number_of_steps)
            if number_of_steps
            else constant(False)
        )
        found = {"should_stop": stop}
        if log_every_n_steps > 0:
            found["should_log"] = equal(mod(global_step, log_every_n_steps), 0)
        if trace is not None:
            found["should_trace"] = equal(mod(global_step, trace), 0)
            found["logdir"] = logdir
    return found


def _wait_for_step(session, global_step, step):
    """Wait until the others have made so many steps."""
    while training_util.global_step(session, global_step) < step:
        time.sleep(_POLL)
