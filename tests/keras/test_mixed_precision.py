"""Policies: layers compute in half precision, their variables stay float32."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph

__all__ = ["eager", "graph"]
keras, layers = tf.keras, tf.keras.layers
mixed = tf.keras.mixed_precision.experimental
X = np.random.RandomState(0).rand(32, 6).astype(np.float32)
Y = X.sum(1, keepdims=True) / 3


@pytest.fixture
def policy():
    yield mixed.set_policy
    mixed.set_policy(None)


def test_what_a_policy_says():
    for name in ("mixed_float16", "mixed_bfloat16"):
        found = mixed.Policy(name)
        assert (found.name, found.variable_dtype) == (name, "float32")
        assert found.compute_dtype == name.removeprefix("mixed_")
    assert mixed.Policy("float64").compute_dtype == "float64"
    assert mixed.global_policy().name == "float32"
    with pytest.raises(ValueError, match="Valid policies include"):
        mixed.Policy("mixed")


def model(last="float32"):
    return keras.Sequential([
        layers.Dense(16, "tanh", kernel_initializer=start(0), input_shape=(6,)),
        layers.BatchNormalization(),
        layers.Dense(1, kernel_initializer=start(1), dtype=last),
    ])  # fmt: skip


def start(seed):
    return keras.initializers.RandomNormal(stddev=0.3, seed=seed)


def losses(optimizer, steps=10):
    made = model()
    made.compile(optimizer, "mse")
    history = made.fit(X, Y, batch_size=32, epochs=steps, verbose=0, shuffle=False)
    assert {v.dtype.base_dtype for v in made.weights} == {tf.float32}
    return history.history["loss"]


@pytest.mark.parametrize("name", ["mixed_float16", "mixed_bfloat16"])
def test_losses_are_near_those_of_float32(name, policy, eager_or_graph):
    make = lambda: tf.train.MomentumOptimizer(0.05, 0.9)
    whole = losses(make())
    policy(name)
    half = losses(mixed.LossScaleOptimizer(make(), 128.0))
    tolerance = 0.02 if name == "mixed_float16" else 0.1
    np.testing.assert_allclose(half, whole, rtol=tolerance, atol=tolerance / 10)
    assert half != whole  # it was half precision indeed
    assert half[-1] < half[0] / 3


@pytest.fixture(params=["eager", "graph"])
def eager_or_graph(request):
    request.getfixturevalue(request.param)


def test_dtypes(policy, eager_or_graph):
    policy("mixed_bfloat16")
    x = tf.constant(X)
    dense = layers.Dense(3)
    assert dense(x).dtype == tf.bfloat16
    assert dense.kernel.dtype.base_dtype == tf.float32
    assert (dense.dtype, dense.get_config()["dtype"]) == ("float32", "mixed_bfloat16")
    assert layers.Dense.from_config(dense.get_config())(x).dtype == tf.bfloat16
    assert layers.BatchNormalization()(x).dtype == tf.bfloat16
    words = tf.constant([[1, 2], [3, 0]])
    assert layers.Embedding(5, 4)(words).dtype == tf.bfloat16
    assert layers.LSTM(3)(tf.ones([2, 4, 3])).dtype == tf.bfloat16
    assert layers.Bidirectional(layers.GRU(3))(tf.ones([2, 4, 3])).dtype == tf.bfloat16
    images = tf.ones([1, 8, 8, 3])
    assert layers.Conv2D(4, 3)(images).dtype == tf.bfloat16
    assert layers.Dense(3, dtype="float32")(dense(x)).dtype == tf.float32
    assert tf.layers.dense(x, 3).dtype == tf.float32  # which has no policies
    assert layers.Dense(2, dtype=mixed.Policy("mixed_float16"))(x).dtype == tf.float16


def test_gradients_are_float32(policy, eager):
    policy("mixed_float16")
    dense = layers.Dense(3)
    x = tf.constant(X)

    def slopes(call):
        with tf.GradientTape() as tape:
            y = call(x)
            loss = tf.reduce_sum(tf.cast(y, tf.float32))
        return y, tape.gradient(loss, dense.weights)

    dense(x)
    traced = tf.contrib.eager.defun(dense.call)
    for call in (dense, traced):
        y, found = slopes(call)
        assert y.dtype == tf.float16
        assert [g.dtype for g in found] == [tf.float32, tf.float32]
        want = np.repeat(X.sum(0, keepdims=True).T, 3, 1)
        np.testing.assert_allclose(found[0].numpy(), want, rtol=2e-2)


def test_weights_are_saved_as_float32(policy, eager, tmp_path):
    policy("mixed_float16")
    made, other = model(), model()
    made(tf.constant(X)), other(tf.constant(X))
    tf.train.Checkpoint(model=made).save(str(tmp_path / "ckpt"))
    latest = tf.train.latest_checkpoint(str(tmp_path))
    tf.train.Checkpoint(model=other).restore(latest).assert_consumed()
    for a, b in zip(made.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == np.float32


def test_scales(eager):
    adam = tf.train.AdamOptimizer(0.01)
    assert float(mixed.LossScaleOptimizer(adam).loss_scale) == 2.0**15
    with pytest.raises(ValueError, match="a number of at least 1"):
        mixed.LossScaleOptimizer(adam, "often")
    with pytest.raises(TypeError, match=r"must be a tf\.train\.Optimizer"):
        mixed.LossScaleOptimizer(keras.optimizers.Adam())
