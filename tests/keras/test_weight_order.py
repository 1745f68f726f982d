"""The order of values and names of weights, and how they are loaded."""

import numpy as np

import twinflow as tf
from tests.modes import eager, graph

__all__ = ["eager", "graph"]


def _normalised():
    layers = tf.keras.layers
    inner = tf.keras.Sequential(
        [layers.Dense(2, input_shape=(3,)), layers.BatchNormalization()]
    )
    return tf.keras.Sequential([inner, layers.Dense(4)])


def test_values_of_weights_are_listed_layer_by_layer(eager):
    model = _normalised()
    assert [tuple(w.shape.as_list()) for w in model.weights] == [
        (3, 2), (2,), (2,), (2,), (2, 4), (4,), (2,), (2,),
    ]  # fmt: skip
    values = model.get_weights()
    found = [w.shape for w in values]
    assert found == [(3, 2), (2,), (2,), (2,), (2,), (2,), (2, 4), (4,)]
    model.set_weights([v + i for i, v in enumerate(values)])
    for i, (a, b) in enumerate(zip(values, model.get_weights(), strict=True)):
        np.testing.assert_array_equal(a + i, b)


def test_values_are_loaded_in_one_run(graph, monkeypatch):
    model = _normalised()
    session, runs = tf.keras.backend.get_session(), []
    run = session.run
    monkeypatch.setattr(session, "run", lambda *a, **k: runs.append(a) or run(*a, **k))
    model.set_weights([np.full(w.shape, 2.0) for w in model.get_weights()])
    assert len(runs) == 2
    for value in model.get_weights():
        np.testing.assert_array_equal(value, 2.0)


def test_names_begin_with_the_scope_around_the_call(eager):
    with tf.name_scope("outer"):
        dense = tf.keras.layers.Dense(2, name="dense")
        dense(tf.keras.Input((3,)))
    assert [w.name for w in dense.weights] == [
        "outer/dense/kernel:0",
        "outer/dense/bias:0",
    ]


def test_relu_up_to_6_is_one_op(graph):
    x = tf.placeholder(tf.float32, [None])
    assert tf.keras.activations.relu(x, max_value=6.0).op.type == "Relu6"
    assert tf.keras.layers.ReLU(6)(x).op.type == "Relu6"
    config = tf.keras.layers.ReLU(negative_slope=1).get_config()
    assert str((config["negative_slope"], config["threshold"])) == "(1.0, 0.0)"
