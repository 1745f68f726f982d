"""tf.test.TestCase: seeds, sessions and assertions."""

import contextlib
import functools
import os
import random
import re
import tempfile
import threading
import unittest
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from google.protobuf import text_format

from twinflow.base import dispatch, errors, nest, versions
from twinflow.base.tensor import Composite, ResourceHandle, Tensor
from twinflow.execute.session import Session, get_default_session
from twinflow.execute.session_config import soft_placement
from twinflow.graph.defaults import in_graph_block, reset_default_graph
from twinflow.ops.random.streams import set_random_seed
from twinflow.testing.comparisons import Comparisons
from twinflow.testing.machine import get_temp_dir
from twinflow.testing.proto_rounding import rounded

SEED = 87654321


class TestCase(Comparisons, unittest.TestCase):
    """The base of tests: seeds, sessions, and assertions on arrays and tensors.

    Example:
        class SquareTest(tf.test.TestCase):
            def test_square(self):
                with self.session():
                    self.assertAllClose(self.evaluate(tf.square([2.])), [4.])
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._cached: Any = None
        self._tempdir: str | None = None

    def setUp(self) -> None:
        """Begin with an empty default graph and fixed seeds."""
        self._clear()
        random.seed(SEED)
        np.random.seed(SEED)
        if not in_graph_block():
            reset_default_graph()
        set_random_seed(SEED)

    def tearDown(self) -> None:
        """Close the session that is shared by `cached_session` blocks."""
        self._clear()

    def _clear(self):
        if self._cached is not None:
            self._cached.close()
        self._cached = None

    def get_temp_dir(self) -> Any:
        """A folder for the files of this test, the same at each call."""
        if self.__dict__.get("_tempdir") is None:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    # ------------------------------------------------------------------ sessions
    @contextlib.contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """A block with a new session; None in eager mode.

        Args:
            graph: the Graph; the default one if not given. config: a ConfigProto.
            use_gpu: leave the devices of nodes open, else they are on the CPU.
            force_gpu: they are on the GPU.
        """
        if dispatch.current_mode().eager:
            yield None
        else:
            with (
                Session(graph=graph, config=_placed(config, force_gpu)) as found,
                found.graph.device(_device(use_gpu, force_gpu)),
            ):
                yield found

    @contextlib.contextmanager
    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """A block with a session that is the same in all blocks of a test.

        Raises:
            ValueError: a later block asks for another graph.
        """
        if dispatch.current_mode().eager:
            yield None
            return
        found = self._cached
        if found is None:
            found = self._cached = Session(
                graph=graph, config=_placed(config, force_gpu)
            )
        elif graph is not None and graph is not found.graph:
            raise ValueError(
                "The graph used to get the cached session is different than the one "
                "that was used to create the session. Maybe create a new session with "
                "self.session()"
            )
        where = _device(use_gpu, force_gpu)
        with found.graph.as_default(), found.as_default(), found.graph.device(where):
            yield found

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> AbstractContextManager[Any]:  # fmt: skip
        """`cached_session`; with a `graph` of its own a new session."""
        if self.id().endswith(".test_session"):
            return None  # type: ignore[return-value]  # a runner takes it for a test
        open_one = self.cached_session if graph is None else self.session
        return open_one(graph, config, use_gpu, force_gpu)

    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors, in either mode."""
        if dispatch.current_mode().eager:
            return nest.map_structure(_value, tensors)
        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.cached_session() as session:
            return session.run(tensors)

    def _GetNdArray(self, a):
        """An array, or the value of a tensor, as an array."""
        if isinstance(a, dispatch.EagerTensor):
            return np.asarray(a.numpy())
        tensor = hasattr(a, "graph") or hasattr(a, "numpy")
        return np.asarray(self.evaluate(a) if tensor else a)

    @contextlib.contextmanager
    def captureWritesToStream(self, stream: Any) -> "Iterator[CapturedWrites]":
        """A block that catches what goes to the file of a stream, C code included.

        Yields:
            An object whose `contents()` is the text, after the block.
        """
        caught, descriptor = CapturedWrites(), stream.fileno()
        stream.flush()
        before = os.dup(descriptor)
        with tempfile.TemporaryFile("w+") as file:
            os.dup2(file.fileno(), descriptor)
            try:
                yield caught
            finally:
                stream.flush()
                os.dup2(before, descriptor)
                os.close(before)
                file.seek(0)
                caught.text = file.read()

    # ------------------------------------------------------------------ messages
    def assertProtoEquals(
        self, expected_message_maybe_ascii: Any, message: Any, msg: Any = None
    ) -> None:
        """Two protocol buffers are equal but for rounding; the first may be text.

        Raises:
            AssertionError: they differ, or the text cannot be read.
        """
        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            found = type(message)()
            try:
                text_format.Merge(expected, found)
            except text_format.ParseError as error:
                self.fail(self._formatMessage(msg, f"{error} in {expected!r}"))
            expected = found
        elif type(expected) is not type(message):
            kinds = f"{type(expected)} and {type(message)}"
            self.fail(self._formatMessage(msg, f"Can't compare messages of {kinds}."))
        self.assertMultiLineEqual(str(rounded(expected)), str(rounded(message)), msg)

    def assertProtoEqualsVersion(
        self, expected: Any, actual: Any, producer: Any = versions.GRAPH_DEF_VERSION,
        min_consumer: Any = versions.GRAPH_DEF_VERSION_MIN_CONSUMER, msg: Any = None,
    ) -> None:  # fmt: skip
        """As `assertProtoEquals`, of GraphDefs of these versions."""
        stamp = f"versions {{ producer: {producer} min_consumer: {min_consumer} }}"
        self.assertProtoEquals(f"{stamp}\n{expected}", actual, msg)

    # ------------------------------------------------------------------ errors
    def assertRaisesRegexp(
        self, expected_exception: Any, expected_regex: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Same as assertRaisesRegex."""
        return self.assertRaisesRegex(
            expected_exception, expected_regex, *args, **kwargs
        )

    def assertRaisesOpError(
        self, expected_err_re_or_predicate: Any
    ) -> AbstractContextManager[Any]:
        """A block raises a tf.errors.OpError; see assertRaisesWithPredicateMatch."""
        return self.assertRaisesWithPredicateMatch(
            errors.OpError, expected_err_re_or_predicate
        )

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """A block raises an error that a predicate accepts or a pattern is found in."""
        accepted = expected_err_re_or_predicate
        try:
            yield
        except exception_type as error:
            good = (
                accepted(error)
                if callable(accepted)
                else re.search(accepted, _searched(error))
            )
            if not good:
                text = f"Exception of type {type(error)}: {error}"
                raise AssertionError(text) from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    # ------------------------------------------------------------------ threads
    def checkedThread(
        self, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> "CheckedThread":
        """A thread whose error fails the test where it is joined."""
        return CheckedThread(self, target, args or (), kwargs or {})


class CapturedWrites:
    """See TestCase.captureWritesToStream."""

    text = None

    def contents(self):
        """What was written.

        Raises:
            ValueError: the block has not ended.
        """
        if self.text is None:
            raise ValueError("Output is not captured yet: ask after the `with` block.")
        return self.text


def _searched(error):
    """What a pattern is looked for in: of an OpError its message and its causes."""
    if not isinstance(error, errors.OpError):
        return str(error)
    text, op = error.message, error.op
    while op is not None:
        text += f"\nCaused by: {op.name}"
        op = getattr(op, "_original_op", None)
    return text


def _value(x):
    if isinstance(x, Composite):
        parts = [c if c is None else c.numpy() for c in x._components()]
        return x._value(*parts)
    if callable(x) and not isinstance(x, Tensor | ResourceHandle):
        return _value(x())
    return x.numpy() if hasattr(x, "numpy") else x


class CheckedThread:
    """See TestCase.checkedThread."""

    def __init__(self, test, target, args, kwargs):
        self._test, self._call = test, functools.partial(target, *args, **kwargs)
        self._thread = threading.Thread(target=self._run)
        self._error = None

    def _run(self):
        try:
            self._call()
        except Exception as error:
            self._error = error

    def start(self):
        """Begin."""
        self._thread.start()

    def is_alive(self):
        """Whether it runs."""
        return self._thread.is_alive()

    def join(self):
        """Wait for the end.

        Raises:
            AssertionError: the thread ended with an error.
        """
        self._thread.join()
        if self._error is not None:
            self._test.fail(f"Error in checkedThread: {self._error}")


def _placed(config, force_gpu):
    """The ConfigProto of a test: places are wishes, unless a GPU is forced."""
    found = soft_placement()
    if config is not None:
        found.CopyFrom(config)
        found.allow_soft_placement = not force_gpu
    return found


def _device(use_gpu, force_gpu):
    """Where the nodes of a test's session are; None leaves it open."""
    if force_gpu:
        return "/device:GPU:0"
    return None if use_gpu else "/device:CPU:0"
