"""The compiler thread gives way: it puts off what would hold the others up."""

import gc
import os
import subprocess
import sys
import threading
import time

import pytest

import twinflow as tf
from tests import ways
from twinflow.base import native
from twinflow.execute.background import giving_way, open_libraries
from twinflow.execute.worker import WORKER


@pytest.fixture(autouse=True)
def idle():
    """What the compiler was asked for before is done: it changes the same settings."""
    while WORKER.doing is not None or not WORKER.jobs.empty():
        time.sleep(0.01)


@pytest.fixture
def collections():
    """The generations that are collected meanwhile."""
    seen = []

    def note(phase, info):
        if phase == "start":
            seen.append(info["generation"])

    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)


def litter():
    """Objects that live, as a lowered program's do: enough for a full collection."""
    return [[i] for i in range(len(gc.get_objects()) + 200_000)]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="it collects in parts")
def test_no_full_collection_runs_meanwhile(collections):
    litter()
    assert 2 in collections, "this litter does not show what the block puts off"
    collections.clear()
    with giving_way():
        litter()
    assert 2 not in collections and 1 in collections


def test_settings_come_back():
    before = gc.get_threshold(), sys.getswitchinterval()
    with pytest.raises(KeyError), giving_way():
        raise KeyError
    assert (gc.get_threshold(), sys.getswitchinterval()) == before


def test_thresholds_that_the_program_sets_meanwhile_stay():
    before = gc.get_threshold()
    try:
        with giving_way():
            gc.set_threshold(123, 4, 5)
        assert gc.get_threshold() == (123, 4, 5)
    finally:
        gc.set_threshold(*before)


def test_a_profiler_of_the_program_stays():
    """`threading.setprofile` reaches the compiler thread as well."""
    seen = []

    def work():
        with giving_way(step=1.0):
            seen.append(sys.getprofile())

    threading.setprofile(profiler)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.setprofile(None)
    assert seen == [profiler]


def profiler(*_):
    """As a profiler of the program's own."""


@pytest.mark.skipif(not hasattr(native.fast, "set_pace"), reason="no C module")
def test_pauses_let_another_thread_go_on():
    """Beside a busy thread this one waits; its own errors and results stay."""
    done, rounds = threading.Event(), [0]

    def busy():
        while not done.is_set():
            rounds[0] += 1

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        with pytest.raises(ZeroDivisionError), giving_way(step=1.0):
            assert sum(map(abs, range(-300_000, 0))) == 45000150000
            1 // 0
    finally:
        done.set()
        thread.join()
    assert rounds[0] and sys.getprofile() is None


def test_opening_the_libraries_twice_is_nothing():
    open_libraries()
    open_libraries()


def executable_of(function, x):
    """What XLA has made of a function of a tensor."""
    with ways.eager(), ways.compiled() as entries:
        tf.contrib.eager.defun(function)(x)
    return entries[-1].executable


def test_the_first_run_on_zeros_changes_nothing():
    with ways.eager():
        v = tf.contrib.eager.Variable(3.0)
        made = executable_of(lambda x: v.assign_add(x) * 2.0, tf.constant(4.0))
        before = v.numpy()
        made.warm()
        assert before == v.numpy() == 7.0


def test_what_may_not_end_on_zeros_is_not_run(monkeypatch):
    def doubled(x):
        return tf.while_loop(lambda y: y < 8.0, lambda y: y * 2.0, [x])

    with ways.eager():
        made = executable_of(doubled, tf.constant(1.0))
        monkeypatch.setattr(made, "compiled", None)
        made.warm()  # a call of it would be a TypeError


DRAWS = """
import sys

import numpy as np
import twinflow as tf

np.random.seed(0)
with tf.Graph().as_default(), tf.Session() as session:
    x = tf.placeholder(tf.float32, [None])
    session.run(tf.exp(x) * 2.0, {x: [1.0]})
print("jax" in sys.modules, np.random.rand())
"""


def test_the_compiler_draws_none_of_numpys_numbers():
    done = subprocess.run(
        [sys.executable, "-c", DRAWS], check=True, capture_output=True, text=True,
        env={**os.environ, "TWINFLOW_COMPILE": "wait"},
    )  # fmt: skip
    assert done.stdout.split() == ["True", "0.5488135039273248"]
