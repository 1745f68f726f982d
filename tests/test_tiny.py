"""The whole story in seconds: one program eagerly, as a function, and as a graph."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, run


def build():
    """One step of a small regression: forward, slopes, update."""
    w = tf.Variable([[0.5, -0.5], [0.25, 1.0]], name="w")
    b = tf.Variable([0.1, -0.1], name="b")

    def step(x, y):
        with tf.GradientTape() as tape:
            hidden = tf.tanh(tf.matmul(x, w) + b)
            loss = tf.reduce_mean(tf.square(hidden - y))
        dw, db = tape.gradient(loss, [w, b])
        with tf.control_dependencies([dw, db]):
            new = w.assign_sub(0.5 * dw), b.assign_sub(0.5 * db)
        with tf.control_dependencies([v for v in new if v is not w and v is not b]):
            return loss, w.read_value(), b.read_value()

    return step


def by_hand(x, y, calls):
    w, b = np.array([[0.5, -0.5], [0.25, 1.0]]), np.array([0.1, -0.1])
    for _ in range(calls):
        hidden = np.tanh(x @ w + b)
        loss = np.mean((hidden - y) ** 2)
        dh = 2 * (hidden - y) / y.size * (1 - hidden**2)
        w, b = w - 0.5 * x.T @ dh, b - 0.5 * dh.sum(0)
    return loss, w, b


@pytest.mark.parametrize("way", WAYS)
def test_the_same_numbers(way):
    r = np.random.RandomState(0)
    x = r.randn(8, 2).astype(np.float32)
    y = np.tanh(x[:, ::-1] * 0.5)
    found = run(way, build, x, y, calls=10)
    for got, wanted in zip(found, by_hand(x, y, 10), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5)
