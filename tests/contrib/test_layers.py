"""Targets, reversible layers, GDN of tf.contrib.layers: numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.layers.clipping import adaptive_clipping_fn
from twinflow.contrib.layers.normalization import poincare_normalize

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


def test_layers_of_the_first_names():
    x = tf.ones([5, 3])
    L.legacy_fully_connected(
        x, 4, weight_collections=["w"], bias_collections=["b"],
        output_collections=["o"], weight_regularizer=L.l2_regularizer(0.1), name="old",
    )  # fmt: skip
    names = {key: [v.name for v in tf.get_collection(key)] for key in "wbo"}
    assert names == {
        "w": ["old/weights:0"], "b": ["old/bias:0"], "o": ["old/BiasAdd:0"],
    }  # fmt: skip
    assert len(tf.losses.get_regularization_losses()) == 1
    assert not tf.contrib.framework.get_model_variables()
    with pytest.raises(ValueError, match="rank of x must be at least 2 not: 1"):
        L.legacy_relu(tf.ones([3]), 4)


def test_strides_and_rates_exclude_each_other():
    with pytest.raises(ValueError, match="strides > 1 not supported"):
        L.conv2d(tf.ones([1, 9, 9, 3]), 3, 3, stride=2, rate=2)


def test_norms_far_above_the_usual_are_clipped():
    v, grad = tf.Variable([1.0, 2.0]), tf.placeholder(tf.float32, [2])
    clipped = adaptive_clipping_fn(std_factor=2.0, decay=0.95)([(grad, v)])[0][0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [
            session.run(clipped, {grad: g})
            for g in ([1, 2], [1.1, 2], [100, 3], [1, 2])
        ]
    usual = np.linalg.norm(found[2])
    assert usual < 2 and np.allclose(found[2] / usual, np.float32([100, 3]) / 100.045)


def test_vectors_stay_in_the_ball():
    found = values_of(poincare_normalize(tf.constant([[3.0, 4.0], [0.3, 0.4]]), axis=1))
    np.testing.assert_allclose(found, [[0.599994, 0.799992], [0.3, 0.4]], 1e-6)


def test_what_is_computed_again_uses_the_same_variables():
    @L.recompute_grad(use_data_dep=True)
    def block(x):
        for _ in range(2):
            with tf.variable_scope(None, default_name="layer"):
                w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
                x = x * w
        return x

    with tf.variable_scope("all", use_resource=True):
        y = tf.reduce_sum(block(tf.constant([1.0, 2.0, 3.0])))
    variables = tf.trainable_variables()
    assert [v.op.name for v in variables] == ["all/layer/w", "all/layer_1/w"]
    found = values_of(tf.gradients(y, variables))
    np.testing.assert_allclose(found, [[1, 2, 3]] * 2)
    held = tf.constant(2.0)
    with pytest.raises(ValueError, match="closes over Tensor"):
        L.recompute_grad(lambda x: x * held)(tf.constant(1.0))
