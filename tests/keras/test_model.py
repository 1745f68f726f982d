"""Models: subclasses, trees, sequences, and their errors."""

import copy
import pickle

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from twinflow.autodiff.tape import GradientTape
from twinflow.base.shapes import TensorShape
from twinflow.execute.function import defun
from twinflow.keras import Model, Sequential, layers, optimizers
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.creation import ones
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.softmax import softmax
from twinflow.ops.variables.resource import ResourceVariable as Variable
from twinflow.train import AdamOptimizer

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


class OneLayerNet(Model):
    def __init__(self):
        super().__init__()
        self.fc = layers.Dense(2)

    def call(self, x):
        return self.fc(x)


class TwoLayersNet(Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Dense(3, activation=relu)
        self.second = layers.Dense(2)

    def call(self, x):
        return self.second(self.first(x))


class FiveLayersNet(Model):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = TwoLayersNet(), TwoLayersNet(), OneLayerNet()

    def call(self, x):
        return self.c(self.b(self.a(x)))


def test_a_seeded_model_starts_equal_in_every_mode(eager):
    def eagerly():
        return FiveLayersNet()(ones([2, 3])).numpy()

    def as_function(function_of):
        net = FiveLayersNet()
        return defun(function_of(net))(ones([2, 3])).numpy()

    def in_graph():
        with tf.Graph().as_default():
            tf.set_random_seed(7)
            y = FiveLayersNet()(ones([2, 3]))
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                return session.run(y)

    ways = (eagerly, lambda: as_function(lambda net: net),
            lambda: as_function(lambda net: net.call), in_graph)  # fmt: skip
    found = []
    for way in ways:
        tf.keras.backend.clear_session()
        tf.set_random_seed(7)
        found.append(way())
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


@both
def test_models_nest_as_a_tree(run):
    def build():
        net = FiveLayersNet()
        assert net.variables == []
        y = net(constant(X))
        parts = [
            "two_layers_net/dense", "two_layers_net/dense_1",
            "two_layers_net_1/dense_2", "two_layers_net_1/dense_3",
            "one_layer_net/dense_4",
        ]  # fmt: skip
        assert [v.name for v in net.variables] == [
            f"five_layers_net/{part}/{kind}:0"
            for part in parts
            for kind in ("kernel", "bias")
        ]
        assert net.layers == [net.a, net.b, net.c]
        assert net.get_layer("one_layer_net") is net.c is net.get_layer(index=2)
        return y

    assert run(build).shape == (2, 2)


class MNISTModel(Model):
    def __init__(self):
        super().__init__()
        self.dense1, self.dense2 = layers.Dense(units=10), layers.Dense(units=10)

    def call(self, input):
        result = self.dense1(input)
        result = self.dense2(result)
        return self.dense2(result)  # reuse variables from dense2 layer


def test_a_layer_used_twice_shares_its_variables(eager):
    model = MNISTModel()
    assert model(constant(np.zeros([1, 1, 784], "f"))).shape.as_list() == [1, 1, 10]
    assert len(model.variables) == 4


@both
def test_variables_as_attributes(run):
    class Line(Model):
        def __init__(self):
            super().__init__()
            self.W = Variable(5.0, name="weight")
            self.B = Variable(10.0, name="bias")
            self.parts = [layers.Dense(1), {"a": layers.Dense(1)}]

        def call(self, inputs):
            return self.parts[0](inputs) * 0.0 + inputs * self.W + self.B

    def build():
        model = Line()
        assert [v.name for v in model.variables] == ["weight:0", "bias:0"]
        y = model(constant([[3.0]]))
        assert [v.name for v in model.variables] == [
            "line/dense/kernel:0", "line/dense/bias:0", "weight:0", "bias:0",
        ]  # fmt: skip
        return y

    assert run(build).tolist() == [[25.0]]


@both
def test_kinds_of_weights(run):
    class Net(Model):
        def __init__(self):
            super().__init__()
            self.v, self.n = Variable(1.0, name="v"), Variable(2.0, False, name="n")
            self.bn, self.d = layers.BatchNormalization(), layers.Dense(2)

        def call(self, x):
            return self.d(self.bn(x))

    def build():
        net = Net()
        y = net(constant(X))
        t = ["gamma:0", "beta:0", "kernel:0", "bias:0", "v:0"]
        n = ["moving_mean:0", "moving_variance:0", "n:0"]

        def names(variables):
            return [v.name.split("/")[-1] for v in variables]

        assert names(net.trainable_weights) == t
        assert names(net.non_trainable_weights) == n
        assert names(net.weights) == t + n
        net.trainable = False
        assert names(net.trainable_weights) == []
        assert names(net.non_trainable_weights) == t + n
        net.trainable, net.bn.trainable = True, False
        assert names(net.trainable_weights) == t[2:]
        assert names(net.non_trainable_weights) == t[:2] + n
        return y

    run(build)


@both
def test_arguments_of_call(run):
    class Net(Model):
        def call(self, x, training=True, scale=1.0):
            return x * scale if training else x * 0.0

    def build():
        net, x = Net(), constant([[1.0]])
        return [net(x), net(x, training=False), net(x, True, scale=3.0)]

    assert [float(y[0, 0]) for y in run(build)] == [1, 0, 3]


def test_call_may_be_replaced_by_a_function(eager):
    model = TwoLayersNet()
    plain = model(constant(X)).numpy()
    model.call = defun(model.call)
    np.testing.assert_allclose(model(constant(X)).numpy(), plain, rtol=1e-6)
    assert len(model.variables) == 4
    fresh = TwoLayersNet()
    fresh.call = defun(fresh.call)
    fresh(constant(X))
    assert fresh.variables[0].name == "dense_2/kernel:0"


@both
def test_ops_in_call(run):
    class Turned(Model):
        def call(self, x):
            return transpose(x, perm=[0, 2, 1], name="conv_transpose")

    found = run(lambda: Turned()(constant(np.zeros([2, 3, 4], "f"))))
    assert found.shape == (2, 4, 3)


def test_training_a_model(eager):
    model = Sequential([layers.Dense(8, activation="tanh"), layers.Dense(1)])
    optimizer = AdamOptimizer(0.05)
    x = constant(np.linspace(-1, 1, 20).astype("f")[:, None])
    losses = []
    for _ in range(100):
        with GradientTape() as tape:
            loss = reduce_sum((model(x) - x * x) ** 2) / 20.0
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(float(loss))
    assert losses[-1] < 0.05 * losses[0]


def test_build_makes_the_variables(eager):
    model = TwoLayersNet()
    model.build((None, 2))
    assert [v.shape.as_list() for v in model.variables] == [[2, 3], [3], [3, 2], [2]]
    assert model.built
    model(constant(X))
    assert len(model.variables) == 4


def test_copies(eager):
    model = FiveLayersNet()
    y = model(constant(X)).numpy()
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(twin(constant(X)).numpy(), y)
        names = [v.name.replace("_copy:", ":") for v in twin.variables]
        assert names == [v.name for v in model.variables]
        for v in twin.variables:
            v.assign(v * 0.0)
        assert np.array_equal(model(constant(X)).numpy(), y)


# ------------------------------------------------------------------ errors
def test_forgotten_super(eager):
    text = (
        r"It looks like you are subclassing `Model` and you forgot to call "
        r"`super\(YourClass, self\).__init__\(\)`. Always start with this line."
    )

    class Forgot(Model):
        def __init__(self):
            self.dense = layers.Dense(3)

    class ForgotToo(Model):
        def __init__(self):
            self.units = 3

        def call(self, x):
            return x

    with pytest.raises(RuntimeError, match=text):
        Forgot()
    with pytest.raises(RuntimeError, match=text):
        ForgotToo()(constant(X))


def test_what_models_refuse(eager):
    model = OneLayerNet()
    with pytest.raises(
        NotImplementedError,
        match=r"`add_variable` is not supported on Networks. However, you may assign "
        "variables to attributes and they will show up in the weights and variables "
        "properties.",
    ):
        model.add_variable("x", [2])
    with pytest.raises(AttributeError):
        model.add_weight("x", [2])
    with pytest.raises(
        NotImplementedError, match="you should implement a `call` method"
    ):
        Model()(constant(X))
    with pytest.raises(ValueError, match="No such layer: foo"):
        model.get_layer("foo")
    with pytest.raises(ValueError, match="Provide either a layer name or layer index"):
        model.get_layer()
    with pytest.raises(ValueError, match="only has 1 layers"):
        model.get_layer(index=1)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = model.nothing


# ------------------------------------------------------------------ Sequential
@both
def test_a_deferred_sequential(run):
    def build():
        model = Sequential([layers.Dense(3), layers.Dense(2, activation=softmax)])
        assert model.name == "sequential" and model.variables == [] and not model.built
        y = model(constant(X))
        assert [v.name for v in model.variables] == [
            "sequential/dense/kernel:0", "sequential/dense/bias:0",
            "sequential/dense_1/kernel:0", "sequential/dense_1/bias:0",
        ]  # fmt: skip
        assert model.built
        return y

    np.testing.assert_allclose(run(build).sum(1), [1, 1], rtol=1e-6)


@both
def test_a_sequential_with_an_input_shape(run):
    def build():
        model = Sequential(
            [
                layers.Flatten(input_shape=(1, 2)),
                layers.Dense(3, name="q"),
                layers.Dropout(0.5),
                layers.BatchNormalization(),
            ],
            name="seq",
        )
        assert model.built
        assert (model.input_shape, model.output_shape) == ((None, 1, 2), (None, 3))
        assert [v.name for v in model.variables] == ["q/kernel:0", "q/bias:0"] + [
            f"batch_normalization/{n}:0"
            for n in ("gamma", "beta", "moving_mean", "moving_variance")
        ]
        return model(constant(X[:, None]))

    assert run(build).shape == (2, 3)


def test_building_a_sequential(eager):
    model = Sequential([layers.Dense(2), layers.Dense(3)])
    with pytest.raises(
        AttributeError, match="output shape of 'sequential' is not known"
    ):
        _ = model.output_shape
    model.build((None, 2))
    assert [v.name for v in model.variables][::2] == [
        "dense/kernel:0",
        "dense_1/kernel:0",
    ]
    assert model.output_shape == (None, 3)
    model.pop()
    assert model.output_shape == (None, 2)
    assert len(model.variables) == 2


def test_what_sequentials_refuse(eager):
    model = Sequential()
    assert np.array_equal(model(constant(X)).numpy(), X)
    with pytest.raises(
        TypeError,
        match=r"The added layer must be an instance of class Layer\. Found: 3",
    ):
        model.add(3)
    with pytest.raises(TypeError, match="There are no layers in the model"):
        model.pop()


def test_sequentials_are_copied(eager):
    model = Sequential([layers.Conv2D(2, 3, input_shape=(5, 5, 1)), layers.Flatten()])
    x = constant(np.random.rand(2, 5, 5, 1).astype("f"))
    y = model(x).numpy()
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(twin(x).numpy(), y)
        assert twin.layers[0].kernel is not model.layers[0].kernel


class TwoInputs(Model):
    """Takes (images, lengths), of different dtypes."""

    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(2)

    def call(self, inputs, training=False):
        a, b = inputs
        return self.dense(a) + cast(b, "float32")


@pytest.mark.parametrize("kind", [list, tuple])
@both
def test_a_subclass_called_with_several_inputs(run, kind):
    def build():
        x = kind([ones([3, 4]), ones([3, 1], "int64")])
        return TwoInputs()(x, training=True)

    assert run(build).shape == (3, 2)


def test_building_from_shapes(eager):
    for shape in ([(None, 4), (None, 1)], [TensorShape([3, 4]), TensorShape([3, 1])]):
        model = TwoInputs()
        model.build(shape)
        assert model.built and [v.shape for v in model.variables] == [(4, 2), (2,)]
    model = TwoLayersNet()
    model.build(TensorShape([5, 3]))
    assert model.built and model.variables


@both
def test_a_row_that_begins_with_an_input_layer(run):
    def build():
        net = Sequential([layers.InputLayer((8, 8, 1)), layers.Conv2D(4, 3, 2)])
        net.add(layers.Flatten())
        net.add(layers.Dense(6))
        assert net.layers[0].output_shape == (None, 3, 3, 4)
        assert net.layers[-1].kernel.shape == (36, 6)
        assert len(net.layers) == 3
        return net(ones([2, 8, 8, 1]))

    assert run(build).shape == (2, 6)


def test_what_has_no_settings_says_what_to_do():
    class Own(Model):
        pass

    with pytest.raises(NotImplementedError, match="Own is a class of its own"):
        Own().get_config()
    found = optimizers.get(AdamOptimizer())
    with pytest.raises(NotImplementedError, match=r"AdamOptimizer of tf.train"):
        found.get_config()


# ------------------------------------------------------------------ build
@both
def test_a_sequence_keeps_the_shape_that_it_was_built_for(run):
    def build():
        built = Sequential([layers.Dense(4), layers.Dense(2)])
        assert "build_input_shape" not in built.get_config()
        built.build((None, 3))
        trained = Sequential([layers.Dense(4), layers.Dense(2)])
        trained.compile(optimizers.SGD(), "mse")
        trained.train_on_batch(np.ones([2, 3]), np.ones([2, 2]))
        for model in (built, trained):
            assert model.get_config()["build_input_shape"] == (None, 3)
            again = Sequential.from_config(model.get_config())
            again.set_weights(model.get_weights())
            assert again.built and len(again.weights) == 4
            assert not again._is_graph_network
        return constant(0)

    run(build)


def test_what_cannot_be_built():
    class Two(Model):
        def call(self, x, y):
            return x

    class Unused(Model):
        def __init__(self):
            super().__init__()
            self.used, self.unused = layers.Dense(2), layers.Dense(2)

        def call(self, x):
            return self.used(x)

    with pytest.raises(ValueError, match="not one of the valid types"):
        Unused().build(3)
    with pytest.raises(ValueError, match="positional or keyword arguments"):
        Two().build((None, 3))
    with pytest.raises(ValueError, match="was not built in your model"):
        Unused().build((None, 3))
    with pytest.raises(ValueError, match="must provide an `input_shape`"):
        Sequential([layers.Dense(2)]).build()
