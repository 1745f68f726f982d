"""Coordinator, LooperThread, QueueRunner: threads that stop together."""

import sys
import threading

import pytest

import twinflow as tf
from tests import threads
from tests.threads import Background
from twinflow.base import dispatch
from twinflow.eager.mode import MODE


@pytest.fixture
def coord():
    """A Coordinator; no thread may stay."""
    before = threads.others()
    yield tf.train.Coordinator()
    threads.check_none_stays(before)


def exc_info(error):
    """What sys.exc_info() gives for an exception."""
    try:
        raise error
    except type(error):
        return sys.exc_info()


# ---------------------------------------------------------------------- stopping
def test_stop_and_start_again(coord):
    assert not coord.should_stop() and not coord.joined
    assert not coord.wait_for_stop(0.001)
    coord.request_stop()
    assert coord.should_stop() and coord.wait_for_stop()
    coord.join()
    assert coord.joined
    coord.clear_stop()
    assert not coord.should_stop() and not coord.joined


def test_join_waits_for_threads_and_raises_their_reason(coord):
    def work():
        with coord.stop_on_exception():
            raise KeyError("why")

    waiting = Background(coord.wait_for_stop)
    coord.register_thread(waiting)
    with pytest.raises(KeyError, match="why"):
        coord.join([Background(work)])
    assert waiting.outcome() is True
    with pytest.raises(KeyError):
        coord.raise_requested_exception()


@pytest.mark.parametrize("form", [exc_info, lambda error: error])
def test_the_first_reason_counts(coord, form):
    coord.request_stop(form(ValueError("first")))
    coord.request_stop(form(ValueError("second")))
    with pytest.raises(ValueError, match="first"):
        coord.join()
    with pytest.raises(ValueError, match="third"):  # nobody joins any more
        coord.request_stop(form(ValueError("third")))


def test_the_end_of_the_input_is_no_reason(coord):
    with coord.stop_on_exception():
        raise tf.errors.OutOfRangeError(None, None, "over")
    assert coord.should_stop()
    coord.join()
    own = tf.train.Coordinator(clean_stop_exception_types=(KeyError,))
    own.request_stop(KeyError("clean"))
    own.join()


def test_threads_that_do_not_stop(coord):
    go = threading.Event()
    thread = threading.Thread(target=go.wait, name="stubborn")
    thread.start()
    coord.request_stop()
    with pytest.raises(RuntimeError) as info:
        coord.join([thread], stop_grace_period_secs=0.02)
    text = "Coordinator stopped with threads still running: stubborn"
    assert str(info.value) == text
    coord.join([thread], stop_grace_period_secs=0.02, ignore_live_threads=True)
    go.set()
    thread.join()


# ---------------------------------------------------------------------- loopers
def test_loopers_call_until_the_stop(coord):
    seen = []

    def call(x, y=0):
        seen.append(x + y)
        if len(seen) == 4:
            coord.request_stop()

    looper = tf.train.LooperThread.loop(coord, 0.001, call, (1,), {"y": 2})
    assert looper.daemon
    coord.join()
    assert seen == [3] * 4


def test_loopers_report_what_they_die_of(coord):
    def fail():
        raise ValueError("in the loop")

    tf.train.LooperThread.loop(coord, None, fail)
    with pytest.raises(ValueError, match="in the loop"):
        coord.join()


def test_loopers_may_be_derived_from(coord):
    class Counter(tf.train.LooperThread):
        events = ()

        def start_loop(self):
            self.events += ("start",)

        def run_loop(self):
            self.events += ("run",)
            coord.request_stop()

        def stop_loop(self):
            self.events += ("stop",)

    counter = Counter(coord, None)
    counter.start()
    coord.join([counter])
    assert counter.events == ("start", "run", "stop")
    with pytest.raises(ValueError, match="'coord' argument must be a Coordinator: 3"):
        tf.train.LooperThread(3, 1)
    with pytest.raises(ValueError, match="require that you also pass 'target'"):
        tf.train.LooperThread(coord, 1, args=(1,))


