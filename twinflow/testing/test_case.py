"""tf.test.TestCase: a unittest.TestCase that knows sessions, tensors and tolerances."""

import contextlib
import random
import re
import threading
import unittest

import numpy as np

from twinflow.base import dispatch, errors, nest
from twinflow.base.tensor import Composite, ResourceHandle, Tensor
from twinflow.execute.session import Session, get_default_session
from twinflow.graph.defaults import get_default_graph, reset_default_graph
from twinflow.ops.streams import DEFAULT_GRAPH_SEED, set_random_seed
from twinflow.testing.comparisons import Comparisons
from twinflow.testing.support import get_temp_dir


class ErrorLoggingSession(Session):
    """The session of tests."""


class CheckedThread:
    """A thread that fails its test where its function raises; see `checkedThread`."""

    def __init__(self, testcase, target, args=None, kwargs=None):
        self._testcase, self._error = testcase, None
        self._call = (target, args or (), kwargs or {})
        self._thread = threading.Thread(target=self._run)
        self._joined = False

    def _run(self):
        target, args, kwargs = self._call
        try:
            target(*args, **kwargs)
        except Exception as error:
            self._error = error

    def start(self):
        """Start the thread."""
        self._thread.start()

    def join(self):
        """Wait for it, and fail the test if it raised."""
        self._joined = True
        self._thread.join()
        if self._error is not None:
            self._testcase.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self):
        """Whether it runs."""
        return self._thread.is_alive()

    def check_termination(self):
        """Fail the test if nobody waited for the thread."""
        if not self._joined:
            self._testcase.fail("A checked thread was not joined.")


class TestCase(Comparisons, unittest.TestCase):
    """The base of tests: each starts with an empty default graph and fixed seeds."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._threads, self._cached = [], None

    def setUp(self):
        """Fix the seeds, and empty the default graph."""
        random.seed(DEFAULT_GRAPH_SEED)
        np.random.seed(DEFAULT_GRAPH_SEED)
        if len(dispatch.local.frames) == 1:
            reset_default_graph()
        if dispatch.current_mode().eager:
            set_random_seed(DEFAULT_GRAPH_SEED)
        get_default_graph().seed = DEFAULT_GRAPH_SEED

    def tearDown(self):
        """Close the cached session; every checked thread must have been joined."""
        for thread in self._threads:
            thread.check_termination()
        self._threads = []
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def get_temp_dir(self):
        """A folder for files of this process."""
        return get_temp_dir()

    # ------------------------------------------------------------------ sessions
    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A new session as the default one; nothing in eager mode."""
        if dispatch.current_mode().eager:
            yield None
            return
        with ErrorLoggingSession(graph=graph, config=config) as session:
            yield session

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """As `session`, but the same one throughout a test."""
        if dispatch.current_mode().eager:
            yield None
            return
        if self._cached is None or self._cached.graph is not (
            graph or get_default_graph()
        ):
            self._cached = ErrorLoggingSession(graph=graph, config=config)
        with self._cached.graph.as_default(), self._cached.as_default():
            yield self._cached

    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """`cached_session` for the default graph, `session` for another."""
        if graph is None:
            return self.cached_session(graph, config, use_gpu, force_gpu)
        return self.session(graph, config, use_gpu, force_gpu)

    test_session.__test__ = False  # type: ignore[attr-defined]  # no test of pytest's

    def evaluate(self, tensors):
        """The values of tensors, in any structure, in either mode."""
        if dispatch.current_mode().eager:
            return nest.map_structure(_value, tensors)
        session = get_default_session()
        if session is None:
            with self.test_session() as session:
                return session.run(tensors)
        return session.run(tensors)

    def _GetNdArray(self, a):
        if isinstance(a, Tensor | ResourceHandle):
            a = self.evaluate(a)
        return a if isinstance(a, np.ndarray) else np.array(a)

    def checkedThread(self, target, args=None, kwargs=None):
        """A thread whose errors fail this test; `start` and `join` it."""
        thread = CheckedThread(self, target, args, kwargs)
        self._threads.append(thread)
        return thread

    # ------------------------------------------------------------------ errors
    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, predicate):
        """The block raises `exception_type`, and its text passes.

        Args:
            predicate: a function of the exception, or a regular expression.
        """
        if not callable(predicate):
            pattern = re.compile(predicate)

            def predicate(error):
                return pattern.search(_message(error))

        try:
            yield
            self.fail(f"{exception_type.__name__} not raised")
        except exception_type as error:
            if isinstance(error, self.failureException) or not predicate(error):
                raise AssertionError(
                    f"Exception of type {type(error)}: {error}"
                ) from error

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        """As `assertRaisesWithPredicateMatch` for tf.errors.OpError."""
        return self.assertRaisesWithPredicateMatch(
            errors.OpError, expected_err_re_or_predicate
        )


def _message(error):
    text = getattr(error, "message", None) or str(error)
    return text if text != str(error) else str(error)


def _value(t):
    if isinstance(t, Composite):
        parts = t._components()
        return t._value(*[None if c is None else c.numpy() for c in parts])
    return t.numpy() if isinstance(t, Tensor | ResourceHandle) else t
