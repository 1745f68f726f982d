"""What a session runs of branches and loops: only what the fetches need."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def engine(request):
    refused = compiled("must have equal types")  # a variable that grows
    chosen = interpreted() if request.param == "interpreted" else refused
    with chosen, tf.Graph().as_default():
        yield


def test_of_a_branch_only_what_is_taken():
    v, x = tf.Variable(1.0), tf.placeholder(tf.float32, [])
    both = [lambda: (v.assign_add(10.0), x * 2), lambda: (v.assign_sub(10.0), x * 3)]
    first, second = tf.cond(x > 0, *both)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(second, {x: 1.0}) == 2.0 and session.run(v) == 1.0
        assert session.run(first, {x: -1.0}) == -9.0 and session.run(v) == -9.0


def test_of_a_loop_only_the_variables_that_play_a_part():
    v = tf.Variable(1.0)
    loop = [lambda i, j, x: i < 4, lambda i, j, x: (i + 1, j + i, x + v)]
    i, j, x = tf.while_loop(*loop, [0, 0, 0.0])
    slope = tf.gradients(x, v)[0]
    with tf.Session() as session:
        assert session.run([i, j]) == [4, 6]  # v has no value yet
        session.run(v.initializer)
        assert session.run(x) == 4.0 and session.run([j, slope]) == [6, 4.0]


def test_a_loop_that_others_wait_for_runs_whole():
    v = tf.Variable(1.0)
    loop = [lambda i, x: i < 3, lambda i, x: (i + 1, v.assign_add(x))]
    i, x = tf.while_loop(*loop, [0, 2.0])
    with tf.control_dependencies([x]):
        after = tf.constant(1) + i
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(after) == 4 and session.run(v) == 12.0


def test_waiting_for_what_is_fed():
    p, n = tf.placeholder(tf.bool, []), tf.constant(3)
    with tf.control_dependencies([p]):
        y = tf.while_loop(lambda i: i < n, lambda i: i + 1, [0])
    with tf.Session() as session:
        assert session.run(y, {p: True}) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="feed a value"):
            session.run(y)


def test_waiting_for_a_loop_variable():
    def body(i, x):
        with tf.control_dependencies([x]):
            return i + 1, tf.constant(12)

    y = tf.while_loop(lambda i, x: i < 2, body, [0, 0])[1]
    with tf.Session() as session:
        assert session.run(y) == 12


def test_gradients_of_what_grows_in_a_loop():
    x = tf.constant([[1.0, 2.0]])
    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]

    def body(i, rows):
        return i + 1, tf.concat([rows, x], 0)

    start = [tf.constant(0), tf.zeros([0, 2])]
    rows = tf.while_loop(lambda i, rows: i < 3, body, start, shapes)[1]
    with tf.Session() as session:
        assert session.run(tf.gradients(rows, x)[0]).tolist() == [[3.0, 3.0]]


def test_gradients_that_end_inside_a_loop_are_zero():
    a, b, y = tf.constant(3.0), tf.constant(5.0), tf.constant(2.0)

    def body(i, x, y):
        return i + 1, x * a + tf.stop_gradient(y * b), y * 2.0

    x = tf.while_loop(lambda i, *_: i < 2, body, [0, 1.0, y])[1]
    with tf.Session() as session:
        found = session.run(tf.gradients(x, [a, y]))
        np.testing.assert_allclose(found, [16.0, 0.0])
        assert tf.gradients(x, b) == [None]
        last = tf.while_loop(lambda i, *_: i < 2, body, [0, 1.0, y])[2]
        assert session.run(tf.gradients(last, [a, y])) == [0.0, 4.0]
