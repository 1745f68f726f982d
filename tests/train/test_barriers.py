"""Barriers: rows are complete once each component has come."""

import pytest

import twinflow as tf
from tests.threads import Background
from twinflow.ops.queues.barrier import Barrier

OLD = -(2**63)


@pytest.fixture
def barrier(sess):
    """A barrier of a float and two ints, in the graph of `sess`."""
    return Barrier((tf.float32, tf.int32), shapes=((), (2,)), name="B")


def test_rows_leave_in_the_order_of_their_first_component(sess, barrier):
    sess.run(barrier.insert_many(0, ["b"], [2.0]))
    sess.run(barrier.insert_many(0, ["a"], [1.0]))
    assert sess.run([barrier.ready_size(), barrier.incomplete_size()]) == [0, 2]
    sess.run(barrier.insert_many(1, ["a", "b"], [[1, 2], [3, 4]]))
    taken = barrier.take_many(2)
    assert taken.values[1].shape.as_list() == [2, 2]
    indices, keys, (floats, ints) = sess.run(taken)
    assert indices.tolist() == [OLD, OLD + 1] and keys.tolist() == [b"b", b"a"]
    assert floats.tolist() == [2.0, 1.0] and ints.tolist() == [[3, 4], [1, 2]]


def test_who_takes_waits(sess, barrier):
    taken = barrier.take_many(1).keys
    put = [
        barrier.insert_many(0, ["k"], [1.0]),
        barrier.insert_many(1, ["k"], [[1, 2]]),
    ]
    waiting = Background(sess.run, taken)
    assert waiting.waits()
    sess.run(put)
    assert waiting.outcome().tolist() == [b"k"]


def test_closed_barriers_take_what_completes_their_keys(sess, barrier):
    sess.run(barrier.insert_many(0, ["a"], [1.0]))
    sess.run(barrier.close())
    with pytest.raises(tf.errors.CancelledError, match="a brand new key: b"):
        sess.run(barrier.insert_many(0, ["b"], [1.0]))
    sess.run(barrier.insert_many(1, ["a"], [[1, 2]]))
    small = barrier.take_many(5, allow_small_batch=True).keys
    assert sess.run(small).tolist() == [b"a"]
    with pytest.raises(
        tf.errors.OutOfRangeError, match=r"\(requested 5, total size 0\)"
    ):
        sess.run(barrier.take_many(5).keys)


def test_a_component_comes_once(sess, barrier):
    put = barrier.insert_many(0, ["a"], [1.0])
    sess.run(put)
    with pytest.raises(tf.errors.InvalidArgumentError, match="already has a value"):
        sess.run(put)
    with pytest.raises(ValueError, match="Empty tensors are not supported"):
        Barrier(tf.float32, shapes=((0,),))
