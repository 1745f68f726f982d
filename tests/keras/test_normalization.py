"""BatchNormalization against TensorFlow 1.12, in all modes."""

import numpy as np
import pytest

from tests.keras.test_layers import nearly, ramp
from tests.modes import both, close
from twinflow.autodiff.tape import GradientTape
from twinflow.base.dtypes import float64
from twinflow.execute.function import defun
from twinflow.execute.session import Session
from twinflow.keras import Model, Sequential, backend, layers
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.variables.collections import global_variables_initializer


def inputs(*shape):
    return (ramp(*shape) ** 2 + ramp(*shape, low=0, high=2)).astype(np.float32)


# shape, options; the first row of channels of y, moving mean and variance after two
# steps, and the first row of channels with the moving averages.
TABLE = [
    (
        (4, 3), {}, [-0.45536685, -0.7664913, -0.92577404],
        [0.024340495, 0.027300825, 0.031576864], [0.9848586, 0.98926234, 0.9956234],
        [0.98263216, 0.82798, 0.7382656],
    ),
    (
        (2, 3, 2, 2), {}, [-0.502116, -0.6673551], [0.026244905, 0.02797534],
        [0.98883176, 0.99155337], [0.9787439, 0.89597183],
    ),
    (
        (2, 3, 2, 2), {"fused": False}, [-0.5021161, -0.66735494],
        [0.026244927, 0.027975362], [0.98810416, 0.9905989], [0.97910374, 0.89640284],
    ),
    (
        (2, 3, 4), {"axis": 1}, [-0.28332376, -0.69365454, -1.0258269, -1.2798414],
        [0.020990927, 0.025505101, 0.034834407], [0.9808251, 0.985911, 0.99642193],
        [0.9880289, 0.90790236, 0.84303796, 0.7934358],
    ),
    (
        (2, 2, 2, 3), {"axis": [1, 3], "momentum": 0.8},
        [-0.28986597, -0.60060215, -0.7660651],
        [[[[0.382457, 0.394707, 0.412401]], [[0.537618, 0.582533, 0.632892]]]],
        [[[[0.656313, 0.670485, 0.690955]], [[0.835819, 0.887781, 0.946041]]]],
        [0.76169413, 0.64177585, 0.5336758],
    ),
    (
        (2, 3, 2, 2), {"momentum": 0.5, "epsilon": 1e-2, "center": False},
        [-0.49660438, -0.66174525], [0.9891305, 1.054348], [0.5790869, 0.68165946],
        [0.01416185, -0.16081443],
    ),
]  # fmt: skip
table = pytest.mark.parametrize(("shape", "options", "y", "mean", "var", "test"), TABLE)


def hold(found, y, mean, var, test):
    for array, wanted in zip(found, (y, mean, var, test), strict=True):
        nearly(array, wanted)


def first(array):
    return np.reshape(array, (-1, array.shape[-1]))[0]


@table
def test_eagerly(eager, shape, options, y, mean, var, test):
    layer, x = layers.BatchNormalization(**options), constant(inputs(*shape))
    for _ in range(2):
        out = layer(x, training=True)
    found = [layer.moving_mean.numpy(), layer.moving_variance.numpy()]
    hold([first(out.numpy()), *found, first(layer(x).numpy())], y, mean, var, test)


@table
def test_in_a_function(eager, shape, options, y, mean, var, test):
    layer, x = layers.BatchNormalization(**options), constant(inputs(*shape))
    train = defun(lambda x: layer(x, training=True))
    for _ in range(2):
        out = train(x)
    found = [layer.moving_mean.numpy(), layer.moving_variance.numpy()]
    infer = defun(lambda x: layer(x, training=False))
    hold([first(out.numpy()), *found, first(infer(x).numpy())], y, mean, var, test)


