"""tf.test.TestCase and its company, used as programs use them."""

import time
import unittest

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager


class Numbers(tf.test.TestCase):
    """A test case as users write them."""

    def test_arrays(self):
        self.assertAllEqual(np.array([1, 2]), [1, 2])
        self.assertAllEqual([np.nan, 1.0], [np.nan, 1.0])
        self.assertAllClose({"a": [1.0, (2.0, 3.0)]}, {"a": [1.0, (2.0, 3.0 + 1e-7)]})
        self.assertNotAllClose([1.0], [1.1])
        self.assertNear(1.0, 1.05, 0.1)
        self.assertArrayNear([1.0, 2.0], [1.05, 2.0], 0.1)
        self.assertAllGreater([2, 3], 1)
        self.assertAllLessEqual([2, 3], 3)
        self.assertAllInRange([0.0, 1.0], 0, 1)
        self.assertAllInSet([1, 2], {1, 2, 3})
        self.assertDTypeEqual(np.float32(1), tf.float32)
        self.assertAllCloseAccordingToType(np.float16(1), np.float16(1.001))

    def test_failures(self):
        for check in (
            lambda: self.assertAllEqual([1], [2]),
            lambda: self.assertAllEqual([1], [[1]]),
            lambda: self.assertAllClose([1.0], [1.1]),
            lambda: self.assertAllClose({"a": 1.0}, {"b": 1.0}),
            lambda: self.assertNotAllClose([1.0], [1.0]),
            lambda: self.assertNear(1, 2, 0.5),
            lambda: self.assertAllInRange([0.0], 0, 1, open_lower_bound=True),
        ):
            with self.assertRaises(AssertionError):
                check()

    def test_sessions(self):
        x = tf.placeholder(tf.float32, [2])
        with self.test_session() as session:
            self.assertAllEqual(session.run(x * 2, {x: [1, 2]}), [2, 4])
            self.assertAllEqual(self.evaluate(tf.constant([1]) + 1), [2])
        with self.cached_session() as a, self.cached_session() as b:
            assert a is b
        with self.session(graph=tf.Graph()) as session:
            self.assertEqual(session.run(tf.constant(3)), 3)
        self.assertShapeEqual(np.ones([2]), x)

    def test_errors(self):
        with self.test_session():
            with self.assertRaisesOpError("not in"):
                tf.gather([1, 2], tf.placeholder_with_default([7], [1])).eval()
            with self.assertRaisesWithPredicateMatch(
                ValueError, lambda e: "me" in str(e)
            ):
                raise ValueError("me")

    def test_threads(self):
        done = []
        thread = self.checkedThread(done.append, args=(1,))
        thread.start()
        thread.join()
        assert done == [1]


def run(name):
    result = unittest.TestResult()
    Numbers(name).run(result)
    return result


@pytest.mark.parametrize(
    "name",
    ["test_arrays", "test_failures", "test_sessions", "test_errors", "test_threads"],
)
def test_in_graph_mode(name):
    result = run(name)
    assert result.wasSuccessful(), result.errors + result.failures


def test_in_eager_mode():
    with eager():
        assert run("test_arrays").wasSuccessful()
        case = Numbers("test_arrays")
        case.setUp()
        with case.test_session():
            pair = case.evaluate((tf.constant(1), [tf.constant([2.0])]))
        assert pair[0] == 1 and pair[1][0].tolist() == [2.0]


def test_stubs():
    stubs = tf.test.StubOutForTesting()
    stubs.Set(time, "time", lambda: 7)
    assert time.time() == 7
    stubs.CleanUp()
    assert time.time() > 7
    with tf.test.StubOutForTesting() as stubs:
        stubs.SmartSet(Numbers, "assertNear", None)
        assert Numbers.assertNear is None
    assert Numbers.assertNear is not None


def test_benchmarks(capsys):
    assert tf.test.Benchmark.is_abstract()
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.test.Benchmark().run_op_benchmark(
            session, tf.constant(1), name="one"
        )
    assert found["iters"] == 10 and found["wall_time"] > 0
    assert "Benchmark.one: iters: 10" in capsys.readouterr().out
