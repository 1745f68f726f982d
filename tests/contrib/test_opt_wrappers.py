"""Optimizers around optimizers, and those whose numbers fade or stay."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.opt import sign_decay

opt = tf.contrib.opt


def test_zero_gradients_change_nothing():
    with tf.Graph().as_default(), tf.Session() as sess:
        w, x = tf.Variable([1.0]), tf.placeholder(tf.float32, [1])
        wrapped = opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(0.5, 0.5))
        train = wrapped.apply_gradients([(x, w)])
        sess.run(tf.global_variables_initializer())
        for slope, wanted in ((1.0, 0.5), (0.0, 0.5), (1.0, -0.25)):
            sess.run(train, {x: [slope]})
            assert sess.run(w) == wanted
    with pytest.raises(TypeError, match="must be an instance"):
        opt.MultitaskOptimizerWrapper(3)


def test_averages_are_saved_in_place_of_variables(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=1.0)
        wrapped = opt.MovingAverageOptimizer(
            tf.train.GradientDescentOptimizer(1.0), 0.5
        )
        with pytest.raises(RuntimeError, match="Must call apply_gradients"):
            wrapped.swapping_saver()
        train = wrapped.minimize(v * 2.0)
        saver = wrapped.swapping_saver()
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            sess.run(train)
        path = saver.save(sess, str(tmp_path / "model"))
        assert sess.run(v) == -3.0
    found = {
        n: tf.train.load_variable(path, n) for n, _ in tf.train.list_variables(path)
    }
    assert found == {"v": -1.5, "v/ExponentialMovingAverage": -3.0}  # TensorFlow's


def test_clipped_variables():
    """The numbers are TensorFlow's."""
    start, slope = [[1.0, -2.0], [3.0, 4.0], [5.0, 6.0]], [[0.1, -0.2], [0.3, 0.4]]
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(start)
        sgd = tf.train.GradientDescentOptimizer(0.1)
        clipping = opt.VariableClippingOptimizer(sgd, {v: [1]}, 2.0)
        rows = tf.IndexedSlices(tf.constant(slope), tf.constant([2, 0]), [3, 2])
        train = clipping.apply_gradients([(rows, v)])
        sess.run(v.initializer)
        sess.run(train)
        found = sess.run(v)
    norms = np.linalg.norm(found, axis=1)
    np.testing.assert_allclose(norms, [2.0, 5.0, 2.0], 1e-6)
    assert found[1].tolist() == start[1]


def test_ggt_of_two_variables():
    """The numbers are TensorFlow's."""
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        w = tf.get_variable("w", initializer=[3.0], use_resource=True)
        pairs = [(tf.constant([0.1, 0.2]), v), (tf.constant([0.3]), w)]
        train = opt.GGTOptimizer(0.1, window=2).apply_gradients(pairs)
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        np.testing.assert_allclose(sess.run(v), [0.942298, 1.884596], 1e-5)
        np.testing.assert_allclose(sess.run(w), [2.826894], 1e-5)


def test_signs_fade():
    """The numbers are TensorFlow's."""
    kinds = {
        sign_decay.get_linear_decay_fn(10): [1.0, 0.7, 0.0, 0.0],
        sign_decay.get_cosine_decay_fn(10): [1.0, 0.79389, 0.0, 0.0],
        sign_decay.get_cosine_decay_fn(10, 3, 1): [1.0, 0.90451, 0.0, 0.0],
        sign_decay.get_restart_decay_fn(10): [1.0, 0.79389, 1.0, 1.0],
        sign_decay.get_restart_decay_fn(10, 2, 0.5): [1.0, 0.0, 0.0, 0.0],
    }
    with tf.Graph().as_default(), tf.Session() as sess:
        steps = tf.constant([0, 3, 10, 12], tf.int64)
        for fade, wanted in kinds.items():
            found = sess.run([fade(steps[i]) for i in range(4)])
            np.testing.assert_allclose(found, wanted, atol=1e-5)
        with pytest.raises(ValueError, match="global_step is required"):
            sign_decay.get_linear_decay_fn(1)(None)
