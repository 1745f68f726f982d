"""tf.onnx.export and load: what is given, checks, errors and the file."""

import inspect
import os

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.onnx.both import both_ways

onnx = pytest.importorskip("onnx")

ROWS = [tf.TensorSpec([None, 3], tf.float32, "rows")]
X = np.random.RandomState(0).randn(5, 3).astype("f4")


def _dense():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(4, activation="relu", input_shape=(3,)),
        tf.keras.layers.Dense(2, activation="softmax"),
    ])  # fmt: skip


def test_model_has_names_and_an_open_batch(eager, tmp_path):
    model = _dense()
    proto = onnx.load(both_ways(model, [X], tmp_path))
    onnx.checker.check_model(proto, full_check=True)
    size = proto.graph.input[0].type.tensor_type.shape.dim[0]
    assert size.dim_param == "batch"
    assert {t.name for t in proto.graph.initializer} == {
        w.name.partition(":")[0] for w in model.weights
    }


@pytest.mark.parametrize("opset", [18, 21])
def test_older_opset(eager, tmp_path, opset):
    proto = onnx.load(both_ways(_dense(), [X], tmp_path, opset=opset))
    assert proto.opset_import[0].version == opset


def test_what_is_read_trains_and_compiles(eager, tmp_path):
    model = _dense()
    path = both_ways(model, [X], tmp_path)
    read = tf.onnx.load(path)
    with tf.GradientTape() as ours, tf.GradientTape() as theirs:
        a = tf.reduce_sum(tf.log(model(tf.constant(X))[:, 0]))
        b = tf.reduce_sum(tf.log(read(tf.constant(X))[:, 0]))
    pairs = zip(
        ours.gradient(a, model.trainable_weights),
        theirs.gradient(b, read.trainable_variables),
        strict=True,
    )
    for g, h in pairs:
        np.testing.assert_allclose(g, h, 1e-4, 1e-5)
    np.testing.assert_allclose(tf.function(read)(tf.constant(X)), read(X), 1e-5)


def test_function_with_a_signature_and_several_results(eager, tmp_path):
    v = tf.Variable(3.0)
    f = tf.function(lambda rows: {"sum": rows + v, "same": rows}, input_signature=ROWS)
    tf.onnx.export(f, str(tmp_path / "f.onnx"), check=True)
    read = tf.onnx.load(str(tmp_path / "f.onnx"))
    assert sorted(read.output_names) == ["same", "sum"]
    found = dict(zip(read.output_names, read(rows=X), strict=True))
    np.testing.assert_allclose(found["sum"], X + 3.0)


def test_called_function_is_inlined(eager, tmp_path):
    v = tf.Variable([1.0, 2.0, 3.0])
    inner = tf.function(lambda x: x * v)
    both_ways(tf.function(lambda x: inner(x) + inner(x * 2.0)), [X], tmp_path, ROWS)


def test_session_with_dynamic_rnn(tmp_path):
    path = str(tmp_path / "g.onnx")
    x = np.random.RandomState(0).randn(2, 4, 3).astype("f4")
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.placeholder(tf.float32, [None, None, 3], name="rows")
        cell = tf.nn.rnn_cell.LSTMCell(3)
        outputs, _ = tf.nn.dynamic_rnn(cell, rows, [4, 2], dtype=tf.float32)
        result = tf.identity(outputs, name="result")
        session.run(tf.global_variables_initializer())
        want = session.run(result, {rows: x})
        tf.onnx.export(session, path, outputs="result", check_inputs=[x])
        read = tf.onnx.load(path)
        assert [s.name for s in read.inputs] == ["rows"]
        found = read(x)
        session.run([v.initializer for v in read.variables])
        np.testing.assert_allclose(session.run(found), want, 1e-4, 1e-5)


def test_variables_need_a_session(tmp_path):
    with tf.Graph().as_default() as graph:
        y = tf.get_variable("weights", [2]) * 2.0
        with pytest.raises(ValueError, match=r"'weights'.*session="):
            tf.onnx.export(graph, str(tmp_path / "g.onnx"), outputs=y)
    assert os.listdir(tmp_path) == []


def test_unknown_op_names_the_line(eager, tmp_path):
    def digamma(x):
        return tf.digamma(x)

    line = inspect.getsourcelines(digamma)[1] + 1
    where = rf"'Digamma'.*node Digamma \(defined at .*test_export.py:{line}\)"
    with pytest.raises(tf.errors.UnimplementedError, match=f"(?s){where}"):
        tf.onnx.export(digamma, str(tmp_path / "d.onnx"), ROWS)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("data", [b"", b"not a model", b"\x08\x0e\x3a\xff\xff\xff\x7f"])
def test_damaged_file(eager, tmp_path, data):
    path = tmp_path / "bad.onnx"
    path.write_bytes(data)
    with pytest.raises(OSError, match=r"bad\.onnx"):
        tf.onnx.load(str(path))


def test_cut_file(eager, tmp_path):
    path = tmp_path / "model.onnx"
    tf.onnx.export(_dense(), str(path))
    data = path.read_bytes()
    for end in range(1, len(data), len(data) // 15):
        path.write_bytes(data[:end])
        with pytest.raises(OSError, match=r"model\.onnx"):
            tf.onnx.load(str(path))


def test_node_without_a_counterpart(eager, tmp_path):
    node = onnx.helper.make_node("Det", ["x"], ["y"], "the_node")
    ends = [onnx.helper.make_tensor_value_info(n, 1, [2, 2]) for n in "xy"]
    graph = onnx.helper.make_graph([node], "g", ends[:1], ends[1:])
    path = str(tmp_path / "det.onnx")
    onnx.save(onnx.helper.make_model(graph), path)
    with pytest.raises(tf.errors.UnimplementedError, match=r"'Det'.*'the_node'"):
        tf.onnx.load(path)


def test_wrong_arguments(eager, tmp_path):
    path = str(tmp_path / "model.onnx")
    with pytest.raises(TypeError, match="expected a function"):
        tf.onnx.export(3, path)
    with pytest.raises(ValueError, match="input_signature="):
        tf.onnx.export(lambda x: x, path)
    with pytest.raises(ValueError, match="from 18 to"):
        tf.onnx.export(_dense(), path, opset=5)
    tf.onnx.export(_dense(), path)
    read = tf.onnx.load(path)
    with pytest.raises(TypeError, match="takes the inputs"):
        read()
    with pytest.raises(ValueError, match="has the shape"):
        read(X[:, :2])


def test_resnet(eager, tmp_path):
    with pytest.warns(UserWarning, match="output shape"):
        model = tf.keras.applications.ResNet50(
            weights=None, input_shape=(32, 32, 3), include_top=False
        )
    x = np.random.RandomState(0).rand(1, 32, 32, 3).astype("f4")
    proto = onnx.load(both_ways(model, [x], tmp_path))
    kinds = [n.op_type for n in proto.graph.node]
    assert kinds.count("Transpose") <= 4
