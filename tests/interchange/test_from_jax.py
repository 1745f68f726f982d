"""Functions of jax as ops: values, gradients, shapes, errors, in every mode."""

import functools
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted

tfe = tf.contrib.eager
X = np.random.RandomState(0).randn(3, 4).astype(np.float32)


@pytest.fixture
def eagerly():
    with eager():
        yield


def _loss(x):
    return jnp.sum(jnp.sin(x) * x)


def _slope(x):
    return np.cos(x) * x + np.sin(x)


def _slope_of_slope(x):
    return 2.0 * np.cos(x) - np.sin(x) * x


def test_values_and_structures(eagerly):
    f = tf.from_jax(lambda a, more, *, scale: {"sum": a + more["b"] * scale, "n": a[0]})
    found = f(X, {"b": tf.ones([4])}, scale=2.0)
    np.testing.assert_array_equal(found["sum"], X + 2.0)
    np.testing.assert_array_equal(found["n"], X[0])


def test_gradients_of_two_orders(eagerly):
    f, x = tf.from_jax(_loss), tf.constant(X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    second = outer.gradient(first, x)
    np.testing.assert_allclose(first, _slope(X), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(second, _slope_of_slope(X), rtol=1e-5, atol=1e-6)


def test_gradient_of_one_of_several_results(eagerly):
    f = tf.from_jax(lambda x, i: (x * 2.0, jnp.argmax(x), x[i] * 3.0))
    v = tfe.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        _, place, third = f(v, tf.constant(1))
    assert place.numpy() == 1
    assert tape.gradient(third, v).numpy().tolist() == [0.0, 3.0]


def test_bits_are_those_of_the_arguments(eagerly):
    f = tf.from_jax(lambda x: (x + jnp.zeros(2), jnp.argmax(x)))
    for kind, whole in ((tf.float32, tf.int32), (tf.float64, tf.int64)):
        y, n = f(tf.ones([2], kind))
        assert (y.dtype, n.dtype) == (kind, whole)


@pytest.mark.parametrize("way", [interpreted, compiled], ids=lambda w: w.__name__)
def test_in_a_graph(way):
    f = tf.from_jax(lambda x, w: (jnp.tanh(x @ w) + jnp.zeros(2), jnp.argmax(x, 1)))
    w = np.ones((4, 2), np.float32)
    with way(), tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 4])
        y, places = f(x, w)
        assert y.shape.as_list() == [None, 2] and places.shape.as_list() == [None]
        assert places.dtype is tf.int32
        dx = tf.gradients(y, x)[0]
        ddx = tf.gradients(dx, x)[0]
        got = session.run([y, places, dx, ddx], {x: X})
    t = np.tanh(X @ w)
    np.testing.assert_allclose(got[0], t, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(got[1], X.argmax(1))
    np.testing.assert_allclose(got[2], (1 - t**2) @ w.T, rtol=1e-4, atol=1e-6)
    second = (-2 * t * (1 - t**2)).sum(1, keepdims=True) * 4 * np.ones(4)
    np.testing.assert_allclose(got[3], second, rtol=1e-3, atol=1e-5)


def test_lowered_into_the_same_program(eagerly):
    f = tf.from_jax(lambda x: jax.lax.fori_loop(0, 3, lambda i, s: s + jnp.sin(x), x))
    g = tfe.defun(lambda x: tf.exp(f(x * 2.0)))
    wanted = np.exp(2 * X + 3 * np.sin(2 * X))
    np.testing.assert_allclose(g(tf.constant(X)), wanted, rtol=1e-5)
    text = next(iter(g.traces.values())).lowered()
    assert text.count("module @") == 1
    assert "stablehlo.while" in text and "stablehlo.exponential" in text


def test_errors_name_the_users_line(eagerly):
    f = tf.from_jax(lambda a: a @ a)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_from_jax\.py:\d+"):
        f(X)
    with pytest.raises(TypeError, match="no string"):
        f("text")
    with pytest.raises(TypeError, match="from_dlpack"):
        tf.from_jax(3.0)
    with tf.Graph().as_default():
        with pytest.raises(tf.errors.InvalidArgumentError, match="set_shape"):
            f(tf.placeholder(tf.float32))
        tf.from_jax(jnp.sin)(tf.ones([2]))
        with pytest.raises(ValueError, match="GraphDef"):
            tf.get_default_graph().as_graph_def()


def test_jitted_and_bound_functions(eagerly):
    f = tf.from_jax(jax.jit(functools.partial(jnp.sum, axis=1)), name="rows")
    np.testing.assert_allclose(f(X), X.sum(1), rtol=1e-5)
    assert repr(f) == "<tf.from_jax of rows>"


def test_threads(eagerly):
    f, found = tf.from_jax(_loss), []

    def work(n):
        with eager():
            found.append((n, float(f(tf.ones([n])))))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(n for n, _ in found) == list(range(1, 9))
    for n, value in found:
        assert abs(value - n * np.sin(1.0)) < 1e-5
