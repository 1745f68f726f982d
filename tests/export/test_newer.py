"""SavedModels and frozen graphs that TensorFlow 2.21 wrote give the same numbers."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from twinflow.ops.tensor_array import list_ops

MODELS = ("dense", "cnn", "lstm", "gru", "masked", "attention", "upscaling")


@pytest.fixture(scope="module")
def written(tf221_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("newer")
    script = Path(__file__).with_name("make_newer.py")
    subprocess.run(
        [tf221_python, script, folder], check=True, timeout=300, capture_output=True
    )
    return folder


def _of_signature(folder, key, feeds):
    with tf.Session(graph=tf.Graph()) as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], str(folder))
        signature = meta.signature_def[key]
        feed = {signature.inputs[k].name: v for k, v in feeds.items()}
        return sess.run({k: t.name for k, t in signature.outputs.items()}, feed)


@pytest.mark.interop
@pytest.mark.parametrize("name", MODELS)
def test_signature_of_keras_model(written, name):
    values = np.load(written / f"{name}.npz")
    predict = tf.contrib.predictor.from_saved_model(str(written / name))
    (key,) = predict.feed_tensors
    found = predict({key: values["x"]})
    np.testing.assert_allclose(*found.values(), values["y"], rtol=1e-5, atol=1e-5)


@pytest.mark.interop
def test_control_flow(written):
    found = _of_signature(written / "module", "loop", {"x": 1.5})
    np.testing.assert_allclose(found["output_0"], [2.5, 3.5, 4.5, 9, 18])


@pytest.mark.interop
def test_tables_and_assets(written):
    words = [b"a", b"c", b"none", b"x"]
    found = _of_signature(written / "lookup", "serving_default", {"x": words})
    np.testing.assert_array_equal(found["ids"], [0, 2, 3, 3])
    np.testing.assert_array_equal(found["h"], [-1, -1, -1, 10])
    assert found["text"] == b"a\nb\nc\n"


@pytest.mark.interop
def test_frozen_graph(written):
    values = dict(np.load(written / "frozen.npz"))
    x = values.pop("x")
    graph_def = tf.GraphDef.FromString((written / "frozen.pb").read_bytes())
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        found = sess.run({k: k for k in values}, {"x:0": x})
    for name, value in values.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-5, err_msg=name)


@pytest.mark.interop
def test_checkpoint(written):
    prefix = str(written / "module" / "variables" / "variables")
    reader = tf.train.NewCheckpointReader(prefix)
    key = "w/.ATTRIBUTES/VARIABLE_VALUE"
    np.testing.assert_array_equal(reader.get_tensor(key), [[1, 2], [3, 4]])
    listed = dict(tf.train.list_variables(prefix))
    assert listed["parts/0/.ATTRIBUTES/VARIABLE_VALUE"] == []


# ------------------------------------------------------------------ without 2.21
SAMPLE = Path(__file__).parent / "data" / "tf221"  # relu(x @ w) twice, then doubled


def test_committed_sample():
    found = _of_signature(SAMPLE, "serving_default", {"x": [[1.0, 1.0]]})
    np.testing.assert_allclose(found["y"], [[44, 64]])
    np.testing.assert_allclose(found["sums"], [10, 54, 108])


def test_attribute_without_counterpart():
    graph_def = tf.GraphDef()
    graph_def.versions.producer = 2474
    x = graph_def.node.add(name="x", op="Placeholder")
    x.attr["dtype"].type = tf.float32.as_datatype_enum
    node = graph_def.node.add(name="y", op="FusedBatchNormV2", input=["x"] * 5)
    for name in ("T", "U"):
        node.attr[name].type = tf.float32.as_datatype_enum
    node.attr["exponential_avg_factor"].f = 1.0
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")
    node.attr["exponential_avg_factor"].f = 0.5
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="mentions attr 'exponential_avg_factor'"),
    ):
        tf.import_graph_def(graph_def, name="")


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8, 0.99])
def test_truncated(tmp_path, part):
    folder = tmp_path / "short"
    shutil.copytree(SAMPLE, folder)
    content = (SAMPLE / "saved_model.pb").read_bytes()
    (folder / "saved_model.pb").write_bytes(content[: int(len(content) * part)])
    with pytest.raises((ValueError, OSError), match="saved_model"):
        _of_signature(folder, "serving_default", {"x": [[1.0, 1.0]]})


def test_reserved_list():
    """TwinListReserve: elements that are not set are zeros, or of no known shape."""
    with tf.Graph().as_default(), tf.Session() as sess:
        handle = list_ops.put(list_ops.reserved([2], 2, tf.float32), 1, [3.0, 4.0])
        found = sess.run(list_ops.stack(handle, tf.float32))
        np.testing.assert_array_equal(found, [[0, 0], [3, 4]])
        empty = list_ops.stack(list_ops.reserved([-1], 2, tf.float32), tf.float32)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not fully defined"):
            sess.run(empty)
