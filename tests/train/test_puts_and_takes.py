"""Runs that take from a queue, and also do what ends the wait: one thread runs both."""

import pytest

import twinflow as tf
from twinflow.ops.queues.barrier import Barrier
from twinflow.ops.queues.staging import StagingArea


class Limit:
    """Stands for tf.RunOptions: what still waits fails, instead of the whole suite."""

    timeout_in_ms = 2000


def queue():
    q = tf.FIFOQueue(4, tf.float32, shapes=[()])
    return q.dequeue(), lambda: q.enqueue(2.0), 2.0


def many():
    q = tf.FIFOQueue(4, tf.float32, shapes=[()])
    taken = tf.reduce_sum(q.dequeue_many(2))
    return taken, lambda: q.enqueue_many([[1.0, 2.0]]), 3.0


def rest():
    q = tf.FIFOQueue(4, tf.float32, shapes=[()])
    with tf.control_dependencies([q.enqueue(5.0)]):
        taken = q.dequeue_up_to(3)[0]
    return taken, lambda: q.close(), 5.0


def barrier():
    b = Barrier(tf.float32, shapes=[()])
    _, _, (values,) = b.take_many(1)
    return values[0], lambda: b.insert_many(0, ["k"], [2.0]), 2.0


def area():
    a = StagingArea([tf.float32], shapes=[()])
    return a.get()[0], lambda: a.put([2.0]), 2.0


def accumulator():
    a = tf.ConditionalAccumulator(tf.float32, shape=())
    return a.take_grad(1), lambda: a.apply_grad(2.0), 2.0


def two_queues():
    """The second is filled with what is taken from the first."""
    first, second = (tf.FIFOQueue(4, tf.float32, shapes=[()]) for _ in range(2))
    x = first.dequeue()
    passed = second.enqueue(x + 1.0)
    y = second.dequeue()
    with tf.control_dependencies([passed]):
        y = tf.identity(y)
    return y, lambda: first.enqueue(2.0), 3.0


KINDS = [queue, many, rest, barrier, area, accumulator, two_queues]


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_run_puts_in_is_taken(sess, kind):
    taken, put, wanted = kind()
    found = sess.run([taken, put()], options=Limit())[0]
    assert found == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_what_fails_ends_the_wait(sess, kind):
    taken, put, _ = kind()
    with tf.control_dependencies([tf.Assert(False, ["before"])]):
        done = put()
    with pytest.raises(tf.errors.InvalidArgumentError, match="before"):
        sess.run([taken, done], options=Limit())


def test_what_waits_for_a_take_comes_after_it(sess):
    q = tf.FIFOQueue(4, tf.float32, shapes=[()])
    sess.run(q.enqueue(1.0))
    x = q.dequeue()
    back = q.enqueue(x + 1.0)
    assert sess.run([x, back])[0] == 1.0
    assert sess.run(x) == 2.0
