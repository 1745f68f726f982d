"""Queues: what goes in comes out, in the right order, and whoever waits is told."""

import numpy as np
import pytest

import twinflow as tf
from tests.threads import Background
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

CLOSED = "is closed and has insufficient elements (requested {}, current size {})"


class Timeout:
    """Stands for tf.RunOptions."""

    timeout_in_ms = 50


@pytest.fixture
def queue(sess):
    """A queue of one float, in the graph of `sess`."""
    return tf.FIFOQueue(1, tf.float32, shapes=[()])


# ---------------------------------------------------------------------- in and out
def test_rows_leave_in_order(sess):
    q = tf.FIFOQueue(10, [tf.int32, tf.string], shapes=[(2,), ()])
    sess.run(q.enqueue(([1, 2], "a")))
    sess.run(q.enqueue_many(([[3, 4], [5, 6], [7, 8]], ["b", "c", "d"])))
    assert sess.run(q.size()) == 4
    first, text = sess.run(q.dequeue())
    assert first.tolist() == [1, 2] and text == b"a"
    rows, texts = sess.run(q.dequeue_many(2))
    assert rows.tolist() == [[3, 4], [5, 6]] and texts.tolist() == [b"b", b"c"]
    assert rows.dtype == np.int32 and texts.dtype == object
    assert sess.run(q.dequeue_many(0))[0].shape == (0, 2)


def test_single_strings_are_stacked_as_bytes(sess):
    q = tf.FIFOQueue(10, tf.string, shapes=[()])
    for text in ("a", "bc"):
        sess.run(q.enqueue(tf.constant(text)))
    assert sess.run(q.dequeue_many(2)).tolist() == [b"a", b"bc"]


def test_names_make_dicts(sess):
    q = tf.FIFOQueue(3, [tf.float32, tf.int32], [(), ()], names=["x", "y"])
    sess.run(q.enqueue({"y": 2, "x": 1.0}))
    assert sess.run(q.dequeue()) == {"x": 1.0, "y": 2}
    with pytest.raises(ValueError, match=r"Dictionary: \(\['x'\]\), Queue: \(\['x'"):
        q.enqueue({"x": 1.0})
    with pytest.raises(ValueError, match="must enqueue a dictionary"):
        q.enqueue((1.0, 2))


def test_static_shapes(sess):
    q = tf.FIFOQueue(3, [tf.float32], shapes=[(2,)], name="q")
    n = tf.placeholder(tf.int32)
    assert q.queue_ref.dtype is tf.resource and q.name == "q"
    assert q.dequeue().shape == (2,) and q.dequeue_many(3).shape == (3, 2)
    assert q.dequeue_many(n).shape.as_list() == [None, 2]
    up_to = q.dequeue_up_to(3, name="rest")
    assert up_to.name == "rest:0" and up_to.shape.as_list() == [None, 2]
    assert q.enqueue([[1.0, 2.0]]).name == "q_enqueue"
    assert tf.FIFOQueue(1, tf.float32).dequeue().shape.ndims is None


def test_shuffled_rows_are_those_of_tensorflow(sess):
    q = tf.RandomShuffleQueue(20, 5, tf.int32, shapes=[()], seed=5)
    sess.run(q.enqueue_many([list(range(10))]))
    assert sess.run(q.dequeue_many(5)).tolist() == [1, 2, 0, 4, 8]
    waiting = Background(sess.run, q.dequeue())
    assert waiting.waits()  # five rows stay, to mix with those to come
    sess.run(q.close())
    assert waiting.outcome() == 6
    assert sess.run(q.dequeue_up_to(5)).tolist() == [9, 5, 7, 3]


def test_smallest_priority_first(sess):
    q = tf.PriorityQueue(10, tf.string, shapes=[()])
    assert q.dtypes == [tf.int64, tf.string]
    sess.run(q.enqueue_many(([3, 1, 2, 1], ["c", "a", "b", "also a"])))
    assert sess.run(q.dequeue()) == [1, b"a"]
    numbers, texts = sess.run(q.dequeue_many(3))
    assert numbers.tolist() == [1, 2, 3] and texts.tolist() == [b"also a", b"b", b"c"]


def test_padding(sess):
    q = tf.PaddingFIFOQueue(5, [tf.float32, tf.string], [(2, None), (None,)])
    x = tf.placeholder(tf.float32)
    put = q.enqueue((x, ["a"] * 2))
    sess.run(put, {x: [[1.0], [2.0]]})
    sess.run(put, {x: [[3.0, 4.0], [5.0, 6.0]]})
    sess.run(q.enqueue(([[], []], [])))
    numbers, texts = sess.run(q.dequeue_many(3))
    assert numbers.tolist() == [[[1, 0], [2, 0]], [[3, 4], [5, 6]], [[0, 0], [0, 0]]]
    assert texts.tolist() == [[b"a", b"a"], [b"a", b"a"], [b"", b""]]
    with pytest.raises(tf.errors.InvalidArgumentError) as info:
        sess.run(put, {x: [1.0]})
    assert info.value.message.startswith(
        "Shape mismatch in tuple component 0. Expected [2,?], got [1]"
    )


