"""Loops that outgrow their stacks, and shapes that only data tells."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted, plans, states

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def only(values):
    (value,) = values
    return value


def test_a_loop_that_outgrows_its_stack_is_compiled_anew():
    @tfe.defun
    def f(n, x):
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) + x), [0, x]
        )[1]

    def slope(n):
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.constant(n), x)
        return y.numpy(), tape.gradient(y, x).numpy()

    with interpreted():
        wanted = [slope(n) for n in (0, 3, 20, 3, 70, 20)]
    with compiled() as entries:
        found = [slope(n) for n in (0, 3, 20, 3, 70, 20)]
        count = len(entries)
        assert slope(70) == found[4] and slope(70) == found[4]
        for n in (1, 2, 30, 60):
            slope(n)
        assert len(entries) - count <= 2
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


# ------------------------------------------------------------------ host steps
def reshaped(x):
    n = tf.reduce_sum(tf.cast(x > 0.0, tf.int32))
    return tf.reshape(x * 2.0, tf.stack([n, -1])) + 1.0


def test_a_shape_that_depends_on_data_becomes_a_host_step():
    f = tfe.defun(reshaped)
    r = np.random.RandomState(0)
    with compiled():
        for _ in range(12):
            x = r.rand(12).astype(np.float32) + 0.1
            x[: r.choice([0, 6, 8, 9, 10])] *= -1.0
            n = int((x > 0).sum())
            wanted = (x * 2 + 1).reshape(n, -1)
            assert f(tf.constant(x)).numpy().tolist() == wanted.tolist()
    plan = only(plans(f, tf.constant(x)))
    assert [n.type for n in plan.hosts] == ["Reshape"] and len(plan.clusters) == 2


def test_a_shape_that_depends_on_a_variable_becomes_a_host_step():
    v = tf.Variable(2)
    f = tfe.defun(lambda x: tf.reshape(x * 2.0, tf.stack([v, -1])) + tf.exp(x[0]) * 0.0)
    x = tf.ones([12])
    with compiled("Reshape"):
        for n in (2, 3, 4, 6):
            v.assign(n)
            assert f(x).shape.as_list() == [n, 12 // n]
    plan = only(plans(f, x))
    assert [n.type for n in plan.hosts] == ["Reshape"] and "chosen" in states(plan)


def test_a_split_between_two_runs_keeps_the_results_in_their_places():
    @tfe.defun
    def f(x, s):
        a, b = x * 2.0, tf.exp(x)
        c = tf.reshape(a, tf.stack([tf.cast(s[0], tf.int32), -1]))
        return b, c, a + b, tf.reduce_sum(c, 0)

    x = np.arange(6, dtype=np.float32)
    with compiled():
        for n in (1, 2, 3, 6, 1, 2, 3, 6):
            found = f(tf.constant(x), tf.constant([float(n)]))
            a, b = x * 2, np.exp(x)
            c = a.reshape(n, -1)
            for t, wanted in zip(found, (b, c, a + b, c.sum(0)), strict=True):
                np.testing.assert_allclose(t.numpy(), wanted, rtol=1e-6)


def test_results_of_strings_and_clusters_together():
    @tfe.defun
    def f(x):
        return tf.identity(tf.constant("text")), x * 2.0

    with compiled():
        for _ in range(2):
            s, y = f(tf.constant(3.0))
            assert s.numpy() == b"text" and y.numpy() == 6.0
