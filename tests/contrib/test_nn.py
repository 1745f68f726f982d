"""tf.contrib.nn: derivatives along a direction, and dropout for SELUs."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eagerly, in_graph
from twinflow.contrib.nn.forward import fwd_gradients

N = tf.contrib.nn
LOSS = [2.010258, 2.048027]  # TensorFlow 1.12


def test_derivatives_along_a_direction():
    x = tf.constant([1.0, 2.0, 3.0], tf.float64)
    y = tf.stack([tf.reduce_sum(x**2), x[0] * tf.sin(x[2])])
    (slope,) = fwd_gradients([y], [x], [tf.constant([1.0, -1.0, 2.0], tf.float64)])
    with tf.Session() as session:
        found = session.run(slope)
    wanted = [2 * (1 - 2 + 6), np.sin(3.0) + 2 * np.cos(3.0)]
    np.testing.assert_allclose(found, wanted)


def test_dropout_keeps_mean_and_variance():
    for mode in (eagerly, in_graph):
        x = np.random.RandomState(0).randn(40000).astype(np.float32)
        found = mode(lambda x=x: N.alpha_dropout(tf.constant(x), 0.7, seed=1))
        assert abs(found.mean()) < 0.03
        assert abs(found.var() - 1) < 0.03


def test_sparse_loss_is_the_dense_one():
    random = np.random.RandomState(0)
    w, b, x = random.randn(6, 4), random.randn(6), random.randn(3, 4)
    labels = np.array([[1], [2], [4]])
    sampled = np.array([1, 3, 5]), np.full([3, 1], 0.4), np.full([3], 0.5)
    inputs = [tf.constant(t, tf.float32) for t in (w, b)]
    given = [tf.constant(labels), tf.constant(x, tf.float32), 3, 6]
    values = [tf.constant(sampled[0])] + [
        tf.constant(t, tf.float32) for t in sampled[1:]
    ]
    found = N.sampled_sparse_softmax_loss(*inputs, *given, sampled_values=values)
    wanted = tf.nn.sampled_softmax_loss(*inputs, *given, sampled_values=values)
    with tf.Session() as session:
        np.testing.assert_allclose(*session.run([found, wanted]), rtol=1e-6)


def test_a_loss_over_the_best_sampled_classes():
    random = np.random.RandomState(0)
    w, b, x = (random.rand(*s).astype("f") for s in ((5, 3), (5,), (2, 3)))
    drawn = [1, 0, 2, 3], [[0.5], [0.5]], [0.5, 0.2, 0.3, 0.4]

    def loss(kept=2):
        ids, true, expected = drawn
        values = tf.constant(ids, tf.int64), tf.constant(true), tf.constant(expected)
        labels = tf.constant([[0], [1]], tf.int64)
        return N.rank_sampled_softmax_loss(
            w, b, labels, tf.constant(x), 4, kept, 5, 1, values, 0.5, True, "div"
        )

    np.testing.assert_allclose(in_graph(loss), LOSS, 1e-4)
    np.testing.assert_allclose(eagerly(loss), LOSS, 1e-4)
    with pytest.raises(ValueError, match="must be less than num_sampled"):
        loss(4)
