"""tf.contrib.opt: the numbers are those of TensorFlow 1.12 after three steps."""

import numpy as np
import pytest

import twinflow as tf

opt = tf.contrib.opt
START = [[3.0, 1.0], [2.0, 5.0], [1.0, 1.0]]
CASES = {
    "lazy": (
        lambda: opt.LazyAdamOptimizer(0.1),
        [[2.7003801, 0.70159], [1.70062, 4.7002101], [0.70159, 0.70159]],
    ),
    "adam": (
        lambda: opt.AdamWOptimizer(0.01, 0.1),
        [[2.6144099, 0.6751], [1.6443701, 4.55482], [0.6751, 0.6751]],
    ),
    "momentum": (
        lambda: opt.MomentumWOptimizer(0.01, 0.1, 0.9),
        [[0.13992, 0.04664], [0.09328, 0.23319], [0.04664, 0.04664]],
    ),
    "nesterov": (
        lambda: opt.NadamOptimizer(0.1),
        [[2.54498, 0.55683], [1.54756, 4.54307], [0.55683, 0.55683]],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_dense_steps(case):
    make, wanted = CASES[case]
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable(START)
        train_op = make().minimize(tf.reduce_sum(w**2))
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        np.testing.assert_allclose(sess.run(w), wanted, atol=2e-5)


@pytest.mark.parametrize("case", ["lazy", "adam", "momentum"])
def test_rows_without_a_gradient(case):
    """Lazy Adam and the decay leave them alone; the moments of Adam do so at first."""
    make, _ = CASES[case]
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable(START)
        train_op = make().minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2))
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        found = sess.run(w)
    assert found[1].tolist() == START[1]
    assert (np.abs(found[[0, 2]]) < np.array(START)[[0, 2]]).all()


@pytest.mark.parametrize("method", ["L-BFGS-B", "SLSQP", "CG"])
def test_scipy_finds_the_least_value(method):
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = tf.Variable([7.0, 7.0]), tf.Variable(2.0)
        loss = tf.reduce_sum((x - 3.0) ** 2) + (y + 1.0) ** 2
        seen = []
        optimizer = opt.ScipyOptimizerInterface(loss, method=method)
        sess.run(tf.global_variables_initializer())
        optimizer.minimize(sess, fetches=[loss], loss_callback=seen.append)
        found = sess.run([x, y])
    np.testing.assert_allclose(found[0], [3, 3], atol=1e-4)
    np.testing.assert_allclose(found[1], -1, atol=1e-4)
    assert seen[0] == 41 and min(seen) < 1e-6


def test_scipy_keeps_to_bounds():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.Variable([7.0, 7.0])
        optimizer = opt.ScipyOptimizerInterface(
            tf.reduce_sum(x**2), var_to_bounds={x: ([1, 2], np.inf)}
        )
        sess.run(tf.global_variables_initializer())
        optimizer.minimize(sess)
        assert sess.run(x).tolist() == [1, 2]
        with pytest.raises(ValueError, match="Bounds must be set using the var_to_bou"):
            opt.ScipyOptimizerInterface(tf.reduce_sum(x), bounds=[]).minimize(sess)
