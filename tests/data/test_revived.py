"""Datasets of MetaGraphs that are imported where they were exported."""

import pytest

import twinflow as tf


def pipeline(count=6):
    return tf.data.Dataset.range(count).map(lambda x: x * x).batch(2)


def element(iterator, name):
    return tf.identity(iterator.get_next(), name=name)


@pytest.mark.parametrize("kind", ["one shot", "initializable"])
def test_an_imported_graph_goes_through_its_dataset(kind):
    with tf.Graph().as_default():
        if kind == "one shot":
            element(pipeline().make_one_shot_iterator(), "x")
        else:
            iterator = pipeline().make_initializable_iterator()
            tf.add_to_collection("starts", iterator.initializer)
            element(iterator, "x")
        meta = tf.train.export_meta_graph()
    for scope in ("", "again"):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.train.import_meta_graph(meta, import_scope=scope)
            x = graph.get_tensor_by_name(f"{scope}/x:0".strip("/"))
            session.run(tf.get_collection("starts"))
            found = [session.run(x).tolist() for _ in range(3)]
            assert found == [[0, 1], [4, 9], [16, 25]]
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(x)


def test_what_a_dataset_takes_from_the_graph_is_computed_there():
    with tf.Graph().as_default():
        count = tf.placeholder(tf.int64, name="count")
        iterator = tf.data.Dataset.range(count).make_initializable_iterator()
        tf.add_to_collection("starts", iterator.initializer)
        element(iterator, "x")
        meta = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(meta)
        session.run(tf.get_collection("starts"), {"count:0": 1})
        assert session.run("x:0") == 0
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run("x:0")


def test_a_place_brings_its_dataset(tmp_path):
    def graph_of(make):
        iterator = make()
        tf.add_to_collection(
            tf.GraphKeys.SAVEABLE_OBJECTS,
            tf.data.experimental.make_saveable_from_iterator(iterator),
        )
        return iterator, iterator.get_next(), tf.train.Saver(allow_empty=True)

    path = str(tmp_path / "place")
    with tf.Graph().as_default(), tf.Session() as session:
        iterator, x, saver = graph_of(lambda: pipeline().make_initializable_iterator())
        session.run(iterator.initializer)
        session.run(x)
        saver.save(session, path)
    for make in (
        lambda: tf.data.Iterator.from_structure(tf.int64, [None]),
        lambda: pipeline(100).make_initializable_iterator(),
    ):
        with tf.Graph().as_default(), tf.Session() as session:
            _, x, saver = graph_of(make)
            saver.restore(session, path)
            assert session.run(x).tolist() == [4, 9]
