"""tf.test.TestCase and its company, used as programs use them."""

import os
import sys
import time
import unittest
from unittest import mock

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
        self.assertAllClose([1.0, 2.0], [1.05, 2.0], atol=np.array([0.1, 0.0]))
        with self.assertRaisesRegex(AssertionError, r"where = \[\[1\]\]"):
            self.assertAllClose([1.0, 2.0], [1.0, 2.05], atol=np.array([0.1, 0.0]))
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

    def test_structures(self):
        one = tf.constant([1.0])
        self.assertAllClose([one, one + 1], [[1.0], [2.0]])
        self.assertAllClose({"a": (one, 2.0)}, {"a": ([1.0], 2.0)})
        with self.assertRaisesRegex(ValueError, "Can't compare dict to non-dict"):
            self.assertAllClose({"a": 1.0}, 1.0)
        with self.assertRaisesRegex(AssertionError, "mismatched keys"):
            self.assertAllClose({"a": 1.0}, {"b": 1.0})
        with self.assertRaisesRegex(AssertionError, r"not close dif = \[1.\]"):
            self.assertAllClose([0.0], [1.0])
        with self.assertRaisesRegex(AssertionError, "have no order"):
            self.assertAllInRange(["a"], 0, 1)

    def test_captured_writes(self):
        with self.captureWritesToStream(sys.stderr) as captured:
            os.write(sys.stderr.fileno(), b"hello")
            with self.assertRaisesRegex(ValueError, "not captured yet"):
                captured.contents()
        self.assertEqual(captured.contents(), "hello")

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
    [
        name
        for name in dir(Numbers)
        if name.startswith("test_") and name[5:] != "session"
    ],
)
def test_in_graph_mode(name):
    result = run(name)
    assert result.wasSuccessful(), result.errors + result.failures


def test_in_eager_mode():
    with eager():
        assert run("test_arrays").wasSuccessful()
        assert run("test_structures").wasSuccessful()
        case = Numbers("test_arrays")
        case.setUp()
        with case.test_session():
            pair = case.evaluate((tf.constant(1), [tf.constant([2.0])]))
        assert pair[0] == 1 and pair[1][0].tolist() == [2.0]
        kept = tf.constant([1.0])
    with tf.Graph().as_default():
        case.assertAllEqual(kept, [1.0])  # an eager tensor inside a graph


def test_compute_gradient_of_several_and_of_nothing():
    with tf.Graph().as_default(), tf.Session():
        a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
        pairs = tf.test.compute_gradient([a, b], [[2], [2]], a * b, [2])
        np.testing.assert_array_equal(pairs[0][0], np.diag([3.0, 4.0]))
        x = tf.placeholder(tf.float32)
        assert tf.test.compute_gradient_error(x, (0, 3), x * 2.0, (0, 3)) == 0
        turned = tf.custom_gradient(lambda x: (x, tf.transpose))
        with pytest.raises(ValueError, match="Empty gradient has wrong shape"):
            tf.test.compute_gradient(x, (0, 3), turned(x), (0, 3))


def test_set_up_forgets_the_names_of_slots():
    def slot():
        v = tf.Variable(1.0, name="v")
        opt = tf.train.MomentumOptimizer(0.1, 0.9)
        opt.minimize(lambda: v * v)
        return opt.get_slot(v, "momentum").name

    with eager():
        for _ in range(2):
            Numbers("test_arrays").setUp()
            assert slot() == "v/Momentum:0"
        assert slot() == "v/Momentum_1:0"
        kept = tf.get_default_graph()
    assert tf.get_default_graph() is kept


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


class Unprinted(np.ndarray):
    """An array whose text nobody may ask for."""

    def __str__(self):
        raise AssertionError("the text of a large array takes long")

    __format__ = __repr__ = __str__


def test_arrays_that_agree_are_not_made_texts():
    case = tf.test.TestCase("run")
    a, b = (np.ones([2] * 20, np.float32).view(Unprinted) for _ in range(2))
    with mock.patch.object(case, "_GetNdArray", lambda x: x):
        case.assertAllEqual(a, b)
        case.assertAllClose(a, b)
    with pytest.raises(AssertionError, match="shapes differ: 1 and"):
        case.assertAllEqual(1, [1, 2])
