"""The recurrent nodes of ONNX: what onnxruntime gives, here."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.layer_cases import close
from tests.interchange.onnx.both import both_ways, in_runtime
from tests.ways import eager
from twinflow.contrib.rnn.blocks import lstm_block_cell

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
SIZE, WIDTH, STEPS, BATCH = 3, 2, 5, 4
GATES = {"RNN": 1, "LSTM": 4, "GRU": 3}


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def _model(path, kind, more=(), **attrs):
    """A model of one node; `more` says which of its optional inputs it has."""
    rng = np.random.RandomState(0)
    both = 2 if attrs.get("direction") == "bidirectional" else 1
    rows, bias = GATES[kind] * SIZE, 2 * GATES[kind] * SIZE
    shapes = {
        "W": (both, rows, WIDTH), "R": (both, rows, SIZE), "B": (both, bias),
        "h": (both, BATCH, SIZE), "c": (both, BATCH, SIZE), "P": (both, 3 * SIZE),
    }  # fmt: skip
    values = {k: rng.randn(*s).astype(np.float32) for k, s in shapes.items()}
    values["lengths"] = np.array([5, 2, 3, 1], np.int32)
    optional = ["lengths", "h", *(["c", "P"] if kind == "LSTM" else [])]
    inputs = ["X", "W", "R", "B", *(n if n in more else "" for n in optional)]
    outputs = ["Y", "Y_h", *(["Y_c"] if kind == "LSTM" else [])]
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    node = helper.make_node(kind, inputs, outputs, hidden_size=SIZE, **attrs)
    graph = helper.make_graph(
        [node], "one",
        [helper.make_tensor_value_info("X", number, ["steps", "batch", WIDTH])],
        [helper.make_tensor_value_info(n, number, [None] * (3 + (n == "Y")))
         for n in outputs],
        [onnx.numpy_helper.from_array(v, k) for k, v in values.items() if k in inputs],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 18)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    x = rng.randn(STEPS, BATCH, WIDTH).astype(np.float32)
    return x, runtime.InferenceSession(path).run(None, {"X": x})


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize("direction, more", [
    ("forward", ()), ("reverse", ("lengths",)),
    ("bidirectional", ("lengths", "h", "c")),
])  # fmt: skip
def test_nodes(tmp_path, kind, direction, more):
    path = str(tmp_path / "one.onnx")
    x, expected = _model(path, kind, more, direction=direction)
    for found in zip(tf.onnx.load(path)(x), expected, strict=True):
        close(*found)


@pytest.mark.parametrize("kind, more, attrs", [
    ("GRU", (), {"linear_before_reset": 1}), ("LSTM", ("P",), {}),
    ("RNN", (), {"activations": ["Relu"]}), ("RNN", (), {"clip": 0.5}),
    ("GRU", (), {"clip": 0.5}), ("LSTM", ("P", "h", "c"), {"clip": 0.5}),
])  # fmt: skip
def test_their_kinds_compiled(tmp_path, kind, more, attrs):
    path = str(tmp_path / "one.onnx")
    x, expected = _model(path, kind, more, **attrs)
    for found in zip(tf.function(tf.onnx.load(path))(x), expected, strict=True):
        close(*found)


def test_gradients(tmp_path):
    path = str(tmp_path / "one.onnx")
    x, _ = _model(path, "LSTM")
    model, step = tf.onnx.load(path), 1e-2
    weights = next(v for v in model.variables if v.name.startswith("R"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x)[1])
    slope = tf.convert_to_tensor(tape.gradient(loss, weights)).numpy()
    values = weights.numpy().copy()
    ends = []
    for sign in (1, -1):
        moved = values.copy()
        moved[0, 4, 1] += sign * step
        weights.assign(moved)
        ends.append(float(tf.reduce_sum(model(x)[1])))
    np.testing.assert_allclose(
        slope[0, 4, 1], (ends[0] - ends[1]) / 2 / step, rtol=1e-2
    )


@pytest.mark.parametrize("clip", [-1.0, 0.5])
def test_peepholes_are_written(tmp_path, clip):
    rng = np.random.RandomState(0)
    shapes = {"w": (5, 12), "wci": (3,), "wcf": (3,), "wco": (3,), "b": (12,)}
    weights = {k: rng.randn(*s).astype(np.float32) for k, s in shapes.items()}

    def step(x, c, h):
        found = lstm_block_cell(x, c, h, use_peephole=True, cell_clip=clip, **weights)
        return found[1], found[6]

    given = [rng.randn(2, n).astype(np.float32) for n in (2, 3, 3)]
    specs = [tf.TensorSpec([None, n], tf.float32) for n in (2, 3, 3)]
    both_ways(step, given, tmp_path, specs)


@pytest.mark.parametrize("make", [
    lambda: tf.nn.rnn_cell.LSTMCell(3, True, cell_clip=0.5, num_proj=2, proj_clip=0.4),
    lambda: tf.nn.rnn_cell.GRUCell(3), lambda: tf.contrib.rnn.LSTMBlockFusedCell(3),
    lambda: tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(3)] * 1),
], ids=["lstm", "gru", "fused", "several"])  # fmt: skip
def test_cells_of_graphs_are_written(tmp_path, make):
    path = str(tmp_path / "cell.onnx")
    x = np.random.RandomState(0).randn(STEPS, BATCH, WIDTH).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        given = tf.placeholder(tf.float32, [None, None, WIDTH], "x")
        cell = make()
        if isinstance(cell, tf.contrib.rnn.LSTMBlockFusedCell):
            y = cell(given, dtype=tf.float32)[0]
        else:
            y = tf.nn.dynamic_rnn(cell, given, dtype=tf.float32, time_major=True)[0]
        session.run(tf.global_variables_initializer())
        want = session.run(y, {given: x})
        tf.onnx.export(session, path, outputs=y)
    close(in_runtime(path, [x])[0], want)
    close(tf.onnx.load(path)(x), want)