def test_a_queue_chosen_when_the_op_runs(sess):
    queues = [tf.FIFOQueue(3, tf.int32, [()]) for _ in range(2)]
    which = tf.placeholder(tf.int32, [])
    chosen = tf.QueueBase.from_list(which, queues)
    put = chosen.enqueue(7)
    sess.run(put, {which: 1})
    assert [sess.run(q.size()) for q in queues] == [0, 1]
    assert sess.run(chosen.dequeue(), {which: 1}) == 7
    with pytest.raises(TypeError, match="matching component dtypes"):
        tf.QueueBase.from_list(0, [queues[0], tf.FIFOQueue(3, tf.float32)])


def test_sessions_are_apart_and_shared_names_are_not(sess):
    a, b = (tf.FIFOQueue(3, tf.int32, [()], shared_name="one") for _ in range(2))
    sess.run(a.enqueue(1))
    assert sess.run(b.size()) == 1
    with tf.Session(graph=sess.graph) as other:
        assert other.run(a.size()) == 0
    for wrong, text in (
        (tf.FIFOQueue(4, tf.int32, [()], shared_name="one"), "'one' has capacity 3"),
        (tf.FIFOQueue(3, tf.int8, [()], shared_name="one"), "component types int32"),
        (tf.FIFOQueue(3, tf.int32, shared_name="one"), r"shapes \[\[\]\] but"),
        (tf.RandomShuffleQueue(3, 1, tf.int32, shared_name="one"), "found RandomShuff"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            sess.run(wrong.size())


def test_in_a_branch_and_in_a_loop(sess):
    q = tf.FIFOQueue(10, tf.int32, [()])
    x = tf.placeholder(tf.int32, [])
    put = tf.cond(x > 0, lambda: q.enqueue(x), tf.no_op)
    sess.run(put, {x: 0})
    sess.run(put, {x: 5})
    total = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, s + q.dequeue()),
        [0, 0],
        parallel_iterations=1,
    )[1]
    sess.run(q.enqueue_many([[6, 7]]))
    assert sess.run(total) == 18


# ---------------------------------------------------------------------- waiting
def test_dequeue_waits_for_another_thread(sess, queue):
    get, put = queue.dequeue(), queue.enqueue(3.0)
    waiting = Background(sess.run, get)
    assert waiting.waits()
    sess.run(put)
    assert waiting.outcome() == 3.0


def test_enqueue_waits_for_room(sess, queue):
    put, get = queue.enqueue(3.0), queue.dequeue()
    sess.run(put)
    waiting = Background(sess.run, put)
    assert waiting.waits() and sess.run(queue.size()) == 1
    sess.run(get)
    waiting.outcome()
    assert sess.run(queue.size()) == 1


def test_more_rows_at_once_than_there_is_room(sess, queue):
    waiting = Background(sess.run, queue.enqueue_many([[1.0, 2.0, 3.0]]))
    assert waiting.waits()
    assert sess.run(queue.dequeue_many(3)).tolist() == [1.0, 2.0, 3.0]
    waiting.outcome()


def test_the_first_request_is_served_first(sess):
    q = tf.FIFOQueue(5, tf.int32, [()])
    many = Background(sess.run, q.dequeue_many(3))
    assert many.waits()
    one = Background(sess.run, q.dequeue())
    assert one.waits()
    sess.run(q.enqueue_many([[1, 2, 3, 4]]))
    assert many.outcome().tolist() == [1, 2, 3] and one.outcome() == 4


def test_many_threads_lose_nothing(sess):
    q = tf.FIFOQueue(7, tf.int32, [()])
    x = tf.placeholder(tf.int32, [])
    put, get = q.enqueue(x), q.dequeue_many(5)

    def fill(start):
        for i in range(start, start + 50):
            sess.run(put, {x: i})

    fillers = [Background(fill, 50 * i) for i in range(4)]
    found = [Background(lambda: [sess.run(get) for _ in range(10)]) for _ in range(4)]
    for t in fillers:
        t.outcome()
    rows = np.concatenate([part for t in found for part in t.outcome()])
    assert sorted(rows.tolist()) == list(range(200))


# ---------------------------------------------------------------------- closing
def test_closed_queues_give_what_is_left(sess):
    q = tf.FIFOQueue(5, tf.int32, [()], name="q")
    sess.run(q.enqueue_many([[1, 2, 3]]))
    assert not sess.run(q.is_closed())
    sess.run(q.close())
    assert sess.run(q.is_closed())
    name = next(iter(sess._home._cells.values())).name
    assert name.endswith("_q") and name.startswith("_")
    with pytest.raises(tf.errors.CancelledError) as info:
        sess.run(q.enqueue(4))
    assert info.value.message.startswith(f"FIFOQueue '{name}' is closed.\n")
    with pytest.raises(tf.errors.OutOfRangeError) as info:
        sess.run(q.dequeue_many(4))
    start = f"FIFOQueue '{name}' {CLOSED.format(4, 3)}"
    assert info.value.message.startswith(start)
    assert sess.run(q.dequeue_up_to(4)).tolist() == [1, 2, 3]
    for op in (q.dequeue(), q.dequeue_up_to(2)):
        with pytest.raises(tf.errors.OutOfRangeError, match="current size 0"):
            sess.run(op)
    with pytest.raises(tf.errors.CancelledError, match="is already closed"):
        sess.run(q.close())
    sess.run(q.close(cancel_pending_enqueues=True))


