"""tf.contrib.losses.metric_learning.cluster_loss, with numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

cluster_loss = tf.contrib.losses.metric_learning.cluster_loss
RANDOM = np.random.RandomState(0)


def rows(count, kinds):
    x = RANDOM.randn(count, 4).astype("f")
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x, RANDOM.randint(0, kinds, (count, 1)).astype("i")


SMALL, MIDDLE = rows(6, 2), rows(9, 3)


@both
@pytest.mark.parametrize("margin", ["nmi", "ami", "ari", "vmeasure", "const"])
def test_clusters_as_the_labels_say_cost_nothing(run, margin):
    pytest.importorskip("sklearn")
    x, y = np.eye(2, dtype="f")[[0, 1, 0, 1]], [[0], [1], [0], [1]]
    assert run(lambda: cluster_loss(y, tf.constant(x), 1.0, margin_type=margin)) == 0


@both
@pytest.mark.parametrize(
    "data, finetuned, wanted",
    [(SMALL, True, 2.33976), (MIDDLE, True, 2.48112), (MIDDLE, False, 2.47455)],
)
def test_the_numbers_of_1_12(run, data, finetuned, wanted):
    x, y = data
    found = run(lambda: cluster_loss(y, tf.constant(x), 1.0, finetuned, "const"))
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_gradients():
    x, y = MIDDLE
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.constant(x)
        loss = cluster_loss(y, rows, 1.0, True, "const")
        found = session.run(tf.gradients(loss, rows)[0])
    np.testing.assert_allclose(np.abs(found).sum(), 19.7177, rtol=1e-5)


def test_an_unknown_margin():
    with pytest.raises(ValueError, match="Unrecognized margin_type: mse"):
        cluster_loss([[0]], tf.constant([[1.0]]), 1.0, margin_type="mse")
