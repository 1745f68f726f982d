"""Functions of deep modules that programs of 1.12 import from Keras and the tools."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat import inference_graphs
from twinflow.compat.door import (
    functional_calls,
    keras_loops,
    layer_parts,
    shapes,
    summary_parts,
    tapes,
    tensor_bits,
    variable_stores,
)
from twinflow.compat.door.contexts import eager_mode
from twinflow.compat.door.defined import Defun


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


class Beside:
    """A variable beside layers."""

    def __init__(self, trainable):
        self.trainable = trainable


def test_bits_of_numbers():
    assert tensor_bits.ExtractBitsFromFloat16(1.5) == 0x3E00
    assert tensor_bits.ExtractBitsFromBFloat16(1.5) == 0x3FC0
    proto = tf.make_tensor_proto([], tf.float16)
    tensor_bits.SlowAppendFloat16ArrayToTensorProto(proto, np.float16([1.5, -2]))
    assert list(proto.half_val) == [0x3E00, 0xC000]
    proto = tf.make_tensor_proto([], tf.int64)
    tensor_bits.GetNumpyAppendFn(np.int64)(proto, np.array([3, 4]))
    assert list(proto.int64_val) == [3, 4]
    assert tensor_bits.GetNumpyAppendFn("V7") is None
    assert tensor_bits.GetFromNumpyDTypeDict({np.float32: 1}, np.dtype("f4")) == 1


def test_parts_of_layers():
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    dense, frozen = model.layers[0], tf.keras.layers.Dense(1, trainable=False)
    frozen.build((None, 2))
    assert layer_parts.is_layer(dense) and not layer_parts.is_layer(3)
    assert layer_parts.has_weights(dense)
    assert layer_parts.filter_empty_layer_containers([dense, dense]) == [dense]
    both = [dense, frozen]
    assert layer_parts.gather_trainable_weights(True, both, []) == dense.weights
    assert layer_parts.gather_trainable_weights(False, both, []) == []
    fixed = layer_parts.gather_non_trainable_weights(True, both, [])
    assert fixed == frozen.weights
    all_fixed = layer_parts.gather_non_trainable_weights(False, both, [])
    assert all_fixed == dense.weights + frozen.weights
    extra = [Beside(True), Beside(False), Beside(True)]  # in the order of 1.12
    found = layer_parts.gather_non_trainable_weights(False, [dense, frozen], extra)
    wanted = [*dense.trainable_weights, extra[0], extra[2], *frozen.weights, extra[1]]
    assert all(a is b for a, b in zip(found, wanted, strict=True))
    made = layer_parts.make_variable("v", (2,), initializer=tf.ones_initializer)
    assert made.shape == (2,) and layer_parts.get_default_graph_uid_map()
    assert layer_parts.generate_placeholders_from_shape((2, None)).dtype == tf.float32


def test_parts_of_metrics():
    ratio = layer_parts.safe_div(tf.constant([1.0, 2.0]), tf.constant([0.0, 4.0]))
    y, x, w = layer_parts.squeeze_or_expand_dimensions(
        tf.zeros([4, 1]), tf.zeros([4]), tf.ones([4, 1])
    )
    assert (y.shape, x.shape, w.shape) == ((4,), (4,), (4,))
    with tf.Session() as session:
        assert list(session.run(ratio)) == [0.0, 0.5]
    metric = tf.keras.metrics.SparseCategoricalAccuracy("kept")
    assert layer_parts.clone_metrics([metric, "acc"])[0].name == "kept"
    with pytest.raises(TypeError, match="m must be a Tensor or Operation, given: 3"):
        layer_parts.check_is_tensor_or_operation(3, "m")

    class Counter:
        def count(self):
            return 7

    counter = Counter()
    assert layer_parts.weakmethod(counter.count)() == 7


def test_loops_of_models():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    x, y = np.ones((4, 2), np.float32), np.zeros((4, 1), np.float32)
    history = keras_loops.fit_loop(model, [x], [y], epochs=2, verbose=0,
                                   val_inputs=[x], val_targets=[y])  # fmt: skip
    assert len(history.history["val_loss"]) == 2
    before = keras_loops.test_loop(model, [x], [y])
    assert keras_loops.test_on_batch(model, [x], [y]) == pytest.approx(before)
    keras_loops.train_on_batch(model, [x], [y])
    assert keras_loops.test_loop(model, [x], [y]) < before


def test_nodes_of_graphs():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    y = tf.matmul(x, tf.constant(np.ones((3, 4), np.float32), name="w"), name="y")
    assert shapes.inferred_shapes(y.op) == [(2, 4)]
    graph = tf.get_default_graph().as_graph_def()
    nodes = {node.name: node for node in graph.node}
    found = inference_graphs.node_from_map(nodes, "^w:0")
    assert inference_graphs.values_from_const(found).sum() == 12
    inference_graphs.ensure_graph_is_valid(graph)
    graph.node.add(name="z", op="Identity", input=["nowhere"])
    with pytest.raises(ValueError, match="nowhere"):
        inference_graphs.ensure_graph_is_valid(graph)
    with pytest.raises(ValueError, match="No node named 'a:1' found in map"):
        inference_graphs.node_from_map(nodes, "a:1")


def test_unused_parts_leave_files(tmp_path):
    a = tf.placeholder(tf.float32, name="a")
    tf.add(tf.sqrt(a, name="b"), 1.0, name="c")
    tf.square(a, name="other")
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "in.pbtxt")
    paths = [str(tmp_path / name) for name in ("in.pbtxt", "out.pb")]
    strip = inference_graphs.strip_unused_from_files
    assert strip("nowhere", True, paths[1], True, "b", "c", 1) == -1
    strip(paths[0], False, paths[1], True, "b", "c", 1)
    graph = tf.GraphDef.FromString((tmp_path / "out.pb").read_bytes())
    assert {n.name: n.op for n in graph.node}["b"] == "Placeholder"
    assert "other" not in {n.name for n in graph.node}


def test_stores_and_summaries():
    store = tf.contrib.eager.EagerVariableStore()._store
    with variable_stores.with_variable_store(store):
        tf.get_variable("w", [2])
    assert list(store.variables) == ["w"]
    assert "variable_store" in variable_stores.get_variable_scope_store()
    summary_parts.collect("s", None, ["mine"])
    assert tf.get_collection("mine") == ["s"] and not summary_parts.skip_summary()


def test_tapes_forget():
    with eager_mode():
        x = tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            tapes.delete_trace(x._id)
            y = x * x
        assert tape.gradient(y, x) is None


def test_functions_are_called():
    @Defun(tf.float32)
    def double(x):
        return 2 * x

    @Defun(tf.float32)
    def small(x):
        return x < 100.0

    calls = functional_calls
    (one,) = calls.stateful_partitioned_call([tf.constant(3.0)], [tf.float32], double)
    (two,) = calls.stateless_while([tf.constant(3.0)], small, double)
    (three,) = calls.stateless_if(
        tf.constant(False), [tf.constant(1.0)], [tf.float32], double, double
    )
    with tf.Session() as session:
        assert session.run([one, two, three]) == [6.0, 192.0, 2.0]
