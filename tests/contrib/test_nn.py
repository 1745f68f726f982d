"""tf.contrib.nn: derivatives along a direction, and dropout for SELUs."""

import numpy as np

import twinflow as tf
from tests.modes import eagerly, in_graph
from twinflow.contrib.nn.forward import fwd_gradients

N = tf.contrib.nn


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
