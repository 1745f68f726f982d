"""Memory stays flat over many eager steps with tapes and many calls of functions."""

import gc

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted

LIMIT = 3 * 2**20  # bytes: what the allocator may keep of its own accord


def resident():
    gc.collect()
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096


def growth(step, times):
    """How much resident memory grows over 2/5 of `times` steps, at the end.

    The smaller of two readings: the allocator takes memory once, a leak again.
    """
    first, second = times // 5, times * 3 // 5
    readings = []
    for start, end in (0, first), (first, second), (second, times):
        for i in range(start, end):
            step(i)
        readings.append(resident())
    return min(np.diff(readings))


@pytest.fixture(autouse=True)
def eagerly():
    """Eager mode without a compiler that comes in the middle of a measurement."""
    with eager(), interpreted():
        yield


ENGINES = pytest.mark.parametrize("engine", [interpreted, compiled])


@pytest.mark.slow
def test_eager_steps_with_tapes():
    w = tf.Variable(np.ones((16, 16), np.float32))
    x = tf.ones([4, 16])

    def step(i):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(tf.matmul(x, w)))
        w.assign_sub(1e-4 * tape.gradient(y, w))

    assert growth(step, 100_000) < LIMIT


@pytest.mark.slow
@ENGINES
def test_function_calls_with_changing_shapes(engine):
    w = tf.Variable(np.ones((16, 16), np.float32))

    @tf.contrib.eager.defun
    def f(x):
        return tf.reduce_sum(tf.tanh(tf.matmul(x, w)))

    with engine():
        assert growth(lambda i: f(tf.ones([1 + i % 20, 16])), 8000) < LIMIT


@pytest.mark.slow
def test_function_calls_with_ever_new_shapes():
    @tf.contrib.eager.defun
    def f(x):
        return tf.reduce_sum(x * 2.0)

    assert growth(lambda i: f(tf.ones([i + 1])), 4000) < LIMIT  # each a new trace


@pytest.mark.slow
@ENGINES
def test_functions_under_tapes(engine):
    w = tf.Variable(np.ones((16, 16), np.float32))

    @tf.contrib.eager.defun
    def f(x):
        return tf.reduce_sum(tf.tanh(tf.matmul(x, w)))

    def step(i):
        with tf.GradientTape() as tape:
            y = f(tf.ones([1 + i % 5, 16]))
        w.assign_sub(1e-4 * tape.gradient(y, w))

    with engine():
        assert growth(step, 5000) < LIMIT


@pytest.mark.slow
def test_functions_made_and_dropped():
    def step(i):
        f = tf.contrib.eager.defun(lambda x: x * 2.0 + tf.exp(x))
        for _ in range(2):
            f(tf.ones([8]))

    assert growth(step, 1000) < LIMIT


@pytest.mark.slow
@ENGINES
def test_session_runs(engine):
    with engine(), tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8])
        v = tf.Variable(tf.zeros([8]))
        step = v.assign_add(tf.reduce_sum(x, 0))
        session.run(v.initializer)
        fed = [np.ones((1 + i, 8), np.float32) for i in range(20)]
        assert growth(lambda i: session.run(step, {x: fed[i % 20]}), 10_000) < LIMIT
