"""Targets, reversible layers, GDN of tf.contrib.layers: numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf

L = tf.contrib.layers
LOGITS = [[1.0, 2.0, 3.0], [0.0, 1.0, -1.0], [2.0, 0.0, 0.0]]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def values_of(found):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.local_variables_initializer())
        return session.run(found)


def test_targets():
    features = {"w": tf.constant([[1.0], [2.0], [3.0]])}
    number = L.regression_target(weight_column_name="w")
    classes = L.multi_class_target(3, weight_column_name="w")
    two, labels = L.multi_class_target(2), tf.constant([1, 0, 2])
    found = values_of([
        number.loss(tf.constant([[1.0], [-2.0], [0.5]]), tf.range(1, 4), features),
        classes.loss(tf.constant(LOGITS), labels, features),
        classes.training_loss(tf.constant(LOGITS), labels, features),
        two.get_eval_ops({}, tf.constant(LOGITS)[:, :1], labels[:, None] > 0),
    ])  # fmt: skip
    np.testing.assert_allclose(found[:3], [8.458333, 1.8235754, 3.6471508], 1e-6)
    assert {"loss", "accuracy", "auc", "labels/prediction_mean"} < set(found[3])


def test_reversible_layers():
    x1, x2 = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.5, 1], [2, -1]])
    level = tf.constant_initializer(0.3)

    def f(x):
        return tf.layers.dense(x, 2, tf.tanh, kernel_initializer=level)

    def g(x):
        return tf.layers.dense(x, 2, kernel_initializer=level)

    y1, y2 = L.rev_block(x1, x2, f, g, num_layers=3)
    variables = tf.trainable_variables()
    assert variables[0].name == "revblock/revlayer_0/f/dense/kernel:0"
    assert len(variables) == 12
    slopes = tf.gradients(y1 + y2 * 2.0, [x1, x2, *variables])
    block = L.RevBlock(f, g, num_layers=2)
    back = block.backward(*block.forward(x1, x2))
    found = values_of([y1, slopes[0], slopes[2], *back, x1, x2])
    np.testing.assert_allclose(found[0][0], [3.20894, 4.20894], 1e-6)
    np.testing.assert_allclose(found[1][0], [5.1036625] * 2, 1e-5)
    np.testing.assert_allclose(found[2][0], [10.830054] * 2, 1e-5)
    np.testing.assert_allclose(found[3:5], found[5:], atol=1e-5)


def test_gdn_and_longer_gradients():
    x = tf.constant(np.arange(24).reshape(1, 2, 3, 4) - 10.0, tf.float32)
    y, z = L.gdn(x), L.gdn(x, inverse=True)
    slopes = tf.gradients(y, [x, *tf.trainable_variables()[:1]])
    scaled = tf.gradients(L.scale_gradient(x, 3.0), x)[0]
    found = values_of([y, z, *slopes, scaled])
    np.testing.assert_allclose(found[0].ravel()[:2], [-3.01511, -2.98347], 1e-5)
    np.testing.assert_allclose(found[1].ravel()[0], -33.16625, 1e-5)
    np.testing.assert_allclose(found[2].ravel()[0], 0.02741, 1e-3)
    np.testing.assert_allclose(found[3][1:], [0.0923, -0.19856, -0.49596], 1e-4)
    assert (found[4] == 3).all()
