"""tf.layers beyond the golden programs: eager mode, functions, copies, formats."""

import copy

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer

__all__ = ["eager"]


def ramp(*shape):
    return np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def test_a_layer_trains_in_a_function(eager):
    layer = tf.layers.Dense(1, kernel_initializer=tf.zeros_initializer())
    x, y = tf.constant(ramp(8, 2)), tf.constant(ramp(8, 1)) * 2
    loss = tf.contrib.eager.defun(lambda: tf.losses.mean_squared_error(y, layer(x)))
    first = loss().numpy()
    for _ in range(20):
        with tf.GradientTape() as tape:
            value = loss()
        for v, dv in zip(layer.variables, tape.gradient(value, layer.variables),
                         strict=True):  # fmt: skip
            v.assign_sub(0.3 * dv)
    assert loss().numpy() < first / 10


def test_functions_share_through_a_store(eager):
    store = tf.contrib.eager.EagerVariableStore()
    for _ in range(2):
        with store.as_default():
            tf.layers.dense(tf.ones([1, 2]), 3, name="d")
    names = sorted(v.name for v in store.variables())
    assert names == ["d/bias:0", "d/kernel:0"]


@pytest.mark.parametrize(
    ("cls", "shape", "options"),
    [
        (tf.layers.Conv1D, (2, 6, 3), {"strides": 2}),
        (tf.layers.Conv2D, (2, 6, 5, 3), {"padding": "same"}),
        (tf.layers.Conv3D, (1, 4, 4, 5, 2), {}),
        (tf.layers.Conv2DTranspose, (2, 3, 4, 3), {"strides": 2}),
        (tf.layers.SeparableConv1D, (2, 6, 3), {}),
        (tf.layers.SeparableConv2D, (2, 5, 6, 3), {}),
    ],
)
def test_channels_first_is_the_same_transposed(eager, cls, shape, options):
    options["bias_initializer"] = tf.constant_initializer([0.5, -1.0])
    x = ramp(*shape)
    last = cls(2, 3, **options)
    wanted = last(tf.constant(x)).numpy()
    first = cls(2, 3, data_format="channels_first", **options)
    moved = np.ascontiguousarray(np.moveaxis(x, -1, 1))
    first(tf.constant(moved))
    for a, b in zip(first.variables, last.variables, strict=True):
        a.assign(b)
    found = np.moveaxis(first(tf.constant(moved)).numpy(), 1, -1)
    np.testing.assert_allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize("cls", [tf.layers.MaxPooling1D, tf.layers.AveragePooling1D])
def test_pooling_of_channels_first(eager, cls):
    x = ramp(2, 6, 3)
    wanted = cls(2, 2)(tf.constant(x)).numpy()
    found = cls(2, 2, data_format="channels_first")(tf.constant(np.moveaxis(x, 2, 1)))
    np.testing.assert_array_equal(np.moveaxis(found.numpy(), 1, 2), wanted)


def test_copies_keep_the_scope():
    with tf.Graph().as_default():
        layer = ScopedLayer(name="mine")
        layer.extra = tf.ones([2])
        layer(tf.ones([2]))
        other = copy.deepcopy(layer)
    assert other.scope_name == "mine"
    assert other.extra is layer.extra


def test_a_layer_stays_in_its_graph():
    layer = tf.layers.Dense(2)
    with tf.Graph().as_default() as graph:
        layer(tf.ones([1, 2]))
        assert layer.graph is graph
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="Input graph and Layer graph"),
    ):
        layer(tf.ones([1, 2]))


def test_frozen_batch_normalization_updates_nothing():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 3])
        tf.layers.batch_normalization(x, training=True, trainable=False)
        assert tf.get_collection(tf.GraphKeys.UPDATE_OPS) == []
        tf.layers.batch_normalization(x, training=True)
        assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 2
