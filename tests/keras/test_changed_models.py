"""Weights of a checkpoint in models that have changed since, or are not built yet."""

import numpy as np
import pytest

import twinflow as tf

K = tf.keras


class Row(K.Model):
    """Layers in a row, which make their weights at the first call."""

    def __init__(self):
        super().__init__()
        self.first, self.second = K.layers.Dense(3), K.layers.Dense(1)

    def call(self, x):
        return self.second(self.first(x))


def functional(*between):
    """Two layers with weights, and others between them."""
    x = K.layers.Input([2])
    y = K.layers.Dense(3)(x)
    for layer in between:
        y = layer(y)
    return K.Model(x, K.layers.Dense(1)(y))


@pytest.fixture(params=["graph", "eager"])
def saved(request, tmp_path):
    """(the prefix of a checkpoint, the weights in it)"""
    request.getfixturevalue(request.param)
    model, prefix = functional(), str(tmp_path / "weights")
    model.save_weights(prefix, save_format="tf")
    return prefix, model.get_weights()


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def test_layers_without_weights_may_come_and_go(saved):
    """Names by the number of a layer say something else then; those of the layers with
    weights come first."""
    prefix, weights = saved
    wider = functional(K.layers.Dropout(0.5), K.layers.Activation("relu"))
    wider.load_weights(prefix)
    assert same(wider.get_weights(), weights)
    wider.save_weights(prefix + "2", save_format="tf")
    narrow = functional()
    narrow.load_weights(prefix + "2")
    assert same(narrow.get_weights(), weights)


@pytest.mark.parametrize("loaded", ["before", "after"])
def test_layers_that_are_made_by_a_call_have_the_values_at_once(
    graph, tmp_path, loaded
):
    """In whatever way they are read: here without Keras's own functions."""
    x, prefix = tf.ones([2, 2]), str(tmp_path / "weights")
    with tf.Session() as sess:
        model = Row()
        y = model(x)
        sess.run(tf.global_variables_initializer())
        expected = sess.run(y)
        model.save_weights(prefix)
        other = Row()
        if loaded == "before":
            other.load_weights(prefix)
        z = other(x)
        if loaded == "after":
            other.load_weights(prefix)
        assert np.array_equal(sess.run(z), expected)
