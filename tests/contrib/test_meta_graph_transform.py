"""tf.contrib.meta_graph_transform: a model that is frozen, and one that is not."""

import numpy as np
import pytest

import twinflow as tf

transform = tf.contrib.meta_graph_transform.meta_graph_transform.meta_graph_transform


@pytest.fixture
def model(tmp_path):
    """A MetaGraphDef, and a checkpoint of it."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[2.0], [3.0]])
        b = tf.get_variable("unused", initializer=1.0)
        y = tf.matmul(tf.identity(x), w, name="y")
        tf.add_to_collection("outputs", y)
        tf.add_to_collection("others", tf.negative(b, name="other"))
        tf.group(tf.global_variables_initializer(), name="start")
        saver = tf.train.Saver()
        session.run("start")
        session.run(w.assign([[5.0], [7.0]]))
        path = saver.save(session, str(tmp_path / "model"))
        meta = tf.train.export_meta_graph(saver_def=saver.as_saver_def())
    for key, name in (("good", "y:0"), ("bad", "other:0")):
        signature = meta.signature_def[key]
        signature.outputs["out"].name = name
    meta.collection_def["init_op"].node_list.value.append("start")
    return meta, path


def _run(meta, *feeds):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(meta.graph_def, name="")
        for target in feeds:
            session.run(target)
        return session.run("y:0", {"x:0": np.ones((1, 2))}).item()


def test_freezing(model):
    meta, path = model
    steps = ["remove_nodes(op=Identity)", "freeze_graph", "strip_unused_nodes"]
    del meta.collection_def["init_op"]
    found = transform(meta, ["x:0"], ["y"], steps, ["serve", "fast"], path)
    assert {n.op for n in found.graph_def.node} == {"Placeholder", "Const", "MatMul"}
    assert _run(found) == 12.0
    assert list(found.meta_info_def.tags) == ["serve", "fast"]
    assert list(found.signature_def) == ["good"]
    assert "outputs" in found.collection_def and "others" not in found.collection_def
    assert "trainable_variables" in meta.collection_def
    assert not found.HasField("saver_def")


def test_what_a_session_starts_with_stays(model):
    meta, _ = model
    found = transform(meta, ["x"], ["y"], ["strip_unused_nodes"], ["serve"])
    names = {n.name for n in found.graph_def.node}
    assert "start" in names and "other" not in names
    assert found.saver_def == meta.saver_def
    assert _run(found, "start") == 5.0
    assert list(found.signature_def) == ["good"]


def test_what_is_no_transform(model):
    with pytest.raises(tf.errors.InvalidArgumentError, match="'nope' not recognized"):
        transform(model[0], ["x"], ["y"], ["nope"], [])
