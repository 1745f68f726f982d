"""The layers of a MonitoredSession: each is a session around another."""

from collections.abc import Callable, Sequence
from typing import Any

from twinflow.base import errors, logging, processes
from twinflow.formats.protos import RunMetadata, RunOptions
from twinflow.train.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunValues,
)

LOST = (errors.AbortedError, errors.UnavailableError)
_ANEW = (
    "An error was raised. This may be due to a preemption in a connected worker or "
    "parameter server. The current session will be closed and a new session will be "
    "created. Error: %s"
)


class StepContext:
    """What a function given to `run_step_fn` may use.

    Args:
        session: the Session. run_with_hooks_fn: as Session.run, with the hooks.
    """

    def __init__(self, session: Any, run_with_hooks_fn: Callable) -> None:
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The Session, without the hooks."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """As MonitoredSession.run."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Stop the training: leaves the function."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class WrappedSession:
    """A session around another.

    Args:
        sess: a Session or a WrappedSession.
    """

    def __init__(self, sess: Any) -> None:
        self._sess = sess

    @property
    def graph(self) -> Any:
        """The Graph of the session."""
        return self._sess.graph

    @property
    def sess_str(self) -> Any:
        """The target of the session."""
        return self._sess.sess_str

    def should_stop(self) -> bool:
        """Whether it is closed, or this or an inner session asks for the end."""
        if self._check_stop() or self._sess is None:
            return True
        return isinstance(self._sess, WrappedSession) and self._sess.should_stop()

    def _check_stop(self) -> bool:
        """Whether this session asks for the end."""
        return False

    def close(self) -> None:
        """Close the session inside, once."""
        inner, self._sess = self._sess, None
        if inner is not None:
            try:
                inner.close()
            except LOST as error:
                logging.error(
                    "An error occurred when attempting to close the session. This may "
                    "be due to a preemption in a connected worker or parameter server. "
                    "Error: %s", error,
                )  # fmt: skip

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """As Session.run."""
        return self._sess.run(*args, **kwargs)

    def run_step_fn(
        self, step_fn: Callable, raw_session: Any, run_with_hooks: Any
    ) -> Any:
        """What `step_fn` returns of a StepContext."""
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class CoordinatedSession(WrappedSession):
    """A session that ends with the threads of a Coordinator.

    Args:
        sess: a Session. coord: the Coordinator.
        stop_grace_period_secs: how long its threads may take to end.
    """

    def __init__(
        self, sess: Any, coord: Any, stop_grace_period_secs: float = 120
    ) -> None:
        super().__init__(sess)
        self._coord, self._stop_grace_period_secs = coord, stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self) -> None:
        """Stop the threads, and close the session inside."""
        self._coord.request_stop()
        try:
            self._coord.join(
                stop_grace_period_secs=self._stop_grace_period_secs,
                ignore_live_threads=True,
            )
        finally:
            try:
                super().close()
            except Exception as error:  # that of a thread says more
                logging.debug("A session could not be closed: %s", error)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """As Session.run; where a thread has failed, its loss is the error."""
        try:
            return self._sess.run(*args, **kwargs)
        except LOST:
            raise
        except Exception as error:
            self._raise_if_lost(error)
            raise

    def _raise_if_lost(self, error: Exception) -> None:
        try:
            self._coord.raise_requested_exception()
        except LOST:
            raise
        except Exception:
            raise error from None


class RecoverableSession(WrappedSession):
    """A session that is made anew when it is lost.

    Args:
        sess_creator: a SessionCreator.
    """

    def __init__(self, sess_creator: Any) -> None:
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self) -> Any:
        while True:
            try:
                return self._sess_creator.create_session()
            except LOST as error:
                if processes.is_broken():
                    raise  # a new session would not bring back the others
                logging.info(
                    "An error was raised while a session was being created. This may "
                    "be due to a preemption of a connected worker or parameter server. "
                    "A new session will be created. Error: %s", error,
                )  # fmt: skip

    def _check_stop(self) -> bool:
        try:
            return self._sess._check_stop() if self._sess else True
        except LOST as error:
            if processes.is_broken():
                raise  # a new session would not bring back the others
            logging.info(_ANEW, error)
            self.close()
            self._sess = self._create_session()
            return False
        except Exception:
            return True

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """As Session.run, again if the session is lost."""
        return self._until_done(lambda: self._sess.run(*args, **kwargs))

    def run_step_fn(
        self, step_fn: Callable, raw_session: Any, run_with_hooks: Any
    ) -> Any:
        """As WrappedSession.run_step_fn, again if the session is lost."""
        return self._until_done(
            lambda: self._sess.run_step_fn(step_fn, raw_session, self._sess.run)
        )

    def _until_done(self, call: Callable) -> Any:
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return call()
            except LOST as error:
                if processes.is_broken():
                    raise  # a new session would not bring back the others
                logging.info(_ANEW, error)
                self.close()


class HookedSession(WrappedSession):
    """A session that calls hooks around each run.

    Args:
        sess: a Session. hooks: SessionRunHooks.
    """

    def __init__(self, sess: Any, hooks: Sequence) -> None:
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None,
        run_metadata: Any = None,
    ) -> Any:  # fmt: skip
        """As Session.run, with what the hooks ask for.

        Raises:
            RuntimeError: a hook has asked for the end, or two feed one tensor.
        """
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        options = options or RunOptions()
        wanted, feeds = self._asked(context, fetches, feed_dict, options)
        run_metadata = run_metadata or RunMetadata()
        found = super().run(
            fetches=wanted, feed_dict=feeds, options=options, run_metadata=run_metadata
        )
        for hook in self._hooks:
            values = SessionRunValues(found.get(hook), options, run_metadata)
            hook.after_run(context, values)
        self._should_stop = self._should_stop or context.stop_requested
        return found["caller"]

    def _asked(
        self, context: Any, fetches: Any, feed_dict: Any, options: Any
    ) -> tuple[dict, Any]:
        """What the user and the hooks fetch and feed together."""
        wanted, feeds = {"caller": fetches}, {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[hook] = request.fetches
            if request.feed_dict:
                _check_apart(feeds, request.feed_dict, "two hooks")
                feeds.update(request.feed_dict)
            if request.options is not None:
                _merge(options, request.options)
        if not feeds:
            return wanted, feed_dict
        _check_apart(feeds, feed_dict or {}, "a SessionRunHook and user")
        return wanted, {**feeds, **(feed_dict or {})}


def _check_apart(feeds: dict, more: dict, whom: str) -> None:
    both = [key for key in feeds if key in more]
    if both:
        raise RuntimeError(f"Same tensor is fed by {whom}. Conflict(s): {both}")


def _merge(options: Any, more: Any) -> None:
    """Options that give at least what both ask for."""
    options.trace_level = max(options.trace_level, more.trace_level)
    options.timeout_in_ms = max(options.timeout_in_ms, more.timeout_in_ms)
    options.inter_op_thread_pool = max(
        options.inter_op_thread_pool, more.inter_op_thread_pool
    )
    options.output_partition_graphs |= more.output_partition_graphs
    options.debug_options.debug_tensor_watch_opts.extend(
        more.debug_options.debug_tensor_watch_opts
    )
    options.debug_options.reset_disk_byte_usage |= (
        more.debug_options.reset_disk_byte_usage
    )
