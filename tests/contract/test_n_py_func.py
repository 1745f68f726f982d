"""Contract N: Python functions inside graphs."""

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import printed
from tests.modes import both
from tests.ways import WAYS, run

tfe = tf.contrib.eager
PRINTED = "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)\n"


def my_py_func(x):
    x = tf.matmul(x, x)  # You can use tf ops
    print(x)  # but it's eager!
    return x


def test_n01_eager_execution_inside_a_graph(graph):
    def program():
        with tf.Session() as sess:
            x = tf.placeholder(dtype=tf.float32)
            # Call eager function in graph!
            pf = tfe.py_func(my_py_func, [x], tf.float32)
            return sess.run(pf, feed_dict={x: [[2.0]]})  # [[4.0]]

    text, found = printed(program)
    assert text == PRINTED and found.tolist() == [[4.0]]


def absolute(x):
    return tfe.py_func(lambda x: x if x > 0.0 else -x * x, [x], tf.float32)


@pytest.mark.parametrize("way", WAYS)
def test_n02_gradients_pass_through(way):
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = absolute(x)
            dx = tape.gradient(y, x)
        return y, dx, outer.gradient(dx, x)

    found = run(way, lambda: f, np.float32(-3.0))
    assert [float(v) for v in found] == [-9.0, 6.0, -2.0]


@both
def test_n03_in_both_modes(run):
    modes = []

    def body(x, n):
        modes.append(tf.executing_eagerly())
        return x * 2.0, n + 1

    def build():
        return tfe.py_func(body, [[1.0], 5], [tf.float32, tf.int32])

    x, n = run(build)
    assert (x.tolist(), n, modes) == ([2.0], 6, [True])


def test_n03_errors_name_what_the_function_raised(graph):
    def body(x):
        raise ValueError("no luck")

    y = tfe.py_func(body, [tf.constant(1.0)], tf.float32)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        sess.run(y)
    text = str(raised.value)
    assert text.startswith("ValueError: no luck\nTraceback (most recent call last):")
    assert 'raise ValueError("no luck")' in text and "[[node EagerPyFunc " in text


@both
def test_n04_functions_of_arrays(run):
    kinds = []

    def body(x):
        kinds.append(type(x))
        return np.sinh(x)

    y = run(lambda: tf.py_func(body, [tf.constant([1.0, 2.0])], tf.float32))
    np.testing.assert_allclose(y, np.sinh(np.float32([1.0, 2.0])), rtol=1e-6)
    assert kinds == [np.ndarray]
