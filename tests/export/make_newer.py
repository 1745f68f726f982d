"""SavedModels of TensorFlow 2, with inputs and what they give; run by TensorFlow 2.21.

python make_newer.py FOLDER
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import keras
import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import (
    convert_variables_to_constants_v2,
)

L = keras.layers


def dense():
    layers = [L.Input((4,)), L.Dense(8, activation="relu"), L.Dense(3, "softmax")]
    return keras.Sequential(layers), (5, 4)


def cnn():
    return keras.Sequential([
        L.Input((8, 8, 3)), L.Conv2D(4, 3, padding="same"), L.BatchNormalization(),
        L.LeakyReLU(), L.MaxPooling2D(), L.DepthwiseConv2D(3),
        L.GlobalAveragePooling2D(), L.Dropout(0.5), L.Dense(2, "gelu"),
    ]), (2, 8, 8, 3)  # fmt: skip


def lstm():
    layers = [L.Input((6, 3)), L.LSTM(5, return_sequences=True), L.LSTM(4)]
    return keras.Sequential(layers), (2, 6, 3)


def gru():
    return keras.Sequential([L.Input((6, 3)), L.GRU(5)]), (2, 6, 3)


def masked():
    layers = [L.Embedding(10, 4, mask_zero=True), L.Bidirectional(L.LSTM(3))]
    return keras.Sequential([L.Input((6,)), *layers]), (2, 6)


def attention():
    x = L.Input((6, 8))
    y = L.MultiHeadAttention(2, 4)(x, x)
    return keras.Model(x, L.LayerNormalization()(x + y)), (2, 6, 8)


def upscaling():
    layers = [
        L.Conv2DTranspose(3, 2, strides=2),
        L.UpSampling2D(2),
        L.SeparableConv2D(2, 3),
    ]
    return keras.Sequential([L.Input((4, 4, 2)), *layers]), (2, 4, 4, 2)


MODELS = (dense, cnn, lstm, gru, masked, attention, upscaling)


class Module(tf.Module):
    """Control flow, lists, variables of several kinds, and keyword arguments."""

    def __init__(self):
        self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
        self.b = tf.Variable([0.5, -0.5], name="b")
        self.step = tf.Variable(0, dtype=tf.int64, trainable=False)
        self.parts = [tf.Variable(7.0), tf.Variable(8.0)]
        self.table = {"one": tf.Variable(1.0)}
        self.shift = tf.constant([1.0, 2.0])

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b

    @tf.function
    def scaled(self, x, k=2.0):
        return {"y": x * k, "z": (x + self.shift, x - self.parts[0])}

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def loop(self, x):
        array = tf.TensorArray(tf.float32, 5)
        for i in tf.range(5):
            x = x * 2.0 if i > 2 else x + 1.0
            array = array.write(i, x)
        return array.stack()

    @tf.function(input_signature=[])
    def count(self):
        self.step.assign_add(1)
        return self.step.read_value()


class Lookup(tf.Module):
    """Tables, one of them from a file, and the file itself."""

    def __init__(self, folder):
        path = os.path.join(folder, "vocabulary.txt")
        with open(path, "w") as file:
            file.write("a\nb\nc\n")
        lookup = tf.lookup
        words = lookup.TextFileInitializer(
            path, tf.string, lookup.TextFileIndex.WHOLE_LINE,
            tf.int64, lookup.TextFileIndex.LINE_NUMBER,
        )  # fmt: skip
        self.words = lookup.StaticVocabularyTable(words, 1)
        pairs = lookup.KeyValueTensorInitializer(["x", "y"], [10, 20])
        self.pairs = lookup.StaticHashTable(pairs, -1)
        self.asset = tf.saved_model.Asset(path)
        self.counts = lookup.experimental.MutableHashTable(tf.string, tf.int64, 0)
        self.counts.insert(["a", "b"], [5, 6])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def __call__(self, x):
        text = tf.io.read_file(self.asset.asset_path)
        return {"ids": self.words.lookup(x), "h": self.pairs.lookup(x), "text": text}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def count(self, x):
        self.counts.insert(x, self.counts.lookup(x) + 1)
        return self.counts.lookup(x)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def split(self, x):
        rows = tf.strings.split(tf.strings.lower(x))
        return rows.to_tensor("-"), rows.to_tensor(shape=[3, 2])


class Dense(tf.Module):
    """A table with an empty key."""

    def __init__(self):
        self.table = tf.lookup.experimental.DenseHashTable(
            tf.int64, tf.float32, -7.0, -1, -2, 16
        )
        self.table.insert(tf.constant([3, 4, 5], tf.int64), [1.5, 2.5, 3.5])
        self.table.erase(tf.constant([5], tf.int64))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
    def __call__(self, x):
        return self.table.lookup(x)


def several(x):
    """Ops of which 1.12 has other versions."""
    y = tf.where(x > 0, x, tf.constant([[0.5, 0.25]]))
    z = tf.gather(y, tf.constant([[0], [1]]), axis=1, batch_dims=1)
    products = tf.einsum("...i,ij->...j", y, tf.ones([2, 3])), y @ tf.transpose(y)
    diagonal = tf.linalg.diag(y), tf.linalg.diag_part(products[1])
    norm = tf.math.multiply_no_nan(y, [[0.0, 1.0]])
    last = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + y), [0, y])[1]
    return [y, z, *products, *diagonal, norm, last, tf.nn.leaky_relu(x)]


def main(folder):
    for make in MODELS:
        keras.utils.set_random_seed(1)
        model, shape = make()
        name = make.__name__
        path = os.path.join(folder, name)
        rng = np.random.RandomState(0)
        x = rng.randint(0, 10, shape) if name == "masked" else rng.randn(*shape)
        for layer in model.layers:  # moving averages, and biases, that say something
            layer.set_weights(
                [w + 0.1 * rng.rand(*w.shape) for w in layer.get_weights()]
            )
        model.export(path, verbose=False)
        y = model(x.astype("float32"), training=False)
        np.savez(path, x=x.astype("float32"), y=y.numpy())
    module = Module()
    module.scaled(tf.constant([1.0, 2.0]))
    module.scaled(tf.constant([1.0, 2.0]), k=3.0)
    signatures = {"serving_default": module.__call__, "loop": module.loop}
    tf.saved_model.save(module, os.path.join(folder, "module"), signatures=signatures)
    lookup = Lookup(folder)
    tf.saved_model.save(lookup, os.path.join(folder, "lookup"), lookup.__call__)
    tf.saved_model.save(Dense(), os.path.join(folder, "dense_table"))
    words = L.TextVectorization(vocabulary=["hello", "world"], output_mode="int")
    text = keras.Sequential([L.Input((1,), dtype="string"), words])
    text.export(os.path.join(folder, "text"), verbose=False)
    text = [["Hello, world!"], ["a WORLD of worlds"]]
    np.savez(os.path.join(folder, "text"), x=text, y=words(text).numpy())
    function = tf.function(several, input_signature=[tf.TensorSpec([2, 2], tf.float32)])
    concrete = function.get_concrete_function()
    frozen = convert_variables_to_constants_v2(concrete, lower_control_flow=False)
    with open(os.path.join(folder, "frozen.pb"), "wb") as file:
        file.write(frozen.graph.as_graph_def().SerializeToString())
    x = np.array([[1.0, -2.0], [3.0, 4.0]], np.float32)
    outputs = {
        t.name: v.numpy() for t, v in zip(frozen.outputs, concrete(x), strict=True)
    }
    np.savez(os.path.join(folder, "frozen"), x=x, **outputs)


main(sys.argv[1])
