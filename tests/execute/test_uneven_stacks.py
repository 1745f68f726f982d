"""Gradients of loops whose branches keep values of a shape of their own each time."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways

START = np.array([1.0, 2.0, 3.0], np.float32)
ANY = [tf.TensorShape([]), tf.TensorShape([None])]


def _loop(x, body, steps=3):
    def step(i, a):
        return i + 1, body(i, a)

    start = [tf.constant(0), x]
    return tf.while_loop(lambda i, a: i < steps, step, start, shape_invariants=ANY)[1]


def scaled_tail(x):
    """The slices grow from none to all: empty ones are values, not blanks."""

    def body(i, a):
        return tf.cond(
            a[0] > 0.0, lambda: tf.concat([a[:i], a[i:] * a[i:]], 0), lambda: a
        )

    return _loop(x, body)


def not_taken_at_first(x):
    def body(i, a):
        return tf.cond(i > 0, lambda: tf.concat([a[:i] * a[:i], a[i:]], 0), lambda: a)

    return _loop(x, body)


def taken_at_first(x):
    def body(i, a):
        return tf.cond(
            i < 1, lambda: tf.concat([a[:i], a[i:] * a[i:]], 0), lambda: a * a
        )

    return _loop(x, body)


def branch_in_branch(x):
    def body(i, a):
        def inner():
            return tf.cond(
                i < 2, lambda: tf.concat([a[:i], a[i:] * a[i:]], 0), lambda: a
            )

        return tf.cond(tf.not_equal(i, 1), inner, lambda: a * x)

    return _loop(x, body)


def loop_in_branch(x):
    def inner(i, a):
        return _loop(a, lambda j, b: tf.concat([b[:j] * b[:j], b[j:]], 0), i)

    def body(i, a):
        return tf.cond(i > 0, lambda: inner(i, a), lambda: a)

    return _loop(x, body)


PROGRAMS = [
    scaled_tail, not_taken_at_first, taken_at_first, branch_in_branch, loop_in_branch,
]  # fmt: skip


def _eagerly(program, order):
    with ways.eager():
        x = tf.constant(START)
        return [t.numpy() for t in _derivatives(program, x, order)]


def _derivatives(program, x, order):
    """The result, and its derivatives up to an order."""
    found = [program(x)]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = tf.reduce_sum(program(x))
        dy = inner.gradient(y, x)
    found.append(dy)
    return [*found, outer.gradient(dy, x)] if order == 2 else found


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives_are_those_of_eager_mode(program, order):
    wanted = _eagerly(program, order)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(START)
        y = program(x)
        found = [y, *tf.gradients(y, x)]
        if order == 2:
            found += tf.gradients(found[1], x)
        found = session.run(found)
    for value, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-6)
