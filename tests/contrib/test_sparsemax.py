"""tf.contrib.sparsemax against a projection by bisection, and its slope."""

import numpy as np

import twinflow as tf
from tests.modes import both, in_graph

LOGITS = np.random.RandomState(0).randn(4, 5).astype(np.float32) * 2
LABELS = np.eye(5, dtype=np.float32)[:4]


def projected(row):
    low, high = row.min() - 1, row.max()
    for _ in range(60):
        middle = (low + high) / 2
        high, low = (middle, low) if np.maximum(row - middle, 0).sum() < 1 else (
            high, middle,
        )  # fmt: skip
    return np.maximum(row - low, 0)


@both
def test_it_is_the_nearest_point_of_the_simplex(run):
    found = run(lambda: tf.contrib.sparsemax.sparsemax(LOGITS))
    expected = [projected(row.astype(np.float64)) for row in LOGITS]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_slope_of_the_loss():
    def build():
        z = tf.constant(LOGITS)
        p = tf.contrib.sparsemax.sparsemax(z)
        loss = tf.contrib.sparsemax.sparsemax_loss(z, p, LABELS)
        return p, loss, tf.gradients(loss, z)[0]

    p, loss, slope = in_graph(build)
    np.testing.assert_allclose(slope, p - LABELS, atol=1e-5)
    assert (loss >= 0).all() and loss.shape == (4,)
