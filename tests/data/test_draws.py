"""Random numbers in maps: those of calls in order, whoever makes them, beside whom."""

import time

import numpy as np
import pytest

import twinflow as tf
from tests.data.programs import in_graph, plain
from twinflow.data import draws
from twinflow.data.functions import ElementFunction
from twinflow.ops.random.setting import setting

D = tf.data.Dataset
N = 40


@pytest.fixture(params=[False, True], ids=["twin", "tensorflow"])
def numbers(request, monkeypatch):
    """Whose random numbers are drawn."""
    monkeypatch.setattr(setting, "original", request.param)


def slowly(x):
    """The same, after long enough for threads to be worth it."""
    return tf.py_func(lambda x: (time.sleep(3e-4), x)[1], [x], x.dtype)


def augmented(i):
    """Draws of all kinds, with seeds of their own and without."""
    x = tf.cast(i, tf.float32)
    first = slowly(tf.random_uniform([]))
    turned = tf.cond(tf.random_uniform([], seed=4) < 0.5, lambda: x, lambda: -x)
    noise = tf.random_normal([3], seed=2) + tf.random_gamma([], tf.abs(x) + 1.0)
    place = tf.random_uniform([2], maxval=1 + tf.cast(i, tf.int32), dtype=tf.int32)
    return first, turned, noise, place, tf.random_shuffle(tf.range(4))


def drawn_within(i):
    """A draw that only some elements make."""
    return slowly(tf.cond(i % 3 < 1, lambda: tf.random_uniform([]), lambda: 0.0))


def eagerly(make, beside=False):
    tf.set_random_seed(7)
    found = []
    for element in make():
        found.append(plain(element))
        if beside:
            tf.random_uniform([])
    return found


def in_session(make):
    def seeded():
        tf.set_random_seed(7)
        return make()

    return in_graph(seeded)


@pytest.mark.parametrize("run", [eagerly, in_session])
def test_threads_draw_as_calls_in_order(run, numbers):
    want = run(lambda: D.range(N).map(augmented).repeat(2))
    found = run(lambda: D.range(N).map(augmented, num_parallel_calls=3).repeat(2))
    assert found == want


def test_graphs_draw_as_eagerly():
    make = lambda: D.range(N).map(augmented, num_parallel_calls=3)
    assert eagerly(make) == in_session(make)


def test_functions_with_draws_are_worked_on_by_threads():
    function = ElementFunction(augmented, D.range(1).structure)
    assert sorted(map(len, draws._moves(function).values())) == [1, 1, 4]


@pytest.mark.parametrize("make", [
    lambda: D.range(N).map(augmented, num_parallel_calls=2),
    lambda: D.range(N).map(augmented).prefetch(5),
    lambda: D.range(6).flat_map(lambda i: D.range(i).map(augmented)).prefetch(3),
    lambda: D.range(3).flat_map(
        lambda i: D.range(3).flat_map(lambda j: D.range(4).map(augmented))
    ).prefetch(3),
    lambda: D.range(N).filter(lambda i: tf.random_uniform([]) < 0.5).prefetch(3),
], ids=["map", "prefetch", "flat_map", "flat_map of flat_map", "filter"])  # fmt: skip
def test_what_others_draw_beside_changes_nothing(make):
    assert eagerly(make, beside=True) == eagerly(make)


def test_passes_differ_but_for_seeds_of_ops():
    data = D.range(N).map(augmented, num_parallel_calls=2)
    first, second = ([plain(e) for e in data] for _ in range(2))
    assert [e[0] for e in first] != [e[0] for e in second]
    assert [e[1] for e in first] == [e[1] for e in second]


def test_draws_within_branches():
    def found():
        return eagerly(lambda: D.range(N).map(drawn_within, num_parallel_calls=3))

    first = found()
    assert first == found()
    drawn = [x for x in first if x]
    assert len(drawn) == len(set(drawn)) == 14  # of 0, 3, ... 39


def in_loop(i):
    return tf.while_loop(
        lambda n, s: n < i, lambda n, s: (n + 1, s + tf.random_uniform([])),
        [tf.constant(0, tf.int64), 0.0],
    )[1]  # fmt: skip


@tf.contrib.eager.defun
def called(i):
    return tf.random_uniform([]) + tf.cast(i, tf.float32)


def sized(i):
    return tf.reduce_sum(tf.random_uniform([tf.cast(i, tf.int32)], seed=1))


@pytest.mark.parametrize("function", [in_loop, called, sized])
def test_draws_that_cannot_be_counted_are_made_in_order(function, numbers):
    want = eagerly(lambda: D.range(9).map(function))
    assert eagerly(lambda: D.range(9).map(function, num_parallel_calls=3)) == want


def test_writes_to_variables_are_made_in_order():
    total = tf.Variable(0, dtype=tf.int64, trainable=False)
    data = D.range(N).map(lambda i: slowly(total.assign_add(i)), num_parallel_calls=3)
    assert [int(x) for x in data] == np.cumsum(np.arange(N)).tolist()


@pytest.mark.parametrize("given", [0, 1, 17])
def test_a_restored_place_draws_the_same(given, tmp_path):
    make = lambda: D.range(N).map(augmented, num_parallel_calls=2).repeat(2)
    iterator = iter(make())
    for _ in range(given):
        next(iterator)
    path = tf.train.Checkpoint(data=iterator).save(str(tmp_path / "c"))
    want = [plain(e) for e in iterator]
    again = iter(make())
    tf.train.Checkpoint(data=again).restore(path)
    assert [plain(e) for e in again] == want
