"""tf.contrib.constrained_optimization: the steps of TensorFlow 1.12, and choices."""

import numpy as np
import pytest

import twinflow as tf

co = tf.contrib.constrained_optimization


class Problem(co.ConstrainedMinimizationProblem):
    def __init__(self, proxy):
        start = np.array([0.5, -1.0], np.float32)
        self.w, self.proxy = tf.get_variable("w", initializer=start), proxy

    @property
    def objective(self):
        return tf.reduce_sum((self.w - 2.0) ** 2)

    @property
    def constraints(self):
        return tf.stack([self.w[0] - 1.0, self.w[1] * 2.0 + 0.5])

    @property
    def proxy_constraints(self):
        return self.constraints * 1.5 if self.proxy else None


CASES = [
    (co.AdditiveExternalRegretOptimizer, {}, False, [1.3852, 0.758],
     [0.0272, 0.2088]),
    (co.AdditiveExternalRegretOptimizer, {"maximum_multiplier_radius": 0.4}, True,
     [1.3856, 0.6512], [0.0, 0.4]),
    (co.AdditiveSwapRegretOptimizer, {}, True, [1.3568, 0.6573],
     [[0.363, 1.0, 0.9062], [0, 0, 0], [0.637, 0.0, 0.0938]]),
    (co.MultiplicativeSwapRegretOptimizer,
     {"minimum_multiplier_radius": 0.01, "initial_multiplier_radius": 0.5}, True,
     [1.1434, 0.3273],
     [[-0.2335, -0.355, -0.3587], [-2.1007, -1.8488, -1.836],
      [-2.4552, -1.956, -1.9523]]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "proxy", "w", "state"), CASES)
def test_steps_are_those_of_tensorflow(kind, settings, proxy, w, state):
    sgd = tf.train.GradientDescentOptimizer
    with tf.Graph().as_default(), tf.Session() as sess:
        optimizer = kind(sgd(0.1), sgd(0.7) if proxy else None, **settings)
        step = optimizer.minimize(
            Problem(proxy), global_step=tf.train.get_or_create_global_step()
        )
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            sess.run(step)
        *_, last = tf.global_variables()
        np.testing.assert_allclose(sess.run(tf.trainable_variables()[0]), w, atol=2e-4)
        np.testing.assert_allclose(sess.run(last), state, atol=2e-4)
        assert sess.run(tf.train.get_global_step()) == 4


def test_some_steps_go_without_constraints():
    with tf.Graph().as_default(), tf.Session() as sess:
        optimizer = co.AdditiveExternalRegretOptimizer(
            tf.train.GradientDescentOptimizer(0.1)
        )
        problem, step = Problem(False), tf.train.get_or_create_global_step()
        with pytest.raises(ValueError, match="global_step cannot be None"):
            optimizer.minimize(problem, unconstrained_steps=3)
        op = optimizer.minimize(problem, unconstrained_steps=3, global_step=step)
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(op)
        assert not sess.run(tf.global_variables()[-1]).any()
        sess.run(op)
        assert sess.run(tf.global_variables()[-1]).any()


def test_candidates_are_chosen():
    objectives = np.array([3.0, 2.0, 1.0, 0.0])
    constraints = np.array([[-1.0, 0.1, 0.5, 0.2], [0.0, 0.2, -0.1, 0.3]])
    assert co.find_best_candidate_index(objectives, constraints) == 0
    mixture = co.find_best_candidate_distribution(objectives, constraints)
    assert mixture.sum() == pytest.approx(1.0)
    assert (constraints @ mixture <= 1e-9).all()
    assert objectives @ mixture < 3.0
    least = co.find_best_candidate_distribution(objectives[:3], [[1.0, 0.1, 0.5]])
    np.testing.assert_allclose(least, [0, 1, 0], atol=1e-9)
    with pytest.raises(ValueError, match="must have shape"):
        co.find_best_candidate_index(objectives, constraints[:, :2])
