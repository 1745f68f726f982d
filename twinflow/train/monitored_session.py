"""MonitoredSession: a session that starts, saves and stops by itself, with hooks."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.base import errors
from twinflow.base.annotations import Path
from twinflow.graph.defaults import get_default_graph
from twinflow.train.coordinator import Coordinator
from twinflow.train.current_worker import get_current_worker_context
from twinflow.train.queue_runner import start_queue_runners
from twinflow.train.saving_hooks import (
    CheckpointSaverHook,
    StepCounterHook,
    SummarySaverHook,
)
from twinflow.train.scaffold import Scaffold
from twinflow.train.session_manager import SessionManager
from twinflow.train.wrapped_sessions import (
    CoordinatedSession,
    HookedSession,
    RecoverableSession,
    StepContext,
)

if TYPE_CHECKING:
    from twinflow.execute.session import Session

USE_DEFAULT = object()
_ENDS = (errors.OutOfRangeError, StopIteration)


class SessionCreator:
    """Makes sessions for a MonitoredSession."""

    def create_session(self) -> Any:
        """A new Session."""
        raise NotImplementedError(
            f"create_session is not implemented for {type(self).__name__}."
        )


class ChiefSessionCreator(SessionCreator):
    """Makes sessions that are restored from the last checkpoint, or initialised.

    Args:
        scaffold: a Scaffold. master, config: for the Session.
        checkpoint_dir: the folder of the checkpoints, or
        checkpoint_filename_with_path: the checkpoint.
    """

    def __init__(
        self, scaffold: Any = None, master: str = "", config: Any = None,
        checkpoint_dir: Path | None = None,
        checkpoint_filename_with_path: Path | None = None,
    ) -> None:  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._master, self._config = master, config
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_path = checkpoint_filename_with_path
        self._session_manager: Any = None

    def create_session(self) -> "Session":
        """A new Session."""
        s = self._scaffold.finalize()
        if self._session_manager is None:
            self._session_manager = _manager(s)
        return self._session_manager.prepare_session(
            self._master, saver=s.saver, checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_path, config=self._config,
            init_op=s.init_op, init_feed_dict=s.init_feed_dict, init_fn=s.init_fn,
        )  # fmt: skip


class WorkerSessionCreator(SessionCreator):
    """Makes sessions once the chief of their cluster has initialised what they share.

    Args:
        scaffold: a Scaffold. master, config: for the Session.
        max_wait_secs: how long to wait for the chief.
    """

    def __init__(
        self, scaffold: Any = None, master: str = "", config: Any = None,
        max_wait_secs: float = 30 * 60,
    ) -> None:  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._master, self._config = master, config
        self._max_wait_secs = max_wait_secs
        self._session_manager: Any = None

    def create_session(self) -> "Session":
        """A new Session.

        Raises:
            tf.errors.DeadlineExceededError: the chief did not come in time.
        """
        scaffold = self._scaffold.finalize()
        if self._session_manager is None:
            self._session_manager = _manager(scaffold)
        return self._session_manager.wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )


def _manager(scaffold: Scaffold) -> SessionManager:
    return SessionManager(
        local_init_op=scaffold.local_init_op, ready_op=scaffold.ready_op,
        ready_for_local_init_op=scaffold.ready_for_local_init_op,
        graph=get_default_graph(),
    )  # fmt: skip


class _CoordinatedSessionCreator(SessionCreator):
    """Makes sessions with hooks and with threads.

    Args:
        session_creator: a SessionCreator. hooks: SessionRunHooks.
        stop_grace_period_secs: for threads to end.
    """

    def __init__(
        self, session_creator: Any, hooks: Any, stop_grace_period_secs: float
    ) -> None:
        self._session_creator, self._hooks = session_creator, hooks
        self._stop_grace_period_secs = stop_grace_period_secs
        self.coord: Any = None
        self.tf_sess: Any = None

    def create_session(self) -> CoordinatedSession:
        """A new session, whose queue runners run."""
        self.tf_sess = self._session_creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])
        start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        hooked = HookedSession(self.tf_sess, self._hooks)
        return CoordinatedSession(hooked, self.coord, self._stop_grace_period_secs)


class _MonitoredSession:
    """What MonitoredSession and SingularMonitoredSession share."""

    StepContext = StepContext

    def __init__(
        self, session_creator: Any, hooks: Any, should_recover: bool,
        stop_grace_period_secs: float = 120,
    ) -> None:  # fmt: skip
        graph = self._graph = get_default_graph()
        self._graph_was_finalized = graph.finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        creator = self._coordinated_creator = _CoordinatedSessionCreator(
            session_creator or ChiefSessionCreator(), self._hooks,
            stop_grace_period_secs,
        )  # fmt: skip
        self._sess: Any = (
            RecoverableSession(creator) if should_recover else creator.create_session()
        )

    @property
    def graph(self) -> Any:
        """The Graph; None when the session is closed."""
        found = self._tf_sess()
        return None if found is None else found.graph

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None,
        run_metadata: Any = None,
    ) -> Any:  # fmt: skip
        """As Session.run, with the hooks.

        Raises:
            RuntimeError: the session is closed, or stopped.
        """
        self._check_open()
        return self._sess.run(
            fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
        )

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Call a function of a StepContext.

        Args:
            step_fn: takes `step_context`.
        Returns:
            What it returns.
        Raises:
            ValueError: it takes something else.
            StopIteration: it asked for the end, which leaves the block of the session.
        """
        names = [n for n in inspect.signature(step_fn).parameters if n != "self"]
        if names != ["step_context"]:
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and "
                "`step_context` arguments if it's an instance method. Got "
                f"{tuple(names)} instead."
            )
        self._check_open()
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def _check_open(self) -> None:
        if self._sess is None:
            raise RuntimeError("Session is already closed.")

    def should_stop(self) -> bool:
        """Whether a hook, a thread or the end of the session asks for the end."""
        return self._sess is None or self._sess.should_stop()

    def close(self) -> None:
        """End: hooks are told, threads stopped, the session closed."""
        self._close_internal()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind, value, traceback):
        ended = kind is not None and issubclass(kind, _ENDS)
        self._close_internal(None if ended else kind)
        return ended

    def _close_internal(self, exception_type: Any = None) -> None:
        try:
            if not exception_type:
                for hook in self._hooks:
                    hook.end(self._tf_sess())
        finally:
            try:
                self._check_open()
                self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = None
                self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    self._graph.finalized = False

    def _is_closed(self) -> bool:
        return self._tf_sess() is None

    def _tf_sess(self) -> Any:
        return self._coordinated_creator.tf_sess


