"""What is drawn by trial has the right distribution, slopes and shapes."""

import numpy as np
import pytest
from scipy import special

import twinflow as tf
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.ops.random.truncated import parameterized_truncated_normal

N = 20_000
ALLOWED = 1.95 / np.sqrt(N)  # Kolmogorov and Smirnov: exceeded once in a thousand


@pytest.fixture(autouse=True)
def seeded():
    with dispatch.entered(MODE):
        tf.set_random_seed(11)
        yield
        tf.set_random_seed(None)


def distance(samples, cdf):
    """The largest difference between the distributions of the samples and of `cdf`."""
    x = np.sort(np.asarray(samples, np.float64))
    steps = np.arange(len(x) + 1) / len(x)
    p = cdf(x)
    return max(np.abs(p - steps[:-1]).max(), np.abs(p - steps[1:]).max())


@pytest.mark.parametrize("alpha", [0.1, 0.9, 1.0, 2.5, 100.0])
def test_gamma_is_gamma_distributed(alpha):
    x = tf.random_gamma([N], alpha, dtype=tf.float64).numpy()
    assert distance(x, lambda v: special.gammainc(alpha, v)) < ALLOWED


@pytest.mark.parametrize("rate", [0.3, 4.0, 9.9, 10.1, 200.0])
def test_poisson_is_poisson_distributed(rate):
    k = tf.random_poisson(rate, [N], dtype=tf.int64).numpy()
    values, counts = np.unique(k, return_counts=True)
    found = np.cumsum(counts) / N
    assert np.abs(found - special.pdtr(values, rate)).max() < ALLOWED


@pytest.mark.parametrize("bounds", [(-2.0, 2.0), (0.5, np.inf), (5.0, 5.5), (-9, -6)])
def test_truncated_normal_is_the_part_between_its_bounds(bounds):
    low, high = bounds
    x = parameterized_truncated_normal(
        [N], minvals=low, maxvals=high, dtype=tf.float64
    ).numpy()
    sign = -1 if low > 0 else 1  # the left tail is the exact one
    p, q = special.ndtr([sign * low, sign * high])
    assert x.min() >= low and x.max() <= high
    assert distance(x, lambda v: (special.ndtr(sign * v) - p) / (q - p)) < ALLOWED


def test_shapes_and_dtypes():
    x = tf.random_gamma([7, 5], [[1.0], [3.0], [5.0]], [3.0, 4.0])
    assert x.shape == (7, 5, 3, 2)
    assert tf.random_gamma([], 1.0, dtype=tf.float16).dtype is tf.float16
    assert tf.random_poisson([1.0, 2.0], [3], tf.int32).numpy().dtype == np.int32
    with pytest.raises(TypeError, match="int8 not in list of allowed values: float16"):
        tf.random_poisson(1.0, [2], tf.int8)


def test_gamma_moves_with_its_parameters():
    """E[x] = alpha / beta, and so is the mean of the slopes."""
    alpha, beta = tf.constant([0.5, 3.0]), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([alpha, beta])
        x = tf.random_gamma([N], alpha, beta)
        mean = tf.reduce_sum(tf.reduce_mean(x, 0))
    by_alpha, by_beta = tape.gradient(mean, [alpha, beta])
    np.testing.assert_allclose(by_alpha, [0.5, 0.5], atol=0.03)
    np.testing.assert_allclose(by_beta, -3.5 / 4, atol=0.03)


def test_one_seed_gives_one_sequence_in_every_mode():
    def drawn():
        return [
            tf.random_gamma([3], [0.5, 2.0], seed=5),
            tf.random_poisson([0.5, 20.0], [3], seed=6),
        ]

    eager = [t.numpy() for t in drawn()]
    tf.set_random_seed(11)
    function = [t.numpy() for t in tf.function(drawn)()]
    with tf.Graph().as_default():
        tf.set_random_seed(11)
        graph = tf.Session().run(drawn())
    for found in function, graph:
        for a, b in zip(eager, found, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)