@table
def test_in_a_graph(graph, shape, options, y, mean, var, test):
    layer, x = layers.BatchNormalization(**options), constant(inputs(*shape))
    out = layer(x, training=True)
    updates = layer.get_updates_for(x)
    later = layer(x, training=False)
    assert layer.get_updates_for(None) == []
    assert layer.updates == updates
    assert [u.name for u in updates] == [
        "batch_normalization/AssignMovingAvg/AssignSubVariableOp",
        "batch_normalization/AssignMovingAvg_1/AssignSubVariableOp",
    ]
    moving = [layer.moving_mean, layer.moving_variance]
    with Session() as session:
        session.run(global_variables_initializer())
        plain = session.run(out)
        assert (session.run(layer.moving_mean) == 0).all()
        for _ in range(2):
            session.run(updates)
        found = [*session.run(moving), first(session.run(later))]
    hold([first(plain), *found], y, mean, var, test)


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 2, 2)])
def test_the_learning_phase_decides_in_a_graph(graph, shape):
    layer, x = layers.BatchNormalization(), placeholder("float32", shape)
    y, phase = layer(x), backend.learning_phase()
    updates = layer.get_updates_for(x)
    assert len(updates) == 2
    with Session() as session:
        session.run(global_variables_initializer())
        feed = {x: inputs(*shape)}
        tested, _ = session.run([y, updates], feed)
        close(session.run(layer.moving_mean), np.zeros(shape[-1]), 0)
        nearly(tested, feed[x] / np.sqrt(1.001))
        trained, _ = session.run([y, updates], {**feed, phase: True})
        assert abs(trained.mean()) < 1e-6
        assert (session.run(layer.moving_mean) > 0.01).all()


def test_names_and_order(eager):
    layer = layers.BatchNormalization()
    layer(constant(inputs(4, 3)))
    assert [v.name for v in layer.variables] == [
        f"batch_normalization/{n}:0"
        for n in ("gamma", "beta", "moving_mean", "moving_variance")
    ]
    assert [v.trainable for v in layer.variables] == [True, True, False, False]


@both
def test_a_model_returns_the_updates_of_its_layers(run):
    class Net(Model):
        def __init__(self):
            super().__init__()
            self.dense, self.norm = layers.Dense(2), layers.BatchNormalization()

        def call(self, x, training=None):
            return self.norm(self.dense(x), training=training)

    def build():
        net, x = Net(), constant(inputs(4, 3))
        y = net(x, training=True)
        if y.symbolic:
            assert len(net.get_updates_for(x)) == len(net.updates) == 2
            other = constant(1.0)
            assert net.get_updates_for(other) == []
            with y.graph.control_dependencies(net.get_updates_for(x)):
                return identity(y)
        assert net.updates == []
        assert (net.norm.moving_variance.numpy() != 1).all()
        with pytest.raises(RuntimeError, match="not supported in Eager mode"):
            net.get_updates_for(x)
        return y

    assert abs(run(build).mean()) < 1e-5


def test_a_sequential_passes_training_on(eager):
    net = Sequential([layers.Dense(2), layers.BatchNormalization()])
    y = net(constant(inputs(4, 3)), training=True)
    assert abs(y.numpy().mean()) < 1e-5
    assert (net.layers[1].moving_mean.numpy() != 0).any()


def test_gradients_ignore_the_moving_averages(eager):
    layer, x = layers.BatchNormalization(), constant(inputs(2, 3, 2, 2))
    with GradientTape() as tape:
        y = layer(x, training=True)
        total = reduce_sum(y**2)
    d_gamma, d_beta = tape.gradient(total, layer.trainable_variables)
    nearly(d_gamma.numpy(), 2 * (y.numpy() ** 2).sum((0, 1, 2)))
    np.testing.assert_allclose(d_beta.numpy(), [0, 0], atol=1e-4)


def test_bad_axes(eager):
    with pytest.raises(ValueError, match="Invalid axis: 7"):
        layers.BatchNormalization(axis=7)(constant(inputs(4, 3)))
    with pytest.raises(ValueError, match="Duplicate axis"):
        layers.BatchNormalization(axis=[1, -1])(constant(inputs(4, 3)))
    with pytest.raises(ValueError, match="contains keys not in"):
        layers.BatchNormalization(renorm=True, renorm_clipping={"a": 1})


def test_images_of_doubles(eager):
    x = constant(np.random.RandomState(0).randn(2, 3, 3, 2))
    layer = layers.BatchNormalization(momentum=0.5)
    y = layer(x, training=True)
    assert y.dtype is float64
    want = x.numpy().mean((0, 1, 2)) / 2
    np.testing.assert_allclose(layer.moving_mean.numpy(), want, rtol=1e-12)
