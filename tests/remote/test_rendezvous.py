"""Tensors that go from one task to another, and large ones in pieces."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.graph import Graph
from twinflow.remote import rendezvous

MANY = """
import sys, twinflow as tf
from twinflow.remote import rendezvous
rendezvous.PIECE = rendezvous.MESSAGE = 100
index, ports = int(sys.argv[1]), sys.argv[2].split(",")
server = tf.train.Server({"ps": ["localhost:" + p for p in ports]}, task_index=index)
print("READY")
sys.stdout.flush()
server.join()
"""


@pytest.fixture
def tasks(start, ports, monkeypatch):
    """A server here, and two in other processes; messages hold 100 bytes."""
    monkeypatch.setattr(rendezvous, "PIECE", 100)
    monkeypatch.setattr(rendezvous, "MESSAGE", 100)
    text = ",".join(map(str, ports))
    others = [start(MANY, i, text) for i in (1, 2)]
    for other in others:
        assert other.stdout.readline() == "READY\n"
    cluster = {"ps": [f"localhost:{p}" for p in ports]}
    return tf.train.Server(cluster, task_index=0), others


@pytest.fixture
def received(monkeypatch):
    """The names of the tensors that the master itself gets or gives."""
    names = []
    put, array_of = rendezvous.tensors.put, rendezvous.tensors.array_of
    tensors = rendezvous.tensors

    def noted(field, name, *args):
        names.append(name)
        return put(field, name, *args)

    def noted_array(proto, name):
        names.append(name)
        return array_of(proto, name)

    monkeypatch.setattr(tensors, "put", noted)
    monkeypatch.setattr(tensors, "array_of", noted_array)
    return names


def test_tensors_go_from_task_to_task(tasks, received):
    server, _ = tasks
    with Graph().as_default(), tf.Session(server.target) as sess:
        with tf.device("/job:ps/task:1"):
            v = tf.get_variable("v", initializer=np.arange(6.0, dtype="f"))
            names = tf.constant(["a", "bc"]) + "d"
            half = tf.cast(v, tf.bfloat16)
            total, part = tf.reduce_sum(v), v * 2
        with tf.device("/job:ps/task:2"):
            found = [part + total, names + "e", tf.cast(half, tf.float32), total + 1]
        with tf.device("/job:ps/task:1"):
            back = found[0] + 1
        sess.run(v.initializer)
        del received[:]
        values = sess.run([back, *found])
        assert values[0].tolist() == [16, 18, 20, 22, 24, 26]
        assert values[1].tolist() == [15, 17, 19, 21, 23, 25]
        assert values[2].tolist() == [b"ade", b"bcde"]
        assert values[3].tolist() == [0, 1, 2, 3, 4, 5]
        assert len(received) == 5  # what is fetched, and nothing between
        assert server._task.rendezvous._kept == {}


def test_large_tensors_travel_in_pieces(tasks):
    server, _ = tasks
    encoded = np.vectorize(str.encode, otypes=[object])
    for dtype in (tf.float32, tf.int64, tf.bfloat16, tf.bool, tf.string):
        with Graph().as_default(), tf.Session(server.target) as sess:
            x = tf.placeholder(dtype, [None, 7])
            with tf.device("/job:ps/task:1"):
                there = tf.concat([x, x], 0)
            with tf.device("/job:ps/task:2"):
                further = tf.identity(tf.concat([there, x], 0))
            rows = np.arange(70).reshape(10, 7) % 128
            if dtype is tf.string:
                rows = encoded(rows.astype(str).astype(object))
            rows = rows.astype(dtype.as_numpy_dtype)
            first, second = sess.run([there, further], {x: rows})
            np.testing.assert_array_equal(first, np.concatenate([rows] * 2))
            np.testing.assert_array_equal(second, np.concatenate([rows] * 3))
            assert server._task.rendezvous._kept == {}


def test_a_task_between_that_is_lost_is_named(tasks):
    server, others = tasks
    with Graph().as_default(), tf.Session(server.target) as sess:
        with tf.device("/job:ps/task:1"):
            v = tf.get_variable("v", initializer=1.0)
        with tf.device("/job:ps/task:2"):
            twice = v * 2
        sess.run(v.initializer)
        assert sess.run(twice) == 2
        others[0].kill()
        others[0].wait(30)
        with pytest.raises(tf.errors.UnavailableError, match="/task:1"):
            sess.run(twice)