def test_close_ends_waits_for_rows(sess, queue):
    waiting = Background(sess.run, queue.dequeue())
    assert waiting.waits()
    sess.run(queue.close())
    with pytest.raises(tf.errors.OutOfRangeError, match=r"requested 1, current size 0"):
        waiting.outcome()


def test_close_lets_enqueues_finish_that_wait(sess, queue):
    put = queue.enqueue(1.0)
    sess.run(put)
    waiting = Background(sess.run, put)
    assert waiting.waits()
    closing = Background(sess.run, queue.close())
    assert closing.waits()
    get = queue.dequeue()
    assert [sess.run(get), sess.run(get)] == [1.0, 1.0]
    waiting.outcome()
    closing.outcome()
    assert sess.run(queue.is_closed())


def test_close_cancels_enqueues_that_wait(sess, queue):
    waiting = Background(sess.run, queue.enqueue_many([[1.0, 2.0]]))
    assert waiting.waits()
    sess.run(queue.close(cancel_pending_enqueues=True))
    with pytest.raises(tf.errors.CancelledError, match="Enqueue operation was cancel"):
        waiting.outcome()
    assert sess.run(queue.dequeue()) == 1.0  # what had gone in stays in


def test_rows_of_a_request_that_fails_go_back(sess):
    q = tf.FIFOQueue(5, tf.int32, [()])
    sess.run(q.enqueue_many([[1, 2]]))
    waiting = Background(sess.run, q.dequeue_many(3))
    assert waiting.waits() and sess.run(q.size()) == 0
    sess.run(q.close())
    with pytest.raises(tf.errors.OutOfRangeError, match=r"requested 1, current size 0"):
        waiting.outcome()
    assert sess.run(q.dequeue_many(2)).tolist() == [1, 2]


@pytest.mark.parametrize("full", [True, False])
def test_closing_the_session_ends_waits(sess, full):
    q = tf.FIFOQueue(1, tf.float32, [()])
    put, get = q.enqueue(1.0), q.dequeue()
    other = tf.Session(graph=sess.graph)
    if full:
        other.run(put)
    waiting = Background(other.run, put if full else get)
    assert waiting.waits()
    other.close()
    what = "Enqueue" if full else "Dequeue"
    with pytest.raises(tf.errors.CancelledError, match=f"{what} operation was cancel"):
        waiting.outcome()
    with pytest.raises(RuntimeError, match="closed Session"):
        other.run(get)


def test_time_limits(sess):
    q = tf.FIFOQueue(3, tf.int32, [()])
    sess.run(q.enqueue(1))
    for op in (q.dequeue_many(2), q.dequeue_many(3)):
        with pytest.raises(tf.errors.DeadlineExceededError, match="Timed out waiting"):
            sess.run(op, options=Timeout())
    assert sess.run(q.dequeue()) == 1  # it went back


# ---------------------------------------------------------------------- refusals
def test_eager_execution_has_no_queues():
    with dispatch.entered(MODE):
        for make in (
            lambda: tf.FIFOQueue(1, tf.float32),
            lambda: tf.RandomShuffleQueue(2, 1, tf.float32),
            lambda: tf.PaddingFIFOQueue(1, [tf.float32], [()]),
            lambda: tf.PriorityQueue(1, tf.float32),
            lambda: tf.QueueBase.from_list(0, []),
        ):
            with pytest.raises(RuntimeError) as info:
                make()
            text = "Queues are not compatible with eager execution."
            assert str(info.value) == text


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: tf.FIFOQueue(3, [tf.int32], names=["a", "b"]), "List of names must"),
        (lambda: tf.FIFOQueue(3, [tf.int32], [(), ()]), "Queue shapes must have the"),
        (lambda: tf.FIFOQueue(3, [tf.int32], [(None,)]), "must be fully defined"),
        (lambda: tf.PaddingFIFOQueue(3, [tf.int32], None), "a list of shapes must be"),
        (lambda: tf.FIFOQueue(3, tf.int32).enqueue((1, 2)), "Got 2 values to enqueue"),
        (lambda: tf.FIFOQueue(3, tf.int32, [(2,)]).enqueue([[1]]), "are incompatible"),
        (lambda: tf.FIFOQueue(3, tf.int32, [()]).dequeue_many(-1), "must be >= 0"),
    ],
)
def test_refusals(sess, make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_refusals_when_run(sess):
    q = tf.FIFOQueue(3, tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="specified shapes"):
        sess.run(q.dequeue_many(1))
    few = tf.RandomShuffleQueue(5, 5, tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be < capacity 5"):
        sess.run(few.size())
    n = tf.placeholder(tf.int32, [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="requested -1 < 0 elem"):
        sess.run(tf.FIFOQueue(3, tf.int32, [()]).dequeue_many(n), {n: -1})
