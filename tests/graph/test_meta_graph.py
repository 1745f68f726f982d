"""MetaGraphDefs: graphs with their collections."""

import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.graph.graph_def.compare import assert_equal_graph_def
from twinflow.graph.graph_def.scoped_names import prepend_name_scope, strip_name_scope


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_variables_come_back_as_they_were(graph):
    tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=True)
    tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=False)
    tf.get_variable("l", [2], trainable=False, collections=["local_variables"])
    meta = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(meta, import_scope="s")
        v, w = tf.global_variables()
        assert [v.name, w.name] == ["s/v:0", "s/w:0"]
        assert [x.name for x in tf.local_variables()] == ["s/l:0"]
        assert tf.trainable_variables() == [v, w]
        session.run(tf.global_variables_initializer())
        session.run(v.assign_add(w))
        assert session.run(v).tolist() == [2.0, 2.0]


def test_a_file_and_devices(tmp_path):
    with tf.device("/gpu:3"):
        tf.constant(1.0, name="a")
    for as_text in (False, True):
        path = str(tmp_path / "deep" / f"m{as_text}.meta")
        tf.train.export_meta_graph(path, as_text=as_text)
        with tf.Graph().as_default() as graph:
            assert tf.train.import_meta_graph(path, clear_devices=True) is None
            assert graph.get_operation_by_name("a").device == ""
        with tf.Graph().as_default() as graph:
            tf.train.import_meta_graph(path)
            assert graph.get_operation_by_name("a").device == "/device:GPU:3"
    (tmp_path / "bad").write_text("this is no MetaGraphDef")
    with pytest.raises(OSError, match="Cannot parse file"):
        tf.train.import_meta_graph(str(tmp_path / "bad"))


def test_what_cannot_be_written_is_left_out_with_a_warning(monkeypatch):
    said = []
    warn = "twinflow.base.logging.warning"
    monkeypatch.setattr(warn, lambda text, *args: said.append(text % args))
    tf.add_to_collection("things", object())
    tf.add_to_collection("words", "one")
    tf.constant(1.0)
    meta = tf.train.export_meta_graph()
    assert sorted(meta.collection_def) == ["words"]
    assert "Issue encountered when serializing things" in said[0]


def test_attributes_with_their_default_can_be_left_out():
    tf.nn.max_pool(tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    meta = tf.train.export_meta_graph(strip_default_attrs=True)
    (pool,) = [n for n in meta.graph_def.node if n.op == "MaxPool"]
    assert sorted(pool.attr) == ["_output_shapes", "ksize", "padding", "strides"]
    assert meta.meta_info_def.stripped_default_attrs
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(meta)
        assert session.run("MaxPool:0").shape == (1, 2, 2, 1)


def test_queue_runners_and_own_collections():
    queue = tf.FIFOQueue(2, [tf.int32], name="q")
    runner = tf.train.QueueRunner(queue, [queue.enqueue([1])])
    tf.train.add_queue_runner(runner)
    meta = tf.train.export_meta_graph(collection_list=["queue_runners"])
    with tf.Graph().as_default():
        tf.train.import_meta_graph(meta)
        (found,) = tf.get_collection("queue_runners")
        assert found.name == "q" and found.enqueue_ops[0].name == "q_enqueue"


def test_names_in_and_out_of_scopes():
    for name in ("s/x:0", "^s/x", "loc:@s/x", "s/s/x"):
        inner = strip_name_scope(name, "s")
        assert prepend_name_scope(inner, "s") == name
        assert strip_name_scope(name, "s/") == inner
    assert strip_name_scope("other/x", "s") == "other/x"
    assert prepend_name_scope("x", None) == strip_name_scope("x", "") == "x"


def test_eager_mode_has_no_graph():
    meta = tf.train.export_meta_graph()
    with dispatch.entered(MODE):
        for call in (
            tf.train.export_meta_graph,
            lambda: tf.train.import_meta_graph(meta),
        ):
            with pytest.raises(RuntimeError, match="not supported when eager"):
                call()


def test_loops_that_were_read_are_written_as_they_were():
    """The Identity by which a body reads a variable is that, and no second one."""
    x, free = tf.placeholder(tf.float32, [], name="x"), tf.constant(3.0)

    def inner(y):
        return tf.while_loop(lambda z: z < 9.0, lambda z: tf.identity(z) * free, [y])

    tf.while_loop(
        lambda i, y: i < 4,
        lambda i, y: (i + 1, tf.minimum(inner(y), y + 1.0)),
        [0, x], name="loop",
    )  # fmt: skip
    with tf.device("/cpu:0"):
        y = tf.while_loop(lambda y: y < 4.0, lambda y: y + free, [x], name="placed")
    wanted = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as again, tf.Session() as session:
        tf.import_graph_def(wanted, name="")
        assert_equal_graph_def(again.as_graph_def(), wanted)
        assert again.get_tensor_by_name("loop/Identity_1:0").shape == ()
        assert session.run(["loop/Exit_1:0", y.name], {"x:0": 1.0}) == [5.0, 4.0]