# ---------------------------------------------------------------------- runners
def limited(count):
    """A queue, and a QueueRunner that puts `count` times 7 in."""
    queue = tf.FIFOQueue(2, tf.int32, [()], name="q")
    seven = tf.train.limit_epochs(tf.constant(7), count)
    return queue, tf.train.QueueRunner(queue, [queue.enqueue(seven)] * 2)


def test_runners_fill_a_queue_and_close_it(sess, coord):
    queue, runner = limited(5)
    sess.run(tf.local_variables_initializer())
    started = runner.create_threads(sess, coord, start=True)
    names = [t.name for t in started]
    assert names == [
        "QueueRunnerThread-q-q_enqueue",
        "QueueRunnerThread-q-q_enqueue",
        "QueueRunnerThread-q-close_on_stop",
    ]
    get = queue.dequeue()
    assert [sess.run(get) for _ in range(5)] == [7] * 5
    with pytest.raises(tf.errors.OutOfRangeError):
        sess.run(get)
    coord.request_stop()
    coord.join()


def test_the_stop_ends_runners_that_wait(sess, coord):
    queue, runner = limited(None)
    tf.train.add_queue_runner(runner)
    started = tf.train.start_queue_runners(sess, coord)
    assert len(started) == 3 and all(t.daemon for t in started)
    assert tf.train.start_queue_runners(sess, coord) == []  # they run
    assert sess.run(queue.dequeue()) == 7
    coord.request_stop()
    coord.join(started)


def test_what_runners_die_of_is_raised_by_join(sess, coord):
    queue = tf.FIFOQueue(2, tf.int32, [()])
    bad = tf.constant(1) // tf.placeholder_with_default(0, [])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(bad)]))
    tf.train.start_queue_runners(sess, coord)
    with pytest.raises(tf.errors.OutOfRangeError):
        sess.run(queue.dequeue())
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        coord.join()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_without_a_coordinator_runners_keep_what_they_die_of(sess):
    queue = tf.FIFOQueue(2, tf.int32, [()])
    bad = tf.constant(1) // tf.placeholder_with_default(0, [])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(bad)])
    for t in runner.create_threads(sess, start=True):
        t.join()
    (error,) = runner.exceptions_raised
    assert isinstance(error, tf.errors.InvalidArgumentError)


def test_closing_the_session_ends_runners(sess, coord):
    _, runner = limited(None)
    other = tf.Session(graph=sess.graph)
    runner.create_threads(other, coord, start=True)
    other.close()
    with pytest.raises((tf.errors.CancelledError, RuntimeError)):
        coord.join()


def test_runners_of_a_graph_by_name(sess):
    queue, runner = limited(None)
    proto = runner.to_proto()
    assert proto.queue_name == "q" and list(proto.enqueue_op_name) == ["q_enqueue"] * 2
    again = tf.train.QueueRunner.from_proto(proto)
    assert again.enqueue_ops == runner.enqueue_ops and again.name == runner.name
    assert again.close_op is runner.close_op and again.cancel_op is runner.cancel_op
    assert again.queue_closed_exception_types == (tf.errors.OutOfRangeError,)
    assert runner.queue is queue and runner.to_proto(export_scope="other") is None


def test_refusals_of_runners(sess):
    queue, runner = limited(None)
    with pytest.raises(ValueError, match="Must provide queue and enqueue_ops"):
        tf.train.QueueRunner(queue, [])
    with pytest.raises(TypeError, match="must be a tuple of"):
        ops = runner.enqueue_ops
        tf.train.QueueRunner(queue, ops, queue_closed_exception_types=(ValueError,))
    with pytest.raises(TypeError, match="must be a QueueRunnerDef"):
        tf.train.QueueRunner(queue_runner_def=3)
    with pytest.raises(TypeError, match="sess must be a"):
        tf.train.start_queue_runners(3)
    with dispatch.entered(MODE):
        with pytest.raises(RuntimeError, match="QueueRunners are not supported when"):
            tf.train.QueueRunner(queue, runner.enqueue_ops)
        with pytest.raises(RuntimeError, match="Queues are not compatible with eager"):
            tf.train.start_queue_runners()


def test_start_needs_a_session():
    problem = pytest.raises(ValueError, match="No default session is registered")
    with tf.Graph().as_default(), problem:
        tf.train.start_queue_runners()
