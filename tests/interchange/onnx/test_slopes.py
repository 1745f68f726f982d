"""Gradients as ONNX: of loops and branches, to the second order, and of activations."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.onnx.both import both_ways

X = np.random.RandomState(0).randn(3, 4).astype("f4")
W = np.random.RandomState(1).randn(4, 4).astype("f4") * 0.4


def _slope(f, *sources):
    """The function that gives the gradient of the sum of `f`."""

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x))
        return tape.gradient(y, list(sources) or x)

    return slope


def _export(f, folder, x=X):
    both_ways(f, [x], folder, [tf.TensorSpec([None, *x.shape[1:]], tf.float32)])


def _power(w):
    def step(i, y, x):
        return i + 1, tf.tanh(tf.matmul(y, w)) * x, x

    return lambda x: tf.while_loop(lambda i, y, x: i < 3, step, (0, x, x))[1]


def _until(x):
    """As many turns as the values say, with a choice in each."""

    def step(i, y):
        return i + 1, tf.cond(i > 1, lambda: tf.sin(y), lambda: y * y)

    n = tf.cast(tf.reduce_sum(tf.abs(x)), tf.int32) % 4
    return tf.while_loop(lambda i, y: i < n, step, (0, x))[1]


def _branch(x):
    above = tf.reduce_sum(x) > 0
    return tf.cond(above, lambda: tf.tanh(x) * x, lambda: tf.exp(x) * x)


def test_of_a_loop(eager, tmp_path):
    w = tf.contrib.eager.Variable(W)
    _export(_slope(_power(w)), tmp_path)
    _export(_slope(_power(w), w), tmp_path)
    _export(_slope(_slope(_power(w))), tmp_path)


@pytest.mark.parametrize("scale", [0.0, 0.1, 0.2, -0.3])
def test_of_a_loop_that_ends_by_its_values(eager, tmp_path, scale):
    _export(_slope(_until), tmp_path, X * np.float32(scale))


@pytest.mark.parametrize("x", [abs(X), -abs(X)], ids=["then", "else"])
def test_of_a_branch(eager, tmp_path, x):
    _export(_slope(_branch), tmp_path, x)
    _export(_slope(_slope(_branch)), tmp_path, x)


@pytest.mark.parametrize("f", [
    tf.tanh, tf.sigmoid, tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu,
    tf.nn.softplus, tf.nn.softsign, tf.nn.leaky_relu, tf.reciprocal,
    lambda x: tf.sqrt(tf.abs(x)), lambda x: tf.rsqrt(tf.abs(x)),
    lambda x: tf.nn.softmax(tf.matmul(x, W)) ** 2,
])  # fmt: skip
def test_of_an_activation(eager, tmp_path, f):
    _export(_slope(lambda x: f(x) * x), tmp_path)


def test_of_a_layer(eager, tmp_path):
    layer = tf.keras.layers.Dense(3, "tanh", kernel_initializer="ones")
    layer.build((None, 4))
    _export(_slope(layer, *layer.weights), tmp_path)


def test_functions_with_gradients_of_their_own(eager, tmp_path):
    @tf.custom_gradient
    def doubled(x):
        return tf.sin(x), lambda dy: dy * 2.0

    _export(doubled, tmp_path)
    _export(_slope(lambda x: doubled(x) * x), tmp_path)


def test_of_a_tensor_array_is_refused_by_line(eager, tmp_path):
    slope = _slope(lambda x: tf.map_fn(lambda row: row * row, x))
    with pytest.raises(tf.errors.UnimplementedError, match=r"test_slopes\.py:\d+\)"):
        tf.onnx.export(slope, tmp_path / "a.onnx", [tf.TensorSpec([3, 4], tf.float32)])
