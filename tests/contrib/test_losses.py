"""tf.contrib.losses and its metric learning against numbers of TensorFlow 1.12."""

import numpy as np

import twinflow as tf
from tests.modes import both

_DRAWS = np.random.RandomState(0)
ANCHORS = _DRAWS.normal(size=(8, 3)).astype("f")
MATCHES = _DRAWS.normal(size=(8, 3)).astype("f")
LABELS = np.array([0, 1, 2, 0, 1, 2, 3, 0])
PAIRS = [1, 0, 1, 0, 1, 0, 0, 1]


def _metric_losses():
    losses = tf.contrib.losses.metric_learning
    several = [tf.SparseTensor([[0, k]], [1], [1, 4]) for k in LABELS.tolist()]
    several[0] = tf.SparseTensor([[0, 0], [0, 1]], [1, 1], [1, 4])
    return [
        losses.contrastive_loss(PAIRS, ANCHORS, MATCHES),
        losses.triplet_semihard_loss(LABELS, ANCHORS),
        losses.triplet_semihard_loss(LABELS, ANCHORS, 0.3),
        losses.lifted_struct_loss(LABELS, ANCHORS),
        losses.npairs_loss(LABELS, ANCHORS, MATCHES, 0.1),
        losses.npairs_loss_multilabel(several, ANCHORS, MATCHES),
    ]


@both
def test_metric_learning(run):
    wanted = [2.019555, 0.2125524, 0.0352098, 7.0946016, 3.5081043, 3.157039]
    np.testing.assert_allclose(run(_metric_losses), wanted, rtol=2e-6)


def test_rows_share_the_smaller_label():
    """Recorded from TensorFlow 1.12."""
    codes = np.random.RandomState(0).randn(8, 3).astype("f")
    rows = [
        tf.SparseTensor([[0, 0], [0, 1]], found, [1, 3])
        for found in 2 * [[0, 2], [1, 2]]
    ]
    losses = tf.contrib.losses.metric_learning
    loss = losses.npairs_loss_multilabel(rows, codes[:4], codes[4:], reg_lambda=0.0)
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(loss), 1.8409598, rtol=1e-6)


def test_slopes():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(ANCHORS)
        losses = tf.contrib.losses.metric_learning
        made = (
            losses.triplet_semihard_loss(LABELS, x),
            losses.lifted_struct_loss(LABELS, x),
        )
        found = session.run([tf.gradients(loss, x)[0][0] for loss in made])
    np.testing.assert_allclose(found[0], [0.3145999, 0.1180711, -0.2992042], 2e-5)
    np.testing.assert_allclose(found[1], [0.3983065, -0.1319323, -0.0809744], 2e-5)


def _weighted():
    p, y = [[4.0, 8.0, 12.0], [8.0, 1.0, 3.0]], [[1.0, 9.0, 2.0], [-5.0, -2.0, 6.0]]
    losses = tf.contrib.losses
    return [
        losses.absolute_difference(p, y),
        losses.absolute_difference(p, y, [1.2, 0.0]),
        losses.absolute_difference(p, y, [[3.0, 6.0, 5.0], [0.0, 4.0, 2.0]]),
        losses.mean_squared_error(p, y, [0.0, 0.0]),
        losses.mean_pairwise_squared_error(p, y),
        losses.cosine_distance([[1.0, 0.0], [0.6, 0.8]], [[0.0, 1.0], [0.6, 0.8]], 1),
    ]


@both
def test_weights_stand_for_whole_examples(run):
    wanted = [5.5, 5.6, 16.6, 0.0, 128.44444, 0.5]
    np.testing.assert_allclose(run(_weighted), wanted, rtol=1e-6, atol=1e-6)
