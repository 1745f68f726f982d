"""Contract D: layers."""

import gc
import weakref

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

tfe = tf.contrib.eager
layers = tf.keras.layers


def names(model):
    return [v.name for v in model.variables]


class MySimpleLayer(tf.keras.layers.Layer):
    def __init__(self, output_units):
        super(MySimpleLayer, self).__init__()
        self.output_units = output_units
        self.built_with = []

    def build(self, input_shape):
        self.built_with.append(input_shape)
        self.kernel = self.add_variable("kernel", [input_shape[-1], self.output_units])

    def call(self, input):
        return tf.matmul(input, self.kernel)


# ------------------------------------------------------------------ layers
@both
def test_d01_d04_a_layer_builds_itself_once(run):
    kept = []

    def build():
        layer = MySimpleLayer(3)
        kept.append(layer)
        assert not layer.built and layer.variables == []
        x = tf.ones([2, 4])
        return layer(x) - layer(x), layer.kernel

    difference, kernel = run(build)
    (layer,) = kept
    assert layer.built and len(layer.built_with) == 1
    assert isinstance(layer.built_with[0], tf.TensorShape)
    assert kernel.shape == (4, 3) and not difference.any()
    assert names(layer) == ["my_simple_layer/kernel:0"]


def test_d02_build_by_hand(eager):
    layer = layers.Dense(3)
    layer.build((None, 4))
    assert layer.built and names(layer) == ["kernel:0", "bias:0"]
    kernel = layer.kernel
    assert layer(tf.ones([2, 4])).shape == (2, 3) and layer.kernel is kernel
    base = tf.keras.layers.Layer()
    base.build(tf.TensorShape([1]))
    assert base.built


class Forms(tf.keras.layers.Layer):
    def build(self, input_shape):
        units = input_shape[-1]
        self.parts = [
            self.add_variable("kernel", shape=[units.value, 3]),
            self.add_weight("bias", [3], initializer="zeros"),
            self.add_weight(shape=(units, 2)),
            self.add_variable("scale", [units / 2, units * 2 - 1]),
        ]

    def call(self, x):
        return x


def test_d03_d04_the_forms_of_add_variable(eager):
    layer = Forms()
    layer(tf.ones([1, 4]))
    shapes = [v.shape.as_list() for v in layer.parts]
    assert shapes == [[4, 3], [3], [4, 2], [2, 7]]
    assert names(layer)[:2] == ["forms/kernel:0", "forms/bias:0"]
    assert not layer.parts[1].numpy().any() and layer.parts[0].numpy().any()


class Early(tf.keras.layers.Layer):
    def __init__(self, units, dtype=None, **kwargs):
        super(Early, self).__init__(dtype=dtype, **kwargs)
        self.kernel = self.add_variable("kernel", [units])

    def call(self, x):
        return x * self.kernel


def test_d05_variables_in_init(eager):
    layer = Early(3)
    assert names(layer) == ["kernel:0"]
    layer(tf.ones([2, 3]))
    assert names(layer) == ["kernel:0"]


def test_d06_arguments_of_the_base(eager):
    layer = Early(3, dtype="float64", name="mine")
    assert (layer.name, layer.dtype) == ("mine", "float64")
    assert layer.kernel.dtype is tf.float64
    with pytest.raises(TypeError, match="Keyword argument not understood"):
        Early(3, foo=1)
    with pytest.raises(ValueError, match="expected min_ndim=2, found ndim=1"):
        layers.Dense(2)(tf.ones([3]))


def test_d07_variables_are_lists_in_the_order_of_building(eager):
    g = layers.Dense(2)
    assert g.variables == [] and g.trainable_variables == []
    g(tf.ones([1, 2]))
    y1 = tf.ones([1])
    assert isinstance(g.variables, list)
    assert ([y1] + g.trainable_variables)[1:] == [g.kernel, g.bias]
    g.trainable = False
    assert g.trainable_variables == [] and len(g.variables) == 2


