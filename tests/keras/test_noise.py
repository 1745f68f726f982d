"""Noise and dropout: nothing when not training, and the right statistics when so."""

import numpy as np
import pytest

import twinflow as tf

K, L = tf.keras.backend, tf.keras.layers
NAMES = {
    "dropout": lambda: L.Dropout(0.3),
    "scoped dropout": lambda: tf.layers.Dropout(0.3),
    "gaussian noise": lambda: L.GaussianNoise(0.5),
    "gaussian dropout": lambda: L.GaussianDropout(0.3),
    "alpha dropout": lambda: L.AlphaDropout(0.3),
    "spatial 1": lambda: L.SpatialDropout1D(0.3),
    "spatial 2": lambda: L.SpatialDropout2D(0.3),
    "spatial 3": lambda: L.SpatialDropout3D(0.3),
}
RANKS = {"spatial 1": 3, "spatial 2": 4}  # 2000 channels: a share is within 4 %
named = pytest.mark.parametrize("name", NAMES)


def ones(name):
    """Ones; of as many axes as the layer needs."""
    return np.ones((200, *(2,) * (RANKS.get(name, 5) - 2), 10), "f")


def check(name, y):
    """Hold one draw on ones against the layer's distribution."""
    values = set(np.unique(y).round(5))
    if name == "gaussian noise":
        assert y.mean() == pytest.approx(1, abs=0.04)
        assert y.std() == pytest.approx(0.5, rel=0.05)
    elif name == "gaussian dropout":
        assert y.mean() == pytest.approx(1, abs=0.04)
        assert y.std() == pytest.approx(np.sqrt(0.3 / 0.7), rel=0.05)
    elif name == "alpha dropout":
        assert len(values) == 2
        dropped = (y == y.min()).mean()
        assert dropped == pytest.approx(0.3, abs=0.03)
    else:
        assert values == {0, np.float32(1 / 0.7).round(5)}
        assert (y == 0).mean() == pytest.approx(0.3, abs=0.04)
    if name.startswith("spatial"):  # whole channels
        inner = tuple(range(1, y.ndim - 1))
        assert (y.min(inner) == y.max(inner)).all()
        assert 0 < y.min(inner).mean() < 1.4


@named
def test_eagerly(eager, name):
    layer, x = NAMES[name](), ones(name)
    for silent in (layer(x), layer(x, training=False)):
        np.testing.assert_array_equal(silent, x)
    y = layer(x, training=True).numpy()
    check(name, y)
    assert (layer(x, training=True).numpy() != y).any()
    train = tf.contrib.eager.defun(lambda x: layer(x, training=True))
    y = train(tf.constant(x)).numpy()
    check(name, y)
    assert (train(tf.constant(x)).numpy() != y).any()


@named
def test_in_a_graph(graph, name):
    layer, x = NAMES[name](), tf.constant(ones(name))
    plain, silent, noisy = layer(x), layer(x, training=False), layer(x, training=True)
    given = tf.placeholder(tf.bool, [])
    chosen = layer(x, training=given)
    phase = K.learning_phase()
    with tf.Session() as session:
        for y in (plain, silent):
            np.testing.assert_array_equal(session.run(y), ones(name))
        check(name, session.run(noisy))
        check(name, session.run(chosen, {given: True}))
        np.testing.assert_array_equal(session.run(chosen, {given: False}), ones(name))
        y = session.run(plain, {phase: True})
        if name == "scoped dropout":  # tf.layers do not ask
            np.testing.assert_array_equal(y, ones(name))
        else:
            check(name, y)


def test_alpha_dropout_keeps_mean_and_variance(eager):
    tf.set_random_seed(3)
    x = np.random.RandomState(0).randn(400, 500).astype("f")
    y = L.AlphaDropout(0.2)(x, training=True).numpy()
    assert y.mean() == pytest.approx(0, abs=0.02)
    assert y.std() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("cell", ["SimpleRNN", "GRU", "LSTM"])
def test_a_sequence_has_one_mask(eager, cell):
    layer = getattr(L, cell)(3, dropout=0.5, recurrent_dropout=0.5)
    x = tf.ones([4, 5, 8])
    np.testing.assert_array_equal(layer(x), layer(x, training=False))
    a, b = (layer(x, training=True).numpy() for _ in range(2))
    assert (a != b).any()


def test_batch_normalization_of_tf_layers_does_not_ask(graph):
    x = tf.constant(np.random.RandomState(0).randn(8, 3).astype("f"))
    layer = tf.layers.BatchNormalization()
    y = layer(x)
    assert layer.updates == [] and not tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run([y, x], {K.learning_phase(): True})
    np.testing.assert_allclose(found[0], found[1] / np.sqrt(1.001), rtol=1e-5)
