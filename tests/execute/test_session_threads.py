"""One session, many threads: training, reading, building, closing."""

import sys
import threading
import time

import numpy as np
import pytest

import twinflow as tf
from tests.threads import Background, check_none_stays, others
from tests.ways import compiled, interpreted

THREADS, STEPS = 8, 60


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def engine(request):
    chosen = interpreted() if request.param == "interpreted" else compiled()
    before, interval = others(), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with chosen, tf.Graph().as_default():
        yield request.param
    sys.setswitchinterval(interval)
    check_none_stays(before)


def test_no_update_is_lost_and_no_read_is_torn():
    """Every step adds 1 everywhere; a lost one or half a one would show."""
    x = tf.placeholder(tf.float32, [None])
    v = tf.Variable(tf.zeros([1000]), use_resource=True)
    w = tf.get_variable("w", [1000], initializer=tf.zeros_initializer())
    loss = tf.reduce_sum(v * x[0])
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss, var_list=[v])
    add = w.assign_add(tf.ones([1000]), use_locking=True)
    whole = [tf.reduce_max(v) - tf.reduce_min(v), tf.reduce_max(w) - tf.reduce_min(w)]

    def steps(session):
        for i in range(STEPS):
            session.run([train, add], {x: [-1.0]})
            if i % 3 == 0:
                assert session.run(whole) == [0.0, 0.0]

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        threads = [Background(steps, session) for _ in range(THREADS)]
        for t in threads:
            t.outcome()
        total = THREADS * STEPS
        np.testing.assert_array_equal(session.run(v), np.full(1000, total))
        np.testing.assert_array_equal(session.run(w), np.full(1000, total))


def test_graphs_grow_while_they_run(engine):
    a = tf.placeholder(tf.float32, [])
    y = a + 1.0
    graph = tf.get_default_graph()
    done, rounds = threading.Event(), 20 if engine == "interpreted" else 1

    def run(session):
        count = 0
        while not done.is_set():
            assert session.run(y, {a: 1.0}) == 2.0
            count += 1
        return count

    def build(session, number):
        with graph.as_default():
            z = y * 0.0
            for _ in range(rounds):
                z = z + float(number)
                assert session.run(z, {a: 0.0}) >= number
            return session.run(z, {a: 0.0})

    with tf.Session() as session:
        runners = [Background(run, session) for _ in range(4)]
        builders = [Background(build, session, i) for i in range(4)]
        found = [b.outcome() for b in builders]
        assert found == [0.0, rounds, 2.0 * rounds, 3.0 * rounds]
        done.set()
        assert all(r.outcome() > 0 for r in runners)


def test_nodes_made_at_once_stay_apart():
    """Each has its own name and place, and no name scope leaks into another thread."""
    graph, start = tf.get_default_graph(), threading.Barrier(THREADS)

    def build(number):
        start.wait()
        with graph.as_default():
            for _ in range(STEPS):
                tf.add(number, 1.0, name="sum")

    threads = [Background(build, float(i)) for i in range(THREADS)]
    for t in threads:
        t.outcome()
    nodes = graph.get_operations()
    assert [n.index for n in nodes] == list(range(len(nodes)))
    assert len({n.name for n in nodes}) == len(nodes) == len(graph.by_name)
    assert graph.scope == "" and len(nodes) == 3 * THREADS * STEPS
    with tf.Session() as session:
        sums = session.run([n.outputs[0] for n in nodes if n.type == "Add"])
    assert sorted(sums) == sorted(i + 1.0 for i in range(THREADS) for _ in range(STEPS))


def test_closing_ends_the_runs_of_other_threads():
    v = tf.Variable(0.0)
    step = v.assign_add(1.0)
    session = tf.Session()
    session.run(v.initializer)

    def run():
        while True:
            session.run(step)

    threads = [Background(run) for _ in range(4)]
    time.sleep(0.05)
    session.close()
    for t in threads:
        with pytest.raises((RuntimeError, tf.errors.OpError)) as found:
            t.outcome()
        words = ("closed Session", "has been closed", "uninitialized", "cancelled")
        assert any(w in str(found.value) for w in words)


def test_closing_wakes_a_run_that_waits():
    queue = tf.FIFOQueue(1, tf.int32)
    out = queue.dequeue()
    session = tf.Session()
    thread = Background(session.run, out)
    assert thread.waits()
    session.close()
    with pytest.raises(tf.errors.CancelledError):
        thread.outcome()


def test_a_run_may_wait_only_so_long():
    out = tf.FIFOQueue(1, tf.int32).dequeue()
    config = tf.ConfigProto(operation_timeout_in_ms=30)
    late = tf.errors.DeadlineExceededError
    with tf.Session(config=config) as session, pytest.raises(late):
        session.run(out)
    with tf.Session() as session, pytest.raises(late):
        session.run(out, options=tf.RunOptions(timeout_in_ms=30))


def test_threads_begin_with_a_graph_of_their_own():
    graph, found = tf.get_default_graph(), []

    def look():
        found.append(tf.get_default_graph() is graph)
        a = tf.constant(1.0, name="a")
        found.append(a.name)
        with tf.Session() as session:
            found.append(float(session.run(a)))
        tf.reset_default_graph()
        found.append(len(tf.get_default_graph().get_operations()))

    tf.constant(1.0, name="a")
    Background(look).outcome()
    assert found == [False, "a:0", 1.0, 0]
