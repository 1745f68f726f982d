"""Tests that run in a graph and eagerly."""

import contextlib
import functools
import unittest
from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.graph.graph import Graph
from twinflow.ops.random.streams import set_random_seed
from twinflow.testing.test_case import SEED


def run_test_in_graph_and_eager_modes(
    func: Any = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """Run a test method twice: in a graph with a session, then eagerly.

    Args:
        func: the method; without it, a decorator is returned.
        reset_test: call `tearDown` and `setUp` between the runs.
        config, use_gpu, assert_no_eager_garbage: accepted.
    Example:
        class SquareTest(tf.test.TestCase):
            @tfe.run_test_in_graph_and_eager_modes
            def test_square(self):
                self.assertAllClose(self.evaluate(tf.square([2.])), [4.])
    """

    def decorate(function):
        if isinstance(function, type):
            raise ValueError(
                "`run_test_in_graph_and_eager_modes` only supports test methods. Did "
                "you mean to use `run_all_tests_in_graph_and_eager_modes`?"
            )

        @functools.wraps(function)
        def both(self, *args, **kwargs):
            with contextlib.suppress(unittest.SkipTest), Graph().as_default():
                set_random_seed(SEED)
                with self.test_session(use_gpu=use_gpu, config=config):
                    function(self, *args, **kwargs)
            with dispatch.entered(MODE):
                if reset_test:
                    self.tearDown()
                    self._tempdir = None
                    self.setUp()
                function(self, *args, **kwargs)

        return both

    return decorate if func is None else decorate(func)


def run_all_tests_in_graph_and_eager_modes(cls: Any) -> Any:
    """As `run_test_in_graph_and_eager_modes`, for every test method of a class."""
    for name, value in list(vars(cls).items()):
        if callable(value) and name.startswith("test") and name != "test_session":
            setattr(cls, name, run_test_in_graph_and_eager_modes(value))
    return cls
