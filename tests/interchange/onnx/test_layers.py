"""Each public layer: onnxruntime and what is read back give what the layer gives."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.layer_cases import (
    CASES,
    FUNCTIONS,
    classes_in,
    close,
    model_of,
    public_functions,
    public_layers,
)
from tests.interchange.onnx.both import both_ways, in_runtime


def test_no_layer_is_left_out():
    seen = set().union(*(classes_in(make()) for _, make in CASES.values()))
    names = {name for kind, name in public_layers().items() if kind not in seen}
    assert names | public_functions() == set(FUNCTIONS)


@pytest.mark.parametrize("name", CASES)
def test_layer(name, eager, tmp_path):
    model, arrays = model_of(name)
    given = [tf.constant(a) for a in arrays]
    want = model(given[0] if len(given) == 1 else given)
    model.reset_states()
    both_ways(model, arrays, tmp_path, want=want)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name, tmp_path):
    shape, call = FUNCTIONS[name]
    path = str(tmp_path / "model.onnx")
    given = np.random.RandomState(0).randn(2, *shape).astype("f4")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, *shape], "x")
        y = call(getattr(tf.layers, name, None), x)
        session.run(tf.global_variables_initializer())
        want = session.run(y, {x: given})
        tf.onnx.export(session, path, outputs=y)
        found = tf.onnx.load(path)(x)
        session.run(tf.global_variables_initializer())
        close(session.run(found, {x: given}), want)
    close(in_runtime(path, [given])[0], want)
