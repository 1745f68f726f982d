"""What the helper modules of Keras have under their names in TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.compat.door import keras_backend, keras_inputs, keras_tools
from twinflow.compat.door.keras_training import check_generator_arguments
from twinflow.eager.mode import MODE
from twinflow.keras.engine.nodes import DeferredTensor


def test_functions_go_through_text():
    def make(z):
        return lambda x, y=2: x + y + z

    code, defaults, closure = keras_tools.func_dump(make(3))
    assert isinstance(code, str) and defaults == (2,) and closure == (3,)
    assert keras_tools.func_load([code, defaults, closure])(1) == 6


def test_what_depends_on_inputs():
    with tf.Graph().as_default():
        a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        x = a + b
        y, z = x * b, tf.identity(b)
        found = keras_tools.get_reachable_from_inputs([a])
        assert {x, y, x.op, y.op} <= found and z not in found and b not in found


def test_inputs_have_names_and_symbols():
    arrays = {"b": np.ones([4, 2], np.float32), "a": np.ones(4, np.int32)}
    with tf.Graph().as_default():
        inputs = keras_inputs.ModelInputs(arrays)
        assert inputs.get_input_names() == ["a", "b"]
        assert inputs.get_symbolic_inputs()["b"].shape.as_list() == [None, 2]
        single = keras_inputs.ModelInputs(arrays["b"])
        assert len(single.get_symbolic_inputs(return_single_as_list=True)) == 1
    with dispatch.entered(MODE):
        single = keras_inputs.ModelInputs(arrays["b"])
        assert isinstance(single.get_symbolic_inputs(), DeferredTensor)
        assert [name for name, _ in single.as_dict()] == ["input_1"]


def test_structures():
    data = {"a": [1, (2, 3)]}
    assert keras_inputs._map_nested(data, lambda x: x + 1) == {"a": [2, (3, 4)]}
    assert keras_inputs._convert_lists_to_tuples(data) == {"a": (1, (2, 3))}
    assert keras_inputs._nested_any(data, lambda x: x > 2)
    assert not keras_inputs._nested_all(data, lambda x: x > 2)


def test_shapes_change_their_kind():
    class Part:
        @keras_tools.shape_type_conversion
        def shape(self, given):
            assert type(given) is tuple
            return given[:1]

    assert Part().shape(tf.TensorShape([2, 3])).as_list() == [2]


def test_checks():
    with pytest.raises(ValueError, match="`y` argument is not supported"):
        check_generator_arguments(y=[])
    with pytest.raises(ValueError, match="the `batch_size` must be None"):
        keras_inputs.check_num_samples([], batch_size=2, steps=3)
    with tf.Graph().as_default():
        assert keras_backend.is_placeholder(tf.placeholder(tf.float32))
        assert not keras_backend.is_placeholder(tf.ones([]))


def test_rows_of_a_dense_layer_change_places():
    layers = tf.keras.layers
    with tf.Graph().as_default():
        model = tf.keras.Sequential([
            layers.Conv2D(2, 2, input_shape=(3, 3, 1)),
            layers.Flatten(),
            layers.Dense(1),
        ])  # fmt: skip
        dense = model.layers[2]
        dense.set_weights([np.arange(8.0).reshape(8, 1), np.zeros(1)])
        keras_tools.convert_dense_weights_data_format(dense, (2, 2, 2))
        kernel = dense.get_weights()[0].ravel()
    np.testing.assert_array_equal(kernel, [0, 2, 4, 6, 1, 3, 5, 7])
