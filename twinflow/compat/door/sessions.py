"""The layers of a MonitoredSession, which TensorFlow's own tests build one by one."""

from twinflow.base import errors, logging
from twinflow.train.monitored_session import Hooked

_LOST = (errors.AbortedError, errors.UnavailableError)


class WrappedSession:
    """A session around another.

    Args:
        sess: a Session or a WrappedSession.
    """

    def __init__(self, sess):
        self._sess = sess

    @property
    def graph(self):
        """The Graph of the session."""
        return self._sess.graph

    @property
    def sess(self):
        """The session inside."""
        return self._sess

    def should_stop(self):
        """Whether it is closed, or this or an inner session asks for the end."""
        if self._sess is None or self._check_stop():
            return True
        return isinstance(self._sess, WrappedSession) and self._sess.should_stop()

    def _check_stop(self):
        """Whether this session asks for the end."""
        return False

    def _is_closed(self):
        return self._sess is None

    def _tf_sess(self):
        inner = self._sess
        return inner._tf_sess() if isinstance(inner, WrappedSession) else inner

    def close(self):
        """Close the session inside, once."""
        inner, self._sess = self._sess, None
        if inner is not None:
            try:
                inner.close()
            except _LOST as error:
                logging.error("The session was lost while it was closed: %s", error)

    def run(self, *args, **kwargs):
        """As Session.run."""
        return self._sess.run(*args, **kwargs)


class CoordinatedSession(WrappedSession):
    """A session that ends with the threads of a Coordinator.

    Args:
        sess: a Session. coord: the Coordinator.
        stop_grace_period_secs: how long its threads may take to end.
    """

    def __init__(self, sess, coord, stop_grace_period_secs=120):
        super().__init__(sess)
        self._coord, self._grace = coord, stop_grace_period_secs

    def _check_stop(self):
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        self._coord.request_stop()
        try:
            self._coord.join(
                stop_grace_period_secs=self._grace, ignore_live_threads=True
            )
        finally:
            super().close()

    def run(self, *args, **kwargs):
        try:
            return self._sess.run(*args, **kwargs)
        except _LOST:
            raise
        except Exception:
            self._coord.raise_requested_exception()
            raise


class RecoverableSession(WrappedSession):
    """A session that is made anew when it is lost.

    Args:
        sess_creator: a SessionCreator.
    """

    def __init__(self, sess_creator):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self):
        while True:
            try:
                return self._sess_creator.create_session()
            except _LOST as error:
                logging.info("The session was lost while it was made: %s", error)

    def _check_stop(self):
        try:
            return self._sess is not None and self._sess._check_stop()
        except _LOST as error:
            logging.info("The session was lost, and is made anew: %s", error)
            self._renew()
            return False

    def _renew(self):
        self.close()
        self._sess = self._create_session()

    def run(self, *args, **kwargs):
        while True:
            try:
                return super().run(*args, **kwargs)
            except _LOST as error:
                logging.info("The session was lost, and is made anew: %s", error)
                self._renew()


class HookedSession(WrappedSession):
    """A session that calls hooks around each run.

    Args:
        sess: a Session. hooks: SessionRunHooks.
    """

    def __init__(self, sess, hooks):
        super().__init__(sess)
        self._hooks, self._core = hooks, Hooked(sess, hooks)

    @property
    def _should_stop(self):
        return self._core.stopped

    @_should_stop.setter
    def _should_stop(self, value):
        self._core.stopped = value

    def _check_stop(self):
        return self._core.stopped

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        return self._core.run(fetches, feed_dict, options, run_metadata)
