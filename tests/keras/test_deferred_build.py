"""Layers whose `build` makes plain tensors, and that do not tell the output's shape."""

import numpy as np
import pytest

import twinflow as tf

K = tf.keras


class Scaled(K.layers.Layer):
    """Inputs times a constant matrix that `build` makes; further ones in `inner`."""

    inner = None

    def build(self, input_shape):
        width = (input_shape[0] if isinstance(input_shape, list) else input_shape)[-1]
        self.w = 2.0 * tf.ones([width, 4])

    def call(self, inputs, training=True):
        first = inputs[0] if isinstance(inputs, list) else inputs
        y = K.backend.dot(first, self.w)
        y = y if self.inner is None else self.inner(y)
        return [y, y + inputs[1]] if isinstance(inputs, list) else y


@pytest.fixture(params=["alone", "nested"])
def layer(request):
    made = Scaled()
    if request.param == "nested":
        made.inner = Scaled()
    return made


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_a_model_of_such_layers_predicts(request, mode, layer):
    request.getfixturevalue(mode)
    x = K.layers.Input([3])
    found = K.Model(x, layer(x)).predict(np.ones([2, 3], np.float32))
    assert found.shape == (2, 4)
    assert (found == (6.0 if layer.inner is None else 48.0)).all()


def test_several_inputs_and_outputs(eager, layer):
    a, b = K.layers.Input([3]), K.layers.Input([4])
    model = K.Model([a, b], layer([a, b]))
    y, z = model.predict([np.ones([2, 3]), np.ones([2, 4])])
    assert (z == y + 1.0).all() and model.output_shape == [(None, 4), (None, 4)]


def test_shapes_are_found_by_tracing(eager, layer):
    assert layer.compute_output_shape((None, 3)).as_list() == [None, 4]
    assert layer.built
    assert layer.compute_output_shape((6, 3)).as_list() == [6, 4]
    found = Scaled().compute_output_shape([(5, 3), (5, 4)])
    assert [s.as_list() for s in found] == [[5, 4], [5, 4]]
    assert not layer.inbound_nodes


def test_what_cannot_be_traced_says_so(eager):
    class Two(K.layers.Layer):
        def call(self, inputs, other):
            return inputs + other

    with pytest.raises(NotImplementedError, match="Two does not define"):
        Two().compute_output_shape((None, 3))
