"""tf.contrib.bayesflow: means over samples, and numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

mc = tf.contrib.bayesflow.monte_carlo


def test_both_gradients_of_an_expectation():
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.constant(1.0)
        x, d = tf.constant([0.1, 0.5, 0.9]) * p, tf.distributions.Normal(p, 1.0)
        through = mc.expectation(tf.square, x)
        score = mc.expectation(tf.square, x, d.log_prob, False, keep_dims=True)
        slopes = tf.gradients(through, p) + tf.gradients(score, p)
        found = session.run([through, score, *slopes])
    np.testing.assert_allclose(found[0], 0.35666667, 1e-6)
    np.testing.assert_allclose(found[1], [0.35666667], 1e-6)
    np.testing.assert_allclose(found[2:], [0.7133333, -0.07166666], 1e-5)


@both
def test_importance_weights(run):
    z = np.random.RandomState(0).randn(2000).astype(np.float32) + 0.5

    def build():
        p, q = (tf.distributions.Normal(m, 1.0) for m in (0.0, 0.5))
        args = p.log_prob, q, tf.constant(z)
        return [
            mc.expectation_importance_sampler(lambda z: z, *args),
            mc.expectation_importance_sampler_logspace(lambda z: z, *args),
        ]

    found = run(build)
    weights = np.exp(-(z**2) / 2 + (z - 0.5) ** 2 / 2)
    np.testing.assert_allclose(found[0], np.mean(weights * z), rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(found[1], np.log(np.mean(weights * np.exp(z))), 1e-5)


def test_refusals():
    normal = tf.distributions.Normal(0.0, 1.0)
    with pytest.raises(ValueError, match='exactly one of arguments "n" and "z"'):
        mc.expectation_importance_sampler(abs, normal.log_prob, normal)
    with pytest.raises(ValueError, match="`f` must be a callable function"):
        mc.expectation(3, 1.0)
    with pytest.raises(ValueError, match="`log_prob` must be a callable function"):
        mc.expectation(abs, 1.0, use_reparametrization=False)
