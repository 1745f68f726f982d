"""Contract O: functions that bring their own gradient."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from tests.ways import WAYS, run

tfe = tf.contrib.eager
ways = pytest.mark.parametrize("way", WAYS)


@tf.custom_gradient
def clip_gradient_by_norm(x, norm):
    y = tf.identity(x)

    def grad_fn(dresult):
        return [tf.clip_by_norm(dresult, norm), None]

    return y, grad_fn


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(dy):
        return dy * (1 - 1 / (1 + e))

    return tf.log(1 + e), grad


@ways
def test_o01_o02_clip_the_gradient(way):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clip_gradient_by_norm(x, 1.0)
            loss = tf.reduce_sum(y * [3.0, 4.0])
        return y, tape.gradient(loss, x)

    y, dx = run(way, lambda: f, np.float32([1.0, 2.0]))
    assert y.tolist() == [1.0, 2.0]
    np.testing.assert_allclose(dx, [0.6, 0.8], rtol=1e-6)


def test_o02_the_argument_without_a_gradient_gets_none(eager):
    x, norm = tf.constant([3.0]), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch([x, norm])
        y = clip_gradient_by_norm(x, norm)
    dx, dnorm = tape.gradient(y, [x, norm])
    assert dx.numpy().tolist() == [1.0] and dnorm is None


@both
def test_o03_a_stable_log1pexp(run):
    def build():
        grad_log1pexp = tfe.gradients_function(log1pexp)
        return grad_log1pexp(0.0), grad_log1pexp(100.0)

    zero, hundred = run(build)
    assert zero[0] == 0.5 and hundred[0] == 1.0


def test_o03_tf_gradients_use_it_too(graph):
    x = tf.constant(100.0)
    with tf.Session() as sess:
        assert sess.run(tf.gradients(log1pexp(x), x)) == [1.0]


@both
def test_o04_gradients_of_variables(run):
    def build():
        w = tfe.Variable(3.0)

        @tf.custom_gradient
        def scaled(x):
            def grad_fn(dy, variables):
                assert len(variables) == 1 and variables[0] is w
                return [dy * w * 10.0], [dy * x * 100.0]

            return x * w, grad_fn

        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, [x, w])

    assert [float(g) for g in run(build)] == [30.0, 200.0]


@both
def test_o04_variables_must_be_asked_for(run):
    def build():
        w = tfe.Variable(3.0)

        @tf.custom_gradient
        def scaled(x):
            return x * w, lambda dy: dy

        with pytest.raises(TypeError) as raised:
            scaled(tf.constant(2.0))
        assert str(raised.value) == (
            "If using @custom_gradient with a function that uses variables, then "
            "grad_fn must accept a keyword argument 'variables'."
        )
        return tf.constant(0.0)

    run(build)
