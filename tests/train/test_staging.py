"""Staging areas; names, values and texts are those of TensorFlow 1.12."""

import pytest

import twinflow as tf
from tests.modes import eager
from tests.threads import Background
from twinflow.base import errors
from twinflow.graph.graph import Graph

__all__ = ["eager"]
staging = tf.contrib.staging


def test_entries_leave_in_order(sess):
    area = staging.StagingArea([tf.float32, tf.int32], shapes=[[], [2]])
    x = tf.placeholder(tf.float32, [])
    put, get = area.put([x, tf.constant([1, 2])]), area.get()
    assert put.name == "StagingArea_put" and get[1].name == "StagingArea_get:1"
    assert get[1].shape.as_list() == [2]
    for i in range(3):
        sess.run(put, {x: i})
    assert sess.run(area.size()) == 3 and sess.run(area.peek(2))[0] == 2
    assert [sess.run(get)[0] for _ in range(2)] == [0, 1]
    sess.run(area.clear())
    assert sess.run(area.size()) == 0


def test_who_puts_in_waits_for_room(sess):
    area = staging.StagingArea([tf.float32], capacity=1, memory_limit=8)
    put, get = area.put([tf.constant(1.0)]), area.get()
    sess.run(put)
    later = Background(sess.run, put)
    assert later.waits()
    assert sess.run(get) == [1.0]
    later.outcome()
    assert sess.run(get) == [1.0]
    with pytest.raises(errors.ResourceExhaustedError, match="size of '12' bytes into"):
        sess.run(area.put([tf.ones([3])]))


@pytest.mark.parametrize("ordered", [True, False])
def test_entries_by_keys_come_in_parts(sess, ordered):
    area = staging.MapStagingArea(
        [tf.float32, tf.int32], names=["x", "y"], ordered=ordered
    )
    key = tf.placeholder(tf.int64, [])
    x = area.put(key, {"x": tf.constant(1.0)})
    y = area.put(key, {"y": tf.constant(3)})
    sess.run(x, {key: 5})
    assert sess.run([area.size(), area.incomplete_size()]) == [0, 1]
    with pytest.raises(errors.InvalidArgumentError, match="already initialized '2'"):
        sess.run(x, {key: 5})
    for op, k in (y, 5), (x, 2), (y, 2):
        sess.run(op, {key: k})
    assert sess.run(area.peek(key), {key: 5}) == {"x": 1.0, "y": 3}
    assert sess.run(area.get(key, ["x"])[1], {key: 5}) == {"x": 1.0}
    with pytest.raises(errors.InvalidArgumentError, match="already been removed"):
        sess.run(area.get(key, ["x"])[1], {key: 5})
    assert sess.run(area.get(key, ["y"])[1], {key: 5}) == {"y": 3}
    assert sess.run(area.get()) == (2, {"x": 1.0, "y": 3})
    sess.run([x, area.clear()], {key: 1})
    assert sess.run(area.incomplete_size()) in (0, 1)  # in either order


def test_the_least_key_comes_first(sess):
    area = staging.MapStagingArea([tf.int32], ordered=True)
    key = tf.placeholder(tf.int64, [])
    put, get = area.put(key, [tf.constant(1)], [0]), area.get()
    for k in (5, 2, 9):
        sess.run(put, {key: k})
    assert [sess.run(get)[0] for _ in range(3)] == [2, 5, 9]


def test_what_does_not_fit():
    with Graph().as_default():
        area = staging.StagingArea([tf.float32], names=["x"])
        for bad, text in (
            ([1.0], "must enqueue a dictionary"),
            ({"z": 1.0}, "do not match names of staging area"),
            ({"x": tf.constant(1)}, "Datatypes do not match"),
        ):
            with pytest.raises(ValueError, match=text):
                area.put(bad)
        others = staging.MapStagingArea([tf.float32])
        with pytest.raises(ValueError, match="not created with names"):
            others.get(1, ["x"])
        with pytest.raises(ValueError, match="Indices must be supplied"):
            others.put(1, [1.0])


def test_graph_defs_keep_areas(sess):
    with Graph().as_default() as graph:
        area = staging.StagingArea([tf.float32], shared_name="a")
        area.put([tf.constant(2.0)], "put")
        area.get("get")
    put, get = tf.import_graph_def(
        graph.as_graph_def(), return_elements=["put", "get:0"]
    )
    sess.run(put)
    assert sess.run(get) == 2.0


def test_eagerly(eager):
    area = staging.StagingArea([tf.float32])
    area.put([3.0])
    assert area.get()[0].numpy() == 3.0 and area.size().numpy() == 0
    entries = staging.MapStagingArea([tf.float32], ordered=True)
    entries.put(7, [tf.constant(1.0)], [0])
    key, (value,) = entries.get()
    assert (key.numpy(), value.numpy()) == (7, 1.0)
