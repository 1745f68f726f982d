"""Contract D: models."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import arrays, both, eagerly

tfe = tf.contrib.eager
layers = tf.keras.layers


def names(model):
    return [v.name for v in model.variables]


@both
def test_d14_sequential(run):
    def build():
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Dense(10, input_shape=(784,)),  # must declare shape
                tf.keras.layers.Dense(10),
            ]
        )
        late = tf.keras.Sequential([layers.Dense(10), layers.Dense(10)])
        assert (len(model.variables), late.variables) == (4, [])
        found = model(tf.zeros([2, 784])), late(tf.zeros([2, 784]))
        assert len(model.variables) == len(late.variables) == 4
        return found

    assert [y.shape for y in run(build)] == [(2, 10), (2, 10)]


class MNISTModel(tf.keras.Model):
    def __init__(self):
        super(MNISTModel, self).__init__()
        self.dense1 = tf.keras.layers.Dense(units=10)
        self.dense2 = tf.keras.layers.Dense(units=10)

    def call(self, input):
        """Run the model."""
        result = self.dense1(input)
        result = self.dense2(result)
        result = self.dense2(result)  # reuse variables from dense2 layer
        return result


@both
def test_d15_d17_a_model_is_a_class_and_shares_what_it_calls_twice(run):
    models = []

    def build():
        model = MNISTModel()
        models.append(model)
        assert model.variables == []
        return model(tf.zeros([1, 1, 784]))

    result = run(build)
    assert result.shape == (1, 1, 10) and not result.any()
    assert len(models[0].variables) == 4


class OneLayerNet(tf.keras.Model):
    def __init__(self):
        super(OneLayerNet, self).__init__()
        self.dense1 = tf.keras.layers.Dense(32, activation="relu")

    def call(self, inputs):
        return self.dense1(inputs)


class TwoLayersNet(tf.keras.Model):
    def __init__(self):
        super(TwoLayersNet, self).__init__()
        self.dense1 = tf.keras.layers.Dense(64, activation="relu")
        self.dense2 = tf.keras.layers.Dense(128, activation="relu")

    def call(self, inputs):
        x = self.dense1(inputs)
        x = self.dense2(x)
        return x


class FiveLayersNet(tf.keras.Model):
    def __init__(self):
        super(FiveLayersNet, self).__init__()
        self.two_layer_net1 = TwoLayersNet()
        self.two_layer_net2 = TwoLayersNet()
        self.one_layer_net = OneLayerNet()

    def call(self, inputs):
        x = self.two_layer_net1(inputs)
        x = self.two_layer_net2(x)
        x = self.one_layer_net(x)
        return x


PREFIXES = ["two_layers_net/dense", "two_layers_net/dense_1"]
PREFIXES += ["two_layers_net_1/dense_2", "two_layers_net_1/dense_3"]
PREFIXES += ["one_layer_net/dense_4"]
FIVE_NAMES = [
    f"five_layers_net/{prefix}/{part}:0"
    for prefix in PREFIXES
    for part in ("kernel", "bias")
]


@both
def test_d16_models_are_trees(run):
    models = []

    def build():
        net = FiveLayersNet()
        models.append(net)
        with tf.GradientTape() as tape:
            x = tf.reduce_mean(net(tf.random_normal((32, 128))))
        return tape.gradient(x, net.variables)

    gradients = run(build)
    assert names(models[0]) == FIVE_NAMES and len(gradients) == 10
    shapes = [tuple(v.shape.as_list()) for v in models[0].variables]
    assert [g.shape for g in gradients] == shapes


class Trained(tf.keras.Model):
    def __init__(self):
        super(Trained, self).__init__()
        self.drop, self.norm = layers.Dropout(0.5), layers.BatchNormalization()

    def call(self, x, training=True):
        return self.norm(self.drop(x, training=training), training=training)


def test_d18_training_is_passed_on(eager):
    images, model = tf.ones([100, 3]), Trained()
    logits = model(images, training=True)
    assert abs(logits.numpy().mean()) < 1e-5 and logits.numpy().std() > 0.5
    mean = model.norm.moving_mean.numpy()
    assert mean.all()
    model(images, training=False)
    assert (model.norm.moving_mean.numpy() == mean).all()
    assert len(model.trainable_variables) == 2 and len(model.variables) == 4


def test_d24_methods_can_be_replaced(eager):
    model, x = MNISTModel(), tf.ones([2, 5])
    before = model(x)
    model.call = tfe.defun(model.call)
    for _ in range(2):
        np.testing.assert_allclose(model(x).numpy(), before.numpy(), rtol=1e-5)
    with tf.GradientTape() as tape:
        y = model(x)
    assert all(g is not None for g in tape.gradient(y, model.variables))
    fresh = MNISTModel()
    fresh.call = tfe.defun(fresh.call)
    assert fresh(x).shape == (2, 10) and len(fresh.variables) == 4


def test_d25_transpose_inside_call(graph):
    class Turned(tf.keras.Model):
        def call(self, x):
            return tf.transpose(x, perm=[0, 2, 1], name="conv_transpose")

    y = Turned()(tf.zeros([1, 2, 3]))
    assert y.name == "turned/conv_transpose:0" and y.shape.as_list() == [1, 3, 2]
    assert eagerly(lambda: Turned()(tf.zeros([1, 2, 3]))).shape == (1, 3, 2)


# ------------------------------------------------------------------ D19, D20
def test_d19_models_that_forget_super(eager):
    class MyModel(tf.keras.Model):
        def __init__(self):
            self.dense1 = tf.keras.layers.Dense(4, activation=tf.nn.relu)

    with pytest.raises(RuntimeError) as raised:
        MyModel()
    assert str(raised.value) == (
        "It looks like you are subclassing `Model` and you forgot to call "
        "`super(YourClass, self).__init__()`. Always start with this line."
    )


def test_d20_models_refuse_weights_of_their_own(eager, monkeypatch):
    with pytest.raises(NotImplementedError) as raised:
        MNISTModel().add_variable("w", [2])
    assert str(raised.value) == (
        "`add_variable` is not supported on Networks. However, you may assign "
        "variables to attributes and they will show up in the weights and variables "
        "properties."
    )
    with pytest.raises(AttributeError):
        MNISTModel().add_weight("w", [2])
    monkeypatch.setenv("TWINFLOW_TF_COMPAT", "1.15")
    model = MNISTModel()
    weight = model.add_weight("w", [2])
    assert model.add_variable("u", [2]) in model.variables
    assert weight in model.trainable_variables


def test_d21_variables_of_models_are_collected(eager):
    class Model(tf.keras.Model):
        def __init__(self):
            super(Model, self).__init__()
            self.W = tfe.Variable(5.0, name="weight")
            self.B = tfe.Variable(10.0, name="bias")

        def call(self, inputs):
            return inputs * self.W + self.B

    model = Model()
    assert names(model) == ["weight:0", "bias:0"]
    assert arrays(model(tf.ones([2]))).tolist() == [15.0, 15.0]
