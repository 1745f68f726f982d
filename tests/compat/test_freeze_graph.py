"""tensorflow.python.tools: what prepares graphs for inference."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat.door import resolve
from twinflow.formats import protos


@pytest.fixture
def trained(tmp_path):
    """A written graph and its checkpoint, and what it gives for [1, 2, 3]."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        v = tf.get_variable("v", [3, 2], use_resource=False)
        w = tf.get_variable("w", [2], use_resource=True)
        y = tf.identity(tf.matmul(x, v) + w, name="y")
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        checkpoint = saver.save(session, str(tmp_path / "model"))
        tf.train.write_graph(graph, str(tmp_path), "graph.pbtxt")
        return tmp_path, checkpoint, session.run(y, {x: [[1, 2, 3]]})


def test_text_and_meta_graphs(trained, capsys):
    folder, checkpoint, wanted = trained
    freeze = resolve.attribute("python.tools.freeze_graph", "freeze_graph")
    rest = (checkpoint, "y", "", "", str(folder / "frozen.pb"), True, "")
    for graph, binary, meta in (("graph.pbtxt", False, None), ("", True, "model.meta")):
        meta = str(folder / meta) if meta else None
        graph = str(folder / graph) if graph else ""
        freeze(graph, "", binary, *rest, input_meta_graph=meta)
        frozen = protos.GraphDef.FromString((folder / "frozen.pb").read_bytes())
        with tf.Graph().as_default(), tf.Session() as session:
            (y,) = tf.import_graph_def(frozen, return_elements=["y:0"], name="")
            assert np.array_equal(session.run(y, {"x:0": [[1, 2, 3]]}), wanted)
    assert not capsys.readouterr().out  # as TensorFlow 1.12


def test_what_is_missing_is_said(trained, capsys):
    folder, checkpoint, _ = trained
    freeze = resolve.attribute("python.tools.freeze_graph", "freeze_graph")
    graph = str(folder / "graph.pbtxt")
    assert freeze("/none", "", False, checkpoint, "y", "", "", "", True, "") == -1
    assert freeze(graph, "", False, "/none", "y", "", "", "", True, "") == -1
    assert freeze(graph, "", False, checkpoint, "", "", "", "", True, "") == -1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Input file '/none' does not exist!"
    assert said[1] == "Input checkpoint '/none' doesn't exist!"


def test_what_inference_does_not_need_is_left_out():
    with tf.Graph().as_default() as graph:
        a = tf.identity(tf.random_uniform([2]), name="a")
        tf.identity(tf.identity(a * 2.0, name="b"), name="y")
    found = graph.as_graph_def()
    optimize = resolve.attribute(
        "python.tools.optimize_for_inference_lib", "optimize_for_inference"
    )
    small = optimize(found, ["a"], ["y"], tf.float32.as_datatype_enum)
    assert {n.name for n in small.node} == {"a", "mul/y", "mul", "y"}
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(small, return_elements=["y:0"], name="")
        assert session.run(y, {"a:0": [1.0, 2.0]}).tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="refer to a Tensor"):
        optimize(found, ["a:0"], ["y"], 1)
    with pytest.raises(KeyError, match="input nodes were not found"):
        optimize(found, ["z"], ["y"], 1)
