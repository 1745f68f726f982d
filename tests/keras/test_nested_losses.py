"""Losses and updates of models that other models use, in graphs and eagerly."""

import numpy as np
import pytest

import twinflow as tf

K = tf.keras


def parts():
    """Weights whose squares make 9, and averages that a step moves."""
    squares = K.regularizers.l2(1.0)
    dense = K.layers.Dense(3, kernel_initializer="ones", kernel_regularizer=squares)
    return [dense, K.layers.BatchNormalization(momentum=0.5)]


def functional(*layers):
    x = y = K.layers.Input([3])
    for layer in layers:
        y = layer(y)
    return K.Model(x, y)


def subclassed(*layers):
    class Row(K.Model):
        def __init__(self):
            super().__init__()
            self.row = list(layers)
            for i, layer in enumerate(layers):
                setattr(self, f"layer{i}", layer)

        def call(self, x):
            for layer in self.row:
                x = layer(x)
            return x

    return Row()


def sequential(*layers):
    class_ = K.models.Sequential
    return class_([K.layers.InputLayer([3]), *layers])


def twice(layer):
    x = K.layers.Input([3])
    return K.Model(x, K.layers.add([layer(x), layer(x)]))


KINDS = [functional, sequential, subclassed]
AROUND = {
    "alone": lambda model: model,
    "functional": functional,
    "sequential": sequential,
    "subclassed": subclassed,
    "twice": twice,
    "deep": lambda model: functional(functional(model)),
    "mixed": lambda model: functional(sequential(subclassed(model))),
}


def trained(kind, around):
    """The model after a step on ones, and the loss of that step."""
    inner = kind(*parts())
    model = AROUND[around](inner)
    model.compile(tf.train.GradientDescentOptimizer(0.0), "mse")
    loss = model.train_on_batch(np.ones([2, 3]), np.zeros([2, 3]))
    return model, loss, inner.layers[-1].get_weights()[2]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_a_step_has_the_losses_and_updates_of_all_parts(request, mode, kind, around):
    request.getfixturevalue(mode)
    model, loss, averages = trained(kind, around)
    assert loss == pytest.approx(9.0) and len(model.losses) == 1
    assert averages.tolist() == [2.25 if around == "twice" else 1.5] * 3


@pytest.mark.parametrize("around", AROUND)
def test_what_holds_regardless_and_what_depends_on_inputs(graph, around):
    model = trained(functional, around)[0]
    assert len(model.get_losses_for(None)) == 1 and not model.get_updates_for(None)
    if around not in ("subclassed", "mixed"):
        assert len(model.updates) == (4 if around == "twice" else 2)
        assert len(model.get_updates_for(model.inputs)) == len(model.updates)
    assert not model.get_losses_for(tf.placeholder(tf.float32))