@both
def test_d08_layers_own_resource_variables(run):
    kinds = []

    def build():
        layer = layers.Dense(2)
        y = layer(tf.ones([1, 2]))
        kinds.extend(isinstance(v, tfe.Variable) for v in layer.variables)
        return y

    run(build)
    assert kinds == [True, True]


def test_d08_variables_live_as_long_as_their_layer(eager):
    layer, shared = layers.Dense(2), layers.Dense(2)
    for part in (layer, shared, shared):
        part(tf.ones([1, 2]))
    refs = [weakref.ref(layer.kernel), weakref.ref(shared.kernel)]
    also = shared
    del layer, shared, part
    gc.collect()
    assert refs[0]() is None and refs[1]() is also.kernel


@both
def test_d09_dense(run):
    def build():
        x = tf.constant([[1.0, -2.0]])
        ones = dict(kernel_initializer="ones")
        return (
            layers.Dense(3, **ones)(x),
            layers.Dense(3, activation="relu", **ones)(x),
            layers.Dense(2, activation=tf.nn.softmax, **ones)(x),
            layers.Dense(10)(tf.zeros([1, 1, 784])),
            layers.Dense(units=4, use_bias=False, input_shape=(2,))(x),
        )

    plain, relu, soft, deep, _ = run(build)
    assert plain.tolist() == [[-1.0] * 3] and relu.tolist() == [[0.0] * 3]
    assert soft.tolist() == [[0.5, 0.5]] and deep.shape == (1, 1, 10)


def test_d09_dense_adds_a_bias(eager):
    layer = layers.Dense(10)
    assert layer(tf.zeros([1, 1, 784])).shape == (1, 1, 10)
    assert [v.shape.as_list() for v in layer.variables] == [[784, 10], [10]]


@both
def test_d10_embedding(run):
    layer = layers.Embedding(input_dim=5, output_dim=2)
    found, table = run(lambda: (layer(tf.constant([[1, 4]])), layer.embeddings))
    np.testing.assert_array_equal(found, table[[[1, 4]]])
    assert names(layer)[0].endswith("/embeddings:0")


@both
def test_d11_d12_convolution_and_pooling(run):
    def build():
        conv = layers.Conv2D(filters=64, kernel_size=3, padding="SAME")
        pool = layers.MaxPool2D(pool_size=2, strides=2, padding="SAME")
        feat = conv(tf.random_uniform(shape=(8, 32, 32, 3)))
        named = layers.Conv2D(32, 5, padding="SAME", name="conv1", strides=(1, 1))
        pooled = layers.MaxPool2D(padding="SAME", name="conv1/pool")
        x = named(tf.zeros([1, 28, 28, 1]))
        assert names(named) == ["conv1/kernel:0", "conv1/bias:0"]
        assert (named.name, pooled.name) == ("conv1", "conv1/pool")
        return feat, pool(feat), pooled(x)

    shapes = [x.shape for x in run(build)]
    assert shapes == [(8, 32, 32, 64), (8, 16, 16, 64), (1, 14, 14, 32)]


# ------------------------------------------------------------------ and without
class BadFullyConnectedLayer(object):
    def __init__(self):
        self.weight = tfe.Variable([[1.0, 2.0], [3.0, 4.0]])
        self.bias = tfe.Variable([5.0, 6.0])

    def __call__(self, inputs):
        return tf.nn.xw_plus_b(inputs, self.weight, self.bias)


@both
def test_d23_any_object_may_be_a_layer(run):
    def build():
        fc = BadFullyConnectedLayer()
        with tf.GradientTape() as tape:
            o = tf.reduce_mean(fc(tf.constant([[1.0, 0.0], [0.0, 1.0]])))
        return o, tape.gradient(o, [fc.weight, fc.bias])

    o, (weight, bias) = run(build)
    assert o == 8.0 and bias.tolist() == [0.5, 0.5]
    assert weight.tolist() == [[0.25, 0.25]] * 2
