"""SavedModels: written, read, refused, and exchanged with TensorFlow."""

import os
import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph

__all__ = ["eager", "graph"]

FOLDER = os.path.dirname(__file__)
LOAD = """
import tensorflow as tf
tf = getattr(tf.compat, "v1", tf)
with tf.Graph().as_default(), tf.Session() as sess:
    meta = tf.saved_model.loader.load(sess, ["serve"], {0!r})
    name = meta.signature_def["serving_default"].inputs["x"].name
    print(sess.run("y:0", {{name: [[1.0, 2.0]]}}).tolist())
"""


@pytest.fixture
def model(graph, tmp_path):
    """The folder of y = x @ [[1], [2]]."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.matmul(x, tf.get_variable("w", initializer=[[1.0], [2.0]]), name="y")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, str(tmp_path / "m"), {"x": x}, {"y": y})
    return str(tmp_path / "m")


def loaded(folder, tags=("serve",), **kwargs):
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, list(tags), folder, **kwargs)
        signature = meta.signature_def["serving_default"]
        scope = kwargs.get("import_scope")
        x, y = (
            tf.saved_model.utils.get_tensor_from_tensor_info(info, import_scope=scope)
            for info in (signature.inputs["x"], signature.outputs["y"])
        )
        return sess.run(y, {x: [[1.0, 2.0]]}).tolist()


def test_what_is_saved_is_loaded(model):
    assert loaded(model) == [[5.0]]
    assert loaded(model.encode()) == [[5.0]]  # as export_savedmodel gives it
    assert loaded(model, import_scope="in") == [[5.0]]
    assert tf.saved_model.loader.maybe_saved_model_directory(model)
    assert sorted(os.listdir(model)) == ["saved_model.pb", "variables"]


def test_a_model_of_tensorflow_is_loaded():
    assert loaded(os.path.join(FOLDER, "data", "tf112")) == [[5.0]]


@pytest.mark.interop
@pytest.mark.parametrize("fixture", ["tf112_python", "tf221_python"])
def test_tensorflow_loads_ours(model, fixture, request):
    command = [request.getfixturevalue(fixture), "-c", LOAD.format(model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "[[5.0]]", done.stderr


def test_assets_come_along_and_the_main_op_runs(graph, tmp_path):
    (tmp_path / "words.txt").write_text("a\nb\n")
    path = tf.constant(str(tmp_path / "words.txt"), name="path")
    lines = tf.contrib.lookup.HashTable(
        tf.contrib.lookup.TextFileIdTableInitializer(path), -1
    )
    found = tf.identity(lines.lookup(tf.constant(["b", "z"])), name="found")
    builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "m"))
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        builder.add_meta_graph_and_variables(
            sess, ["serve"], assets_collection=[path], main_op=tf.tables_initializer()
        )
        expected = sess.run(found).tolist()
    builder.save(as_text=True)
    (tmp_path / "words.txt").unlink()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.saved_model.loader.load(sess, ["serve"], str(tmp_path / "m"))
        assert sess.run("found:0").tolist() == expected == [1, -1]


def test_several_graphs_share_the_values(graph, tmp_path):
    w = tf.get_variable("w", initializer=1.0)
    builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "m"))
    with pytest.raises(AssertionError, match="has not been saved yet"):
        builder.add_meta_graph(["a"])
    with tf.Session() as sess:
        sess.run(w.initializer)
        builder.add_meta_graph_and_variables(sess, ["a"])
        with pytest.raises(AssertionError, match="already been saved"):
            builder.add_meta_graph_and_variables(sess, ["a"])
    with tf.Graph().as_default():
        tf.identity(tf.get_variable("w", []) * 2.0, name="twice")
        builder.add_meta_graph(["b", "c"])
    builder.save()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.saved_model.loader.load(sess, ["c", "b"], str(tmp_path / "m"))
        assert sess.run("twice:0") == 2.0


def test_signatures():
    utils = tf.saved_model.signature_def_utils
    with tf.Graph().as_default():
        text, number = tf.constant("a"), tf.constant(1.0)
        sparse = tf.SparseTensor([[0]], [1.0], [2])
        predict = utils.predict_signature_def({"s": sparse}, {"y": number})
        info = predict.inputs["s"]
        back = tf.saved_model.utils.get_tensor_from_tensor_info(info)
        assert back.values is sparse.values
        regress = utils.regression_signature_def(text, number)
        classify = utils.classification_signature_def(text, text, number)
        assert all(map(utils.is_valid_signature, (predict, regress, classify)))
        assert not utils.is_valid_signature(utils.build_signature_def())
        with pytest.raises(ValueError, match="must be a string Tensor"):
            utils.regression_signature_def(number, number)
        with pytest.raises(ValueError, match="cannot both be None"):
            utils.classification_signature_def(text, None, None)
        with pytest.raises(ValueError, match="outputs cannot be None or empty"):
            utils.predict_signature_def({"x": number}, {})


def test_what_is_not_there_is_said(model, tmp_path):
    with pytest.raises(AssertionError, match="Export directory already exists"):
        tf.saved_model.builder.SavedModelBuilder(model)
    with pytest.raises(RuntimeError, match=r"tags 'z' could not be found.*\['serve'\]"):
        loaded(model, ["z"])
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        loaded(str(tmp_path / "nope"))
    with open(os.path.join(model, "saved_model.pb"), "wb") as f:
        f.write(b"\xff")
    with pytest.raises(OSError, match="Cannot parse file"):
        loaded(model)


def test_values_keep_their_bytes(graph, tmp_path):
    values = np.random.default_rng(0).standard_normal(5)
    tf.get_variable("v", initializer=values)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "m"))
        builder.add_meta_graph_and_variables(sess, ["serve"])
    builder.save()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.saved_model.loader.load(sess, ["serve"], str(tmp_path / "m"))
        np.testing.assert_array_equal(sess.run("v:0"), values)


def test_a_fresh_process_can_read_one(model):
    script = LOAD.format(model).replace("import tensorflow", "import twinflow")
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert run.stdout.split() == ["[[5.0]]"], run.stderr