class MonitoredSession(_MonitoredSession):
    """A session with hooks, which initialises or restores, and starts queue runners.

    It is made anew after AbortedError and UnavailableError; OutOfRangeError ends the
    block quietly.

    Args:
        session_creator: a SessionCreator; a ChiefSessionCreator by default.
        hooks: SessionRunHooks. stop_grace_period_secs: for threads to end.
    Example:
        train_op = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        hook = tf.train.StopAtStepHook(last_step=3)
        with tf.train.MonitoredSession(hooks=[hook]) as sess:
            while not sess.should_stop():
                sess.run(train_op)
    """

    def __init__(
        self, session_creator: Any = None, hooks: Any = None,
        stop_grace_period_secs: float = 120,
    ) -> None:  # fmt: skip
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """As MonitoredSession, but never made anew, and with access to its Session.

    Args:
        hooks: SessionRunHooks. scaffold, master, config, checkpoint_dir,
        checkpoint_filename_with_path: see ChiefSessionCreator.
        stop_grace_period_secs: for threads to end.
    """

    def __init__(
        self, hooks: Any = None, scaffold: Any = None, master: str = "",
        config: Any = None, checkpoint_dir: Any = None,
        stop_grace_period_secs: float = 120, checkpoint_filename_with_path: Any = None,
    ) -> None:  # fmt: skip
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        super().__init__(creator, hooks, False, stop_grace_period_secs)

    def raw_session(self) -> "Session":
        """The Session, without the hooks."""
        return self._tf_sess()


def MonitoredTrainingSession(
    master: str = "", is_chief: bool = True, checkpoint_dir: Path | None = None,
    scaffold: Any = None, hooks: Any = None, chief_only_hooks: Any = None,
    save_checkpoint_secs: Any = USE_DEFAULT, save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT, config: Any = None,
    stop_grace_period_secs: float = 120, log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200, save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: Any = None,
) -> MonitoredSession:  # fmt: skip
    """A MonitoredSession that saves checkpoints and summaries.

    Args:
        master, config: for the Session.
        is_chief: whether it initialises; others wait for the chief, and save nothing.
        checkpoint_dir: the folder of the checkpoints; without it nothing is saved.
        scaffold: a Scaffold. hooks, chief_only_hooks: SessionRunHooks.
        save_checkpoint_secs, save_checkpoint_steps: when; every 600 s by default.
        save_summaries_steps, save_summaries_secs: when; every 100 steps by default.
        stop_grace_period_secs: for threads to end.
        log_step_count_steps: how often the steps per second are written.
        max_wait_secs: how long to wait for the chief.
        summary_dir: of the summaries; `checkpoint_dir`.
    """
    scaffold = scaffold or Scaffold()
    worker = get_current_worker_context()
    if not (is_chief or worker):
        creator: SessionCreator = WorkerSessionCreator(
            scaffold, master, config, max_wait_secs
        )
        return MonitoredSession(creator, hooks or [], stop_grace_period_secs)
    chief = worker.is_chief if worker else True
    made = list(chief_only_hooks or []) if chief else []
    if worker is None or worker.should_save_summary:
        made += _summary_hooks(
            summary_dir or checkpoint_dir, log_step_count_steps, scaffold,
            _when(save_summaries_steps, save_summaries_secs, 100),
        )  # fmt: skip
    secs, steps = _when(save_checkpoint_secs, save_checkpoint_steps, 600)
    saves = checkpoint_dir and (worker is None or worker.should_checkpoint)
    if saves and ((secs or 0) > 0 or (steps or 0) > 0):
        made.append(CheckpointSaverHook(checkpoint_dir, secs, steps, scaffold=scaffold))
    if worker is None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    else:
        creator = worker.session_creator(
            scaffold, config, checkpoint_dir, max_wait_secs=max_wait_secs
        )
    return MonitoredSession(creator, [*made, *(hooks or [])], stop_grace_period_secs)


def _summary_hooks(folder, log_steps, scaffold, when):
    """The hooks that write summaries: the speed, and all others."""
    found, (steps, secs) = [], when
    if folder and log_steps and log_steps > 0:
        found.append(StepCounterHook(log_steps, output_dir=folder))
    if folder and ((steps or 0) > 0 or (secs or 0) > 0):
        found.append(SummarySaverHook(steps, secs, folder, scaffold=scaffold))
    return found


def _when(first, second, default):
    """The two arguments; where neither is given, the first is the default."""
    if first is USE_DEFAULT and second is USE_DEFAULT:
        return default, None
    return tuple(None if x is USE_DEFAULT else x for x in (first, second))
