"""Functions in several threads (Note [Threads] in execute.session_cells)."""

import threading

import pytest

import twinflow as tf
from tests.ways import eager, interpreted
from twinflow.execute.tiers import Cluster


@pytest.fixture(autouse=True)
def eagerly():
    """Eager mode for each test; threads enter it themselves."""
    with eager():
        yield


def _meet(monkeypatch, functions):
    """Call functions in a thread each; whether they were in their clusters together."""
    barrier, together = threading.Barrier(len(functions)), []
    interpret = Cluster._interpret

    def met(cluster, cells, v):
        try:
            barrier.wait(2.0)
            together.append(True)
        except threading.BrokenBarrierError:
            together.append(False)
        interpret(cluster, cells, v)

    def call(f):
        with eager():
            f(tf.constant(1.0))

    with interpreted():
        for f in functions:
            f(tf.constant(1.0))
        monkeypatch.setattr(Cluster, "_interpret", met)
        _run_all([threading.Thread(target=call, args=[f]) for f in functions])
    return together


def _run_all(threads):
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert not any(t.is_alive() for t in threads)


def _adding(v):
    return tf.contrib.eager.defun(lambda x: v.assign_add(x * 2.0))


def test_functions_that_share_no_variable_run_side_by_side(monkeypatch):
    v, w = tf.Variable(0.0), tf.Variable(0.0)
    assert _meet(monkeypatch, [_adding(v), _adding(w)]) == [True, True]
    assert (float(v.numpy()), float(w.numpy())) == (4.0, 4.0)


def test_functions_that_share_a_variable_run_one_after_the_other(monkeypatch):
    v = tf.Variable(0.0)
    assert _meet(monkeypatch, [_adding(v), _adding(v)]) == [False, False]
    assert float(v.numpy()) == 8.0


def test_locks_of_several_variables_are_taken_in_one_order():
    """Two functions that write the same variables, in either order, do not stop."""
    v, w, one = tf.Variable(0.0), tf.Variable(0.0), tf.constant(1.0)

    def both(first, second):
        def step(x):
            first.assign_add(x)
            return second.assign_add(x)

        return tf.contrib.eager.defun(step)

    functions = [both(v, w), both(w, v), _adding(v), _adding(w)]
    for f in reversed(functions):
        f(one)

    def repeat(f):
        with eager():
            for _ in range(200):
                f(one)

    _run_all([threading.Thread(target=repeat, args=[f]) for f in functions])
    assert float(v.numpy()) == float(w.numpy()) == 201 * (2 * 1.0 + 2.0)
