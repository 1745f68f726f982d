"""Models take arrays of whole numbers, as of images or truth tables, for floats."""

import numpy as np
import pytest

import twinflow as tf

K = tf.keras


def functional():
    x = K.layers.Input([3])
    return K.Model(x, K.layers.Dense(2, kernel_initializer="ones")(x))


def sequential():
    return K.models.Sequential([K.layers.Dense(2, kernel_initializer="ones")])


class Subclassed(K.Model):
    def __init__(self):
        super().__init__()
        self.dense = K.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        assert x.dtype == tf.float32
        return self.dense(x)


CALLS = {
    "fit": lambda m, x, y: m.fit(x, y, verbose=0).history["loss"][0],
    "train_on_batch": lambda m, x, y: m.train_on_batch(x, y),
    "evaluate": lambda m, x, y: m.evaluate(x, y, verbose=0),
    "test_on_batch": lambda m, x, y: m.test_on_batch(x, y),
    "predict": lambda m, x, y: np.square(m.predict(x) - y).mean(),
    "predict_on_batch": lambda m, x, y: np.square(m.predict_on_batch(x) - y).mean(),
}


@pytest.mark.parametrize("dtype", ["uint8", "int64", "bool", "float64"])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("make", [functional, sequential, Subclassed])
@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_arrays_of_whole_numbers(request, mode, make, call, dtype):
    request.getfixturevalue(mode)
    model = make()
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    x, y = np.ones([4, 3], dtype), np.ones([4, 2], dtype)
    assert CALLS[call](model, x, y.astype("int64")) == 4.0


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_an_input_of_whole_numbers_stays_one(request, mode):
    request.getfixturevalue(mode)
    x = K.layers.Input([1], dtype="int32")
    y = K.layers.Lambda(lambda i: tf.one_hot(i, 3))(x)
    found = K.Model(x, y).predict(np.array([[2], [0]], np.int64))
    assert found.tolist() == [[[0, 0, 1]], [[1, 0, 0]]]
