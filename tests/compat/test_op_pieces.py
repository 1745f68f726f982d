"""What the door adds to modules of ops, by TensorFlow 1.12 and tf.gradients."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eagerly, in_graph
from twinflow.compat.door import op_pieces

R = np.random.RandomState(0)
X, DY = R.rand(2, 2, 3, 4).astype("f"), R.rand(2, 2, 3, 4).astype("f")


def test_reduced_shapes_and_vectors():
    calls = [
        (lambda: op_pieces.reduced_shape([2, 3, 4], [0, -1]), [1, 3, 1]),
        (lambda: op_pieces.strict_cumsum([1.0, 2.0, 3.0], 3), [1, 3, 6]),
        (lambda: op_pieces.strict_conv([1.0, 2.0, 3.0], [2.0, 3.0]), [8, 13, 6]),
    ]
    for call, wanted in calls:
        for mode in (eagerly, in_graph):
            np.testing.assert_allclose(mode(call), wanted)


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize("training", [True, False])
def test_gradients_of_batch_normalization(data_format, training):
    scale = np.arange(1, 5 if data_format == "NHWC" else 3).astype("f")
    kept = () if training else (scale * 0.1, scale)
    with tf.Graph().as_default(), tf.Session() as s:
        x, c, o = tf.constant(X), tf.constant(scale), tf.zeros_like(scale)
        y = tf.nn.fused_batch_norm(
            x, c, o, *kept, epsilon=0.01, data_format=data_format, is_training=training
        )[0]
        wanted = tf.gradients(y, [x, c, o], DY)
        found = op_pieces.batch_norm_grad(
            tf.constant(DY), x, c, scale * 0.1, scale, 0.01, data_format, training
        )
        for got, w in zip(*s.run([found, wanted]), strict=True):
            np.testing.assert_allclose(got, w, 1e-4, 1e-5)


@pytest.mark.parametrize("scales", [True, False])
def test_gradients_of_the_older_batch_normalization(scales):
    with tf.Graph().as_default(), tf.Session() as s:
        x = tf.constant(X)
        m, v, b, g = (tf.constant(R.rand(4).astype("f")) for _ in range(4))
        y = op_pieces.global_normalization(x, m, v, b, g, 0.01, scales)
        wanted = tf.gradients(y, [x, m, v, b, g], DY)
        found = op_pieces.global_normalization_grad(x, m, v, g, DY, 0.01, scales)
        for got, w in zip(*s.run([found, wanted]), strict=True):
            np.testing.assert_allclose(got, w, 1e-4, 1e-5)
