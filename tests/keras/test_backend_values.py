"""tf.keras.backend where it once differed from TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from twinflow.keras.backend import defaults
from twinflow.keras.backend.local_convolutions import local_conv2d

K, L = tf.keras.backend, tf.keras.layers


def ramp(*shape):
    return np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)


@both
def test_switch_takes_entries_of_either_side(run):
    infinite = np.float32([[np.inf, 1, 2], [np.nan, 3, 4]])
    found = run(
        lambda: K.switch(
            tf.constant([False, True]), tf.constant(infinite), tf.ones([2, 3])
        )
    )
    np.testing.assert_array_equal(found, [[1, 1, 1], infinite[1]])
    with pytest.raises(ValueError, match="Rank of `condition` should be less"):
        run(lambda: K.switch(tf.constant([[True]]), tf.ones([1]), tf.ones([1])))


@both
def test_ranges_run_both_ways(run):
    found = run(lambda: [K.arange(10, 0, -3), K.arange(-3), K.arange(tf.constant(2))])
    assert [list(x) for x in found] == [[10, 7, 4, 1], [], [0, 1]]


@both
def test_clipping_keeps_the_dtype(run):
    found = run(lambda: K.clip(tf.constant([1, 5, 9]), 2, 6))
    assert found.dtype == np.int32 and list(found) == [2, 5, 6]


@both
def test_products_of_batches_of_batches(run):
    x, y = ramp(2, 3, 4, 5), ramp(2, 3, 5, 6)
    found = run(lambda: K.batch_dot(tf.constant(x), tf.constant(y)))
    np.testing.assert_allclose(found, x @ y, rtol=1e-5)


@both
def test_classes_along_another_axis(run):
    p = np.exp(ramp(1, 3, 2)) / np.exp(ramp(1, 3, 2)).sum(1, keepdims=True)
    found = run(
        lambda: K.sparse_categorical_crossentropy(
            tf.constant([[0, 1]]), tf.constant(p), axis=1
        )
    )
    np.testing.assert_allclose(found, [-np.log([p[0, 0, 0], p[0, 1, 1]])], rtol=1e-5)


@both
def test_a_cell_makes_floats_of_integers(run):
    class Counts(L.Layer):
        state_size = output_size = 3

        def call(self, x, states):
            y = tf.gather(tf.ones([5, 3]), x[:, 0]) + states[0]
            return y, [y]

        def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
            return tf.zeros([2, 3])

    found = run(lambda: L.RNN(Counts())(tf.ones([2, 4, 1], tf.int32)))
    assert found.dtype == np.float32 and (found == 4).all()


@both
def test_values_to_begin_with_reach_both_directions(run):
    weights = [ramp(2, 1), ramp(1, 1), ramp(1)] * 2
    made = []

    def build():
        made.append(L.Bidirectional(L.SimpleRNN(1), weights=weights))
        found = made[-1](tf.ones([1, 3, 2]))
        values = [K.get_value(w) for w in made[-1].weights]
        for value, wanted in zip(values, weights, strict=True):
            np.testing.assert_array_equal(value, wanted)
        return found

    assert run(build).shape == (1, 2)


def test_initializers_by_name():
    found = tf.keras.initializers.deserialize("zeros")
    assert isinstance(found(), type(tf.keras.initializers.get("zeros")))
    with pytest.raises(ValueError, match="Unknown initializer:what"):
        tf.keras.initializers.deserialize("what")


def test_models_take_no_other_arguments():
    with pytest.raises(TypeError, match="got an argument 'trainable'"):
        tf.keras.Model(name="a", trainable=False)


# ------------------------------------------------------------------ graphs
def test_each_graph_has_its_learning_phase():
    with tf.Graph().as_default():
        K.set_learning_phase(1)
        assert K.learning_phase() == 1
        with tf.Graph().as_default():
            assert K.learning_phase().op.type == "PlaceholderWithDefault"
        assert K.learning_phase() == 1
        with defaults.learning_phase_scope(0):
            assert K.learning_phase() == 0


def test_functions_of_tensors_defaults_and_callbacks():
    seen = []
    with tf.Graph().as_default(), tf.Session():
        x, y = K.placeholder([2]), tf.placeholder_with_default(tf.ones([2]), [2])
        product, f = x * y, K.function([x, y], [x + y])
        f.fetches.append(product)
        f.fetch_callbacks[product] = seen.append
        np.testing.assert_array_equal(f([tf.constant([3.0, 4.0]), None])[0], [4, 5])
        with pytest.raises(TypeError, match="`outputs` of a TensorFlow backend"):
            K.function([x], product)
    np.testing.assert_array_equal(seen, [[3, 4]])


@both
def test_kernels_that_differ_from_place_to_place(run):
    images, weights = ramp(1, 3, 3, 2), ramp(4, 8, 5)

    def build():
        kernel = tf.constant(weights)
        last = local_conv2d(tf.constant(images), kernel, (2, 2), (1, 1), (2, 2))
        first = local_conv2d(
            tf.transpose(images, [0, 3, 1, 2]), kernel, (2, 2), (1, 1), (2, 2),
            "channels_first",
        )  # fmt: skip
        return last, first

    found, other = run(build)
    window = images[0, 1:3, 0:2].ravel()
    np.testing.assert_allclose(found[0, 1, 0], window @ weights[2], 1e-5)
    window = images[0, 1:3, 0:2].transpose(2, 0, 1).ravel()
    np.testing.assert_allclose(other[0, :, 1, 0], window @ weights[2], 1e-5)


def test_formats_and_paddings_that_there_are_not():
    x, kernel = tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 2])
    with pytest.raises(ValueError, match="Unknown data_format: x"):
        K.conv2d(x, kernel, data_format="x")
    with pytest.raises(ValueError, match="Invalid padding: x"):
        K.pool2d(x, (2, 2), padding="x")
    with pytest.raises(ValueError, match="Invalid data_format: None"):
        K.resize_images(x, 2, 2, None)
