"""Variables read and assigned inside branches and loops, in every way of running."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, run

LATER = WAYS[1:]


def close(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_assign_in_the_branch_that_is_taken(way):
    def build():
        v = tf.Variable(1.0)

        def f(x):
            y = tf.cond(
                x > 0.0, lambda: v.assign_add(x) * 2.0, lambda: v.assign_sub(x) * 1.0
            )
            with tf.control_dependencies([y]):
                return y, v.read_value()

        return f

    close(run(way, build, np.float32(3), calls=2), (14.0, 7.0))
    close(run(way, build, np.float32(-3), calls=2), (7.0, 7.0))


@pytest.mark.parametrize("way", WAYS)
def test_assign_in_a_loop(way):
    def build():
        v = tf.Variable([0.0, 0.0])

        def body(i, total):
            value = v.assign_add([1.0, 2.0]) * 1.0
            return i + 1, total + value

        def f(n):
            total = tf.while_loop(lambda i, t: i < n, body, [0, tf.zeros([2])])[1]
            with tf.control_dependencies([total]):
                return total, v.read_value()

        return f

    close(run(way, build, 3), ([6, 12], [3, 6]))
    close(run(way, build, 0), ([0, 0], [0, 0]))
    close(run(way, build, 2, calls=2), ([7, 14], [4, 8]))


@pytest.mark.parametrize("way", WAYS)
def test_assign_in_a_branch_in_a_loop(way):
    def build():
        v = tf.Variable(0.0)

        def body(i):
            even = tf.equal(i % 2, 0)
            done = tf.cond(even, lambda: v.assign_add(10.0) * 1.0, lambda: v * 1.0)
            with tf.control_dependencies([done]):
                return i + 1

        def f(n):
            i = tf.while_loop(lambda i: i < n, body, [0])
            with tf.control_dependencies([i]):
                return i, v.read_value()

        return f

    close(run(way, build, 5), (5, 30.0))


@pytest.mark.parametrize("way", WAYS)
def test_assign_in_the_condition(way):
    def build():
        v = tf.Variable(0)

        def f(n):
            i = tf.while_loop(lambda i: v.assign_add(1) + i < n, lambda i: i + 1, [0])
            with tf.control_dependencies([i]):
                return i, v.read_value()

        return f

    close(run(way, build, 9), (4, 5))


@pytest.mark.parametrize("way", ["function", "compiled function"])
def test_effects_whose_result_nobody_uses(way):
    """In a function every stateful node runs, those in regions too."""

    def build():
        v = tf.Variable(0.0)

        def f(x):
            tf.cond(x > 0.0, lambda: v.assign_add(1.0), lambda: v.assign_sub(5.0))
            tf.while_loop(
                lambda i: i < 3, lambda i: (v.assign_add(x), i + 1)[1], [tf.constant(0)]
            )
            return v.read_value(), x

        return f

    close(run(way, build, np.float32(2), calls=2), (14.0, 2.0))


@pytest.mark.parametrize("way", ["session", "compiled session"])
def test_an_unreturned_assign_in_a_branch_does_not_run_in_a_session(way):
    def build():
        v = tf.Variable(1.0)

        def then():
            v.assign(100.0)
            return v * 2.0

        return lambda x: (tf.cond(x > 0.0, then, lambda: x), v.read_value())

    close(run(way, build, np.float32(1)), (2.0, 1.0))


@pytest.mark.parametrize("way", WAYS)
def test_slope_with_respect_to_a_variable_read_inside(way):
    def build():
        v, w = tf.Variable(2.0), tf.Variable(3.0)

        def f(x):
            with tf.GradientTape() as tape:
                y = tf.cond(x > 0.0, lambda: v * v * x, lambda: w * x)
                y = tf.while_loop(
                    lambda i, y: i < 2, lambda i, y: (i + 1, y * w), [0, y]
                )
                y = y[1]
            dv, dw = tape.gradient(y, [v, w])
            return y, tf.zeros([]) if dv is None else dv, dw

        return f

    close(run(way, build, np.float32(5)), (180.0, 180.0, 120.0))
    close(run(way, build, np.float32(-1)), (-27.0, 0.0, -27.0))


@pytest.mark.parametrize("way", WAYS)
def test_variable_made_inside_a_branch_lives_outside(way):
    def build():
        made = []

        def then(x):
            if not made:
                made.append(tf.Variable(4.0))
            return made[0] * x

        return lambda x: tf.cond(x > 0.0, lambda: then(x), lambda: then(x) * 2.0)

    assert run(way, build, np.float32(2)) == 8.0
    assert run(way, build, np.float32(-2)) == -16.0


def test_control_edge_from_inside_a_branch_to_an_op_outside():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(0.0)
        pred = tf.placeholder(tf.bool, [])
        step = v.assign_add(1.0)

        def then():
            with tf.control_dependencies([step]):
                return tf.identity(2.0)

        y = tf.cond(pred, then, lambda: tf.constant(0.0))
        session.run(v.initializer)
        assert session.run(y, {pred: True}) == 2.0
        assert session.run(v) == 1.0


@pytest.mark.parametrize("way", WAYS)
def test_reads_see_what_was_assigned_before_them(way):
    def build():
        v = tf.Variable(1.0)

        def f(x):
            first = v + 0.0
            with tf.control_dependencies([first]):
                done = v.assign(first * x)
            with tf.control_dependencies([done]):
                second = v + 0.0
                with tf.control_dependencies([second]):
                    last = v.assign_sub(1.0)
            with tf.control_dependencies([last]):
                return first, second, v.read_value()

        return f

    close(run(way, build, np.float32(5), calls=2), (4.0, 20.0, 19.0))


@pytest.mark.parametrize("way", LATER)
def test_limit_that_only_a_run_knows(way):
    def build():
        return lambda n, x: tf.while_loop(
            lambda y: tf.reduce_sum(y) < 100.0, lambda y: y * 2.0, [x],
            maximum_iterations=n,
        )  # fmt: skip

    close(run(way, build, 3, np.float32([1, 2])), [8.0, 16.0])
    close(run(way, build, 0, np.float32([1, 2])), [1.0, 2.0])
