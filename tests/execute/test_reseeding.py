"""A seed set again: functions traced before start anew, as eager execution does."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield
        tf.set_random_seed(None)


def draw(x):
    return x * tf.random_uniform([3]), tf.random_uniform([2], 0, 99, tf.int32)


def twice(f):
    """What two calls draw."""
    return [t.numpy().tolist() for _ in range(2) for t in f(tf.ones([]))]


@pytest.mark.parametrize("engine", [interpreted, compiled])
@pytest.mark.parametrize("seed", [5, 6, 2**40])
def test_functions_traced_before_a_seed_draw_as_eager_execution_does(engine, seed):
    tf.set_random_seed(5)
    f = tfe.defun(draw)
    with engine():
        first = twice(f)
        tf.set_random_seed(seed)
        wanted = twice(draw)
        tf.set_random_seed(seed)
        assert twice(f) == wanted
        assert (wanted == first) == (seed == 5)
        tf.set_random_seed(5)
        assert twice(f) == first


@pytest.mark.parametrize("engine", [interpreted, compiled])
def test_eager_execution_and_a_function_share_one_stream(engine):
    tf.set_random_seed(5)
    f = tfe.defun(draw)
    with engine():
        f(tf.ones([]))
        tf.set_random_seed(6)
        wanted = twice(draw)
        tf.set_random_seed(6)
        mixed = [t.numpy().tolist() for g in (draw, f) for t in g(tf.ones([]))]
        assert mixed == wanted


@pytest.mark.parametrize("engine", [interpreted, compiled])
def test_ops_with_seeds_of_their_own_start_anew(engine):
    def draw_with_seed(x):
        return (x * tf.random_uniform([3], seed=3),)

    with engine():
        for old, new in [(5, 5), (5, 6), (None, 6), (6, None)]:
            tf.set_random_seed(old)
            f = tfe.defun(draw_with_seed)
            before = twice(f)
            tf.set_random_seed(new)
            fresh = twice(tfe.defun(draw_with_seed))
            tf.set_random_seed(new)
            assert twice(f) == fresh == twice_anew(draw_with_seed, new)
            assert (fresh == before) == (old == new)


def twice_anew(f, seed):
    tf.set_random_seed(seed)
    return twice(f)


@pytest.mark.parametrize("engine", [interpreted, compiled])
def test_no_seed_is_another_start_each_time(engine):
    f = tfe.defun(draw)
    with engine():
        found = []
        for _ in range(3):
            tf.set_random_seed(None)
            found.append(twice(f)[0])
    assert len(np.unique(found)) == 9


def test_nodes_of_a_graph_keep_the_seed_they_were_made_with():
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        a = tf.random_uniform([2])
        tf.set_random_seed(2)
        b = tf.random_uniform([2])
        with tf.Session() as session:
            first = session.run([a, b])
        with tf.Session() as session:
            assert np.array_equal(session.run([a, b]), first)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        assert np.array_equal(session.run(tf.random_uniform([2])), first[0])
