"""gradients_function and its kin, and custom_gradient: E12-E19, O01-O04."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, eager, run

tfe = tf.contrib.eager


@pytest.fixture
def eagerly():
    with eager():
        yield


def test_gradients_function(eagerly):
    grad = tfe.gradients_function(lambda x: tf.multiply(x, x))
    assert grad(3.0)[0].numpy() == 6.0 and len(grad(3.0)) == 1
    slope = tfe.gradients_function(lambda x: x if x > 0.0 else -x)
    assert slope(3.0)[0].numpy() == 1.0 and slope(-3.0)[0].numpy() == -1.0
    both = tfe.gradients_function(lambda x, y: x * x + y * y)
    assert [g.numpy() for g in both(2.0, 3.0)] == [4.0, 6.0]
    second = tfe.gradients_function(lambda x: grad(x)[0])
    assert second(3.0)[0].numpy() == 2.0
    assert grad(tf.constant([1.0, 2.0]))[0].numpy().tolist() == [2.0, 4.0]


def test_params(eagerly):
    f = lambda x, y: x * y * y
    assert [g.numpy() for g in tfe.gradients_function(f, params=["y"])(2.0, 3.0)] == [
        12.0
    ]
    assert [g.numpy() for g in tfe.gradients_function(f, params=[1, 0])(2.0, 3.0)] in (
        [12.0, 9.0], [9.0, 12.0],
    )  # fmt: skip


@pytest.mark.parametrize("value", [1.0, [[1.0]], tf.constant])
def test_one_value_for_several_arguments(eagerly, value):
    value = value(1.0) if callable(value) else value
    found = tfe.gradients_function(tf.multiply, params=["x", "y"])(value, value)
    assert [float(np.squeeze(g)) for g in found] == [1.0, 1.0]


def test_value_and_gradients_function(eagerly):
    value, grads = tfe.value_and_gradients_function(lambda x, y: x * x * y)(3.0, 2.0)
    assert value.numpy() == 18.0 and [g.numpy() for g in grads] == [12.0, 9.0]


def test_implicit_gradients(eagerly):
    vx, vy = tf.Variable(1.0, name="vx"), tf.Variable(2.0, name="vy")
    found = tfe.implicit_gradients(lambda: 2 * vx * vx)()
    assert [(g.numpy(), v) for g, v in found] == [(4.0, vx)]
    value, found = tfe.implicit_value_and_gradients(lambda a: a * vx * vy)(3.0)
    assert value.numpy() == 6.0
    assert [(g.numpy(), v) for g, v in found] == [(6.0, vx), (3.0, vy)]
    words = (
        "No trainable variables were accessed while the function was being computed."
    )
    with pytest.raises(ValueError, match=words):
        tfe.implicit_gradients(lambda: tf.constant(1.0))()


def test_log1pexp(eagerly):
    plain = tfe.gradients_function(lambda x: tf.log(1 + tf.exp(x)))
    assert plain(0.0)[0].numpy() == 0.5 and np.isnan(plain(100.0)[0].numpy())

    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    grad = tfe.gradients_function(log1pexp)
    assert grad(0.0)[0].numpy() == 0.5 and grad(100.0)[0].numpy() == 1.0


@tf.custom_gradient
def clip_gradient_by_norm(x, norm):
    return tf.identity(x), lambda dy: [tf.clip_by_norm(dy, norm), None]


@pytest.mark.parametrize("way", WAYS)
def test_gradients_that_are_none(way):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(clip_gradient_by_norm(x, 1.0) * [3.0, 4.0])
        return y, tape.gradient(y, x)

    y, dx = run(way, lambda: f, np.float32([1, 2]))
    assert y == 11.0
    np.testing.assert_allclose(dx, [0.6, 0.8], rtol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_several_results_and_second_order(way):
    @tf.custom_gradient
    def both(x, y):
        def grad(da, db):
            return da * y * 10.0 + db, da * x * 10.0

        return (x * y, x + 1.0), grad

    def f(x, y):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch([x, y])
                a, b = both(x, y)
                z = a * a + b
            dx, dy = tape.gradient(z, [x, y])
        return z, dx, dy, outer.gradient(dy, x)

    # dz/dy = 2 a (10 x), whose slope is 20 (10 y x + a) by the rule above
    found = run(way, lambda: f, np.float64(2), np.float64(3))
    np.testing.assert_allclose(found, (39.0, 361.0, 240.0, 1320.0))


@pytest.mark.parametrize("way", WAYS)
def test_variables_inside(way):
    def build():
        v = tf.Variable(3.0)

        @tf.custom_gradient
        def scale(x):
            def grad(dy, variables=None):
                assert [w.name for w in variables] == [v.name]
                return dy * 100.0, [dy * 1000.0]

            return x * v, grad

        def f(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = scale(x)
            return y, tape.gradient(y, [x, v])

        return f

    y, grads = run(way, build, np.float32(2))
    assert y == 6.0 and grads == [100.0, 1000.0]


def test_variables_that_the_gradient_does_not_take(eagerly):
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def scale(x):
        return x * v, lambda dy: dy

    words = (
        "If using @custom_gradient with a function that uses variables, then grad_fn "
        "must accept a keyword argument 'variables'."
    )
    with pytest.raises(TypeError, match=words):
        scale(tf.constant(1.0))


def test_too_few_gradients(eagerly):
    @tf.custom_gradient
    def f(x, y):
        return x * y, lambda dy: dy

    with tf.GradientTape() as tape:
        x = tf.constant(1.0)
        tape.watch(x)
        z = f(x, 2.0)
    with pytest.raises(ValueError, match="returned 1 gradients for 2 arguments"):
        tape.gradient(z, x)


def test_keyword_arguments_and_structure(eagerly):
    @tf.custom_gradient
    def f(x, k=1.0):
        return {"a": x * k, "b": x}, lambda da, db: da * 7.0 + db

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = f(x, k=3.0)
        y = out["a"] + out["b"]
    assert y.numpy() == 8.0 and tape.gradient(y, x).numpy() == 8.0


def test_custom_gradients_by_tf_gradients():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([3.0, 4.0])
        y = clip_gradient_by_norm(x, 1.0) * x
        (dx,) = tf.gradients(y, x)
        np.testing.assert_allclose(session.run(dx), [3.6, 4.8], rtol=1e-6)
