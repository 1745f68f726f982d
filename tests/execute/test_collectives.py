"""Collective ops: each member gets what all members of its group give."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.graph import Graph
from twinflow.ops.math import collective


def _members(values, merge, final):
    found = []
    for i, value in enumerate(values):
        with tf.device(f"/cpu:{i}"):
            x = tf.constant(value) + 0.0
            y = collective.all_reduce(x, len(values), 1, 1, merge, final)
            found.append(y * 2.0)
    return found


@pytest.mark.parametrize(
    ("merge", "final", "expected"),
    [("Add", "Id", [12, 18]), ("Add", "Div", [4, 6]), ("Mul", "Id", [12, 48]),
     ("Min", "Id", [2, 4]), ("Max", "Id", [6, 8])],
)  # fmt: skip
def test_a_reduction_of_a_group(merge, final, expected):
    with Graph().as_default():
        fetches = _members([[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]], merge, final)
        config = tf.ConfigProto(device_count={"CPU": 3})
        with tf.Session(config=config) as sess:
            found = sess.run(fetches[::-1])
            assert np.array(found).tolist() == [expected] * 3
            with pytest.raises(tf.errors.InvalidArgumentError, match="group of 3, but"):
                sess.run(fetches[:2])


def test_a_broadcast():
    with Graph().as_default():
        config = tf.ConfigProto(device_count={"CPU": 2})
        with tf.device("/cpu:1"):
            received = collective.broadcast_recv([2], tf.float32, 2, 1, 1)
        with tf.device("/cpu:0"):
            x = tf.constant([1.0, 2.0])
            sent = collective.broadcast_send(x, x.shape, x.dtype, 2, 1, 1)
        with tf.Session(config=config) as sess:
            assert np.array(sess.run([received, sent])).tolist() == [[1, 2], [1, 2]]
        with pytest.raises(ValueError, match="Device assignment required"):
            collective.all_reduce(tf.constant(1.0), 2, 1, 1, "Add", "Id")
