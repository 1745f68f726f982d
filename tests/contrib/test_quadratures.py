"""Distributions that a quadrature stands for: numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

ds, linalg = tf.contrib.distributions, tf.linalg


def mixture(**more):
    scales = [
        linalg.LinearOperatorScaledIdentity(
            4, multiplier=np.float32(1.1), is_positive_definite=True
        ),
        linalg.LinearOperatorDiag(
            np.linspace(2.5, 3.5, 4, dtype=np.float32), is_positive_definite=True
        ),
    ]
    given = {
        "mix_loc": [[0.0], [1.0]], "temperature": [1.0], "scale": scales,
        "distribution": tf.distributions.Normal(0.0, 1.0),
        "loc": [None, np.float32([2.0] * 4)],
    }  # fmt: skip
    return ds.VectorDiffeomixture(**given | more)


@both
def test_vectors_between_two_maps(run):
    def build():
        d = mixture()
        x = tf.ones([2, 4])
        return d.mean()[:, 0], d.variance(), d.log_prob(x), d.sample(30000, seed=1)

    mean, variance, log_prob, drawn = run(build)
    np.testing.assert_allclose(mean, [1.0, 0.576], atol=1e-3)
    wanted = [[3.381, 4.034, 4.747, 5.521], [2.356, 2.671, 3.008, 3.367]]
    np.testing.assert_allclose(variance, wanted, atol=1e-3)
    np.testing.assert_allclose(log_prob, [-6.397, -5.796], atol=1e-3)
    np.testing.assert_allclose(drawn.mean(0)[:, 0], mean, atol=0.05)
    np.testing.assert_allclose(drawn.var(0), variance, rtol=0.05)


@both
def test_rates_that_are_spread(run):
    names = ("gauss_hermite", "quantiles")

    def build():
        return [
            (d.mean(), d.variance(), d.log_prob([1.0, 2.0]))
            for d in (
                ds.PoissonLogNormalQuadratureCompound(
                    [0.0, -0.5],
                    1.0,
                    10,
                    getattr(ds, f"quadrature_scheme_lognormal_{n}"),
                )
                for n in names
            )
        ]

    hermite, quantiles = run(build)
    np.testing.assert_allclose(hermite, [[1.649, 1.0], [6.319, 2.718],
                                         [-1.351, -2.169]], atol=1e-3)  # fmt: skip
    np.testing.assert_allclose(quantiles, [[5.938, 2.588], [63.052, 5.874],
                                           [-1.784, -1.541]], atol=1e-3)  # fmt: skip


def test_rates_whose_shape_a_run_knows():
    with tf.Graph().as_default(), tf.Session() as sess:
        loc = tf.placeholder_with_default([0.0, -0.5], None)
        d = ds.PoissonLogNormalQuadratureCompound(loc, 1.0, 10)
        mean, drawn = sess.run([d.mean(), d.sample(3, seed=1)])
        np.testing.assert_allclose(mean, [5.938, 2.588], atol=1e-3)
        assert drawn.shape == (3, 2)


def test_refusals():
    with pytest.raises(ValueError, match="Must specify list"):
        mixture(scale=None)
    with pytest.raises(ValueError, match="loc/scale must be same-length lists"):
        mixture(loc=[None])
    with pytest.raises(NotImplementedError, match="only bimixtures"):
        mixture(scale=[linalg.LinearOperatorIdentity(4)] * 3, loc=None)
    with pytest.raises(ValueError, match="is not at least one"):
        mixture(temperature=1.0, mix_loc=[0.0])
