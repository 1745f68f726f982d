"""Graphs without their input pipelines: other datasets, and those of a process."""

import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph


def pipeline():
    """What TensorFlow 1.12 writes for range(3) -> iterator -> y."""
    found = tf.GraphDef()

    def add(name, op, *inputs, **attrs):
        node = found.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            node.attr[key].CopyFrom(value)

    kinds = tf.AttrValue(list=tf.AttrValue.ListValue(type=[tf.int64.as_datatype_enum]))
    shapes = tf.AttrValue()
    shapes.list.shape.add()
    of = {"output_types": kinds, "output_shapes": shapes}
    add("limits", "Placeholder", dtype=tf.AttrValue(type=tf.int64.as_datatype_enum))
    add("RangeDataset", "RangeDataset", "limits", "limits", "limits", **of)
    add("IteratorV2", "IteratorV2", **of)
    add("MakeIterator", "MakeIterator", "RangeDataset", "IteratorV2")
    add("IteratorGetNext", "IteratorGetNext", "IteratorV2", **of)
    add("y", "Identity", "IteratorGetNext",
        T=tf.AttrValue(type=tf.int64.as_datatype_enum))  # fmt: skip
    return found


def test_another_dataset_takes_the_place_of_one():
    found = pipeline()
    for node in list(found.node):
        if "Dataset" in node.op or "Iterator" in node.op:
            found.node.remove(node)
    with Graph().as_default(), Session() as session:
        following = tf.data.Dataset.range(3).make_one_shot_iterator().get_next()
        (y,) = tf.import_graph_def(
            found, input_map={"IteratorGetNext:0": following}, return_elements=["y:0"]
        )
        assert [int(session.run(y)) for _ in range(3)] == [0, 1, 2]


def test_graphs_with_datasets_of_this_process_can_be_written():
    """Other programs read such a GraphDef, and say at run time what it lacks."""
    with Graph().as_default() as graph:
        dataset = tf.data.Dataset.from_generator(lambda: iter(range(5)), tf.int64, [])
        total = dataset.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)
        single = tf.data.experimental.get_single_element(dataset.batch(5))
        tf.data.experimental.TFRecordWriter("x").write(dataset.map(tf.as_string))
        stats = tf.data.experimental.StatsAggregator().get_summary()
        names = [t.name for t in (total, single, stats)]
        found = graph.as_graph_def()
    assert "IteratorGetNext" in {n.op for n in found.node}
    with Graph().as_default(), Session() as session:
        a, b, c = tf.import_graph_def(found, name="", return_elements=names)
        assert session.run(c) == b""
        for t in a, b:
            with pytest.raises(errors.FailedPreconditionError, match="not been initia"):
                session.run(t)
