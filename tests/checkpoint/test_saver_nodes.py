"""The nodes of a Saver, where they are, and its graph imported again."""

import pytest

import twinflow as tf
from tests.modes import graph
from twinflow.graph.graph_def import meta_export, meta_import

__all__ = ["graph"]


def saver_nodes(graph):
    return {n.name.removeprefix("save/"): n for n in graph.get_operations()
            if n.name.startswith("save/")}  # fmt: skip


def test_resource_variables_are_saved_by_the_read_they_have(graph):
    with tf.device("/device:CPU:0"):
        tf.get_variable("a", [2], use_resource=True)
    tf.train.Saver()
    nodes = saver_nodes(graph)
    assert nodes["SaveV2"].inputs[3].name == "a/Read/ReadVariableOp:0"
    assert nodes["RestoreV2"].device == nodes["Identity"].device == "/device:CPU:0"
    assert not [name for name in nodes if "Read" in name]


def test_shards_are_restored_device_by_device(graph, tmp_path):
    for i in range(2):
        with tf.device(f"/device:CPU:{i}"):
            tf.get_variable(f"v{i}", [], initializer=tf.ones_initializer())
    saver = tf.train.Saver(sharded=True)
    nodes = saver_nodes(graph)
    assert nodes["SaveV2_1"].device == "/device:CPU:0"
    assert {"restore_shard", "restore_shard_1", "control_dependency"} <= set(nodes)
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
        sess.run(tf.global_variables_initializer())
        path = saver.save(sess, str(tmp_path / "m"))
        sess.run(tf.global_variables()[0].assign(5.0))
        saver.restore(sess, path)
        assert sess.run(tf.global_variables()) == [1.0, 1.0]


def test_a_file_in_the_place_of_the_folder(graph, tmp_path):
    (tmp_path / "file").touch()
    tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with pytest.raises(ValueError, match="doesn't exist, can't save"):
            tf.train.Saver().save(sess, str(tmp_path / "file" / "m"))


@pytest.mark.parametrize("resource", [False, True])
def test_a_graph_imported_within_a_name_scope(graph, tmp_path, resource):
    tf.get_variable("v", [], initializer=tf.ones_initializer(), use_resource=resource)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(sess, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.name_scope("inner"):
            saver = tf.train.import_meta_graph(f"{path}.meta")
        saver.restore(sess, path)
        assert [v.name for v in tf.global_variables()] == ["inner/v:0"]
        assert sess.run(
            "inner/v:0" if not resource else "inner/v/Read/ReadVariableOp:0"
        )


def test_a_scope_is_copied(graph):
    with tf.name_scope("from"):
        v = tf.Variable(3.0, name="v")
        tf.multiply(v, 2.0, name="twice")
    copied = meta_import.copy_scoped_meta_graph("from", "to")
    with tf.Session() as sess:
        sess.run(copied["v:0"].initializer)
        assert sess.run("to/twice:0") == 6.0
    with pytest.raises(ValueError, match="need to be different"):
        meta_import.copy_scoped_meta_graph("from", "from")


def test_one_collection_is_added(graph):
    tf.add_to_collection("numbers", 3)
    meta = tf.MetaGraphDef()
    meta_export.add_collection_def(meta, "numbers")
    meta_export.add_collection_def(meta, object())
    assert list(meta.collection_def["numbers"].int64_list.value) == [3]
    assert len(meta.collection_def) == 1


@pytest.mark.parametrize("resource", [False, True])
def test_a_variable_twice_in_a_list_is_refused(graph, resource):
    v = tf.get_variable("v", [2], use_resource=resource)
    with pytest.raises(ValueError, match="At least two variables have the same name"):
        tf.train.Saver([v, v])
    assert tf.train.Saver({v}).saver_def.save_tensor_name


def test_the_variables_of_a_saver():
    """Programs of 2018 look at `_var_list`."""
    with tf.Graph().as_default():
        assert tf.train.Saver(allow_empty=True)._var_list == []
        v, w = tf.Variable(1.0), tf.get_variable("w", [2])
        assert tf.train.Saver()._var_list == [v, w]
        assert tf.train.Saver({"a": v})._var_list == {"a": v}
        late = tf.train.Saver(defer_build=True)
        assert late._var_list is None
        late.build()
        assert late._var_list == [v, w]
