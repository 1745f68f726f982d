"""Gradients through functions, in both engines."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted

tfe = tf.contrib.eager


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def engine(request):
    chosen = interpreted() if request.param == "interpreted" else compiled()
    with chosen, eager():
        yield


def test_gradient_through_a_function():
    v = tf.Variable(3.0)
    f = tfe.defun(lambda x: (x * x * v, x + v))
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, b = f(x)
        both = a * b
    assert [g.numpy() for g in tape.gradient(a, [x, v])] == [12.0, 4.0]
    assert [g.numpy() for g in tape.gradient(b, [x, v])] == [1.0, 1.0]
    assert [g.numpy() for g in tape.gradient(both, [x, v])] == [72.0, 32.0]


def test_gradient_with_respect_to_a_captured_tensor():
    c = tf.constant(3.0)
    f = tfe.defun(lambda x: x * c)
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = f(tf.constant(2.0))
    assert tape.gradient(y, c).numpy() == 2.0


@pytest.mark.parametrize("nested", [False, True])
def test_third_order_through_functions(nested):
    inner = tfe.defun(lambda x: x * x * x)
    f = tfe.defun(lambda x: inner(x) * x) if nested else lambda x: inner(x) * x
    x = tf.constant(2.0)
    with tf.GradientTape() as t3:
        t3.watch(x)
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = f(x)
            d1 = t1.gradient(y, x)
        d2 = t2.gradient(d1, x)
    d3 = t3.gradient(d2, x)
    assert [t.numpy() for t in (y, d1, d2, d3)] == [16.0, 32.0, 48.0, 48.0]


def test_tapes_inside_a_function():
    v = tf.Variable(2.0)

    @tfe.defun
    def step(x):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * v
            dx = inner.gradient(y, x)
        return y, dx, outer.gradient(dx, v)

    assert [t.numpy() for t in step(tf.constant(3.0))] == [18.0, 12.0, 6.0]


def test_a_tape_outside_sees_through_a_tape_inside():
    @tfe.defun
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        d = slope(x)
    assert tape.gradient(d, x).numpy() == 12.0


def test_a_function_inside_a_tape_inside_a_function():
    v = tf.Variable(2.0)
    inner = tfe.defun(lambda x: x * x * v)

    @tfe.defun
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        dx, dv = tape.gradient(y, [x, v])
        v.assign_sub(dv)
        return dx

    assert outer(tf.constant(1.0)).numpy() == 4.0
    assert v.numpy() == 1.0
    assert outer(tf.constant(1.0)).numpy() == 2.0


def test_gradients_of_part_of_the_results():
    f = tfe.defun(lambda x: (x * 2.0, tf.cast(x, tf.int32), tf.stop_gradient(x), x * x))
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, i, s, b = f(x)
    assert tape.gradient(a, x).numpy() == 2.0 and tape.gradient(b, x).numpy() == 6.0
    assert tape.gradient([a, b], x).numpy() == 8.0
    assert tape.gradient(s, x) is None or tape.gradient(s, x).numpy() == 0.0
    assert i.numpy() == 3


def test_a_training_loop_as_eagerly():
    def train(wrap):
        w, b = tf.Variable([[0.5], [-0.3]]), tf.Variable([0.1])

        def step(x, y):
            with tf.GradientTape() as tape:
                e = tf.matmul(x, w) + b - y
                loss = tf.reduce_mean(e * e)
            for v, g in zip([w, b], tape.gradient(loss, [w, b]), strict=True):
                v.assign_sub(0.1 * g)
            return loss

        step = wrap(step)
        r = np.random.RandomState(0)
        losses = []
        for _ in range(20):
            x = r.randn(8, 2).astype(np.float32)
            losses.append(step(tf.constant(x), tf.constant(x[:, :1] * 3)).numpy())
        return [*losses, *w.numpy().ravel(), *b.numpy()]

    np.testing.assert_allclose(train(tfe.defun), train(lambda f: f), rtol=2e-5)
