"""Values and slopes of first and second order, in every way of running."""

import numpy as np

import twinflow as tf
from tests.ways import run


def _weights(shape, seed):
    return np.random.default_rng(seed).uniform(-1, 1, shape)


def by_tape(f):
    """x -> (weighted value, its slope, the slope of the weighted slope), by tapes."""

    def orders(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = _weighted(f(x), 0)
            dx = tf.convert_to_tensor(inner.gradient(y, x))  # of rows, too
            s = tf.reduce_sum(dx * _weights(dx.shape.as_list(), 1))
        d2 = outer.gradient(s, x, unconnected_gradients="zero")
        return y, dx, tf.convert_to_tensor(d2)

    return orders


def by_gradients(f):
    """The same by tf.gradients."""

    def orders(x):
        y = _weighted(f(x), 0)
        dx = tf.convert_to_tensor(tf.gradients(y, x)[0])
        s = tf.reduce_sum(dx * _weights(dx.shape.as_list(), 1))
        (d2,) = tf.gradients(s, x)
        return y, dx, tf.zeros_like(x) if d2 is None else tf.convert_to_tensor(d2)

    return orders


def _weighted(y, seed):
    """The sum of all parts of a structure, each element by a factor of its own."""
    total = 0.0
    for i, t in enumerate(tf.contrib.framework.nest.flatten(y)):
        flat = tf.reshape(t, [-1])
        steps = tf.cast(tf.range(tf.size(flat)), flat.dtype)
        total += tf.reduce_sum(flat * tf.cos(steps * 1.7 + i + seed))
    return total


def check_differences(build, x, step=1e-5, tolerance=1e-7):
    """Hold eager slopes of both orders against central differences."""

    def orders(x):
        return run("eager", lambda: by_tape(build()), x)

    _, dx, d2 = orders(x)
    w = _weights(x.shape, 1)
    for k in range(3):
        along = _weights(x.shape, 10 + k)
        high, low = orders(x + step * along), orders(x - step * along)
        first = (high[0] - low[0]) / (2 * step)
        second = ((high[1] - low[1]) * w).sum() / (2 * step)
        np.testing.assert_allclose((dx * along).sum(), first, tolerance, tolerance)
        np.testing.assert_allclose((d2 * along).sum(), second, tolerance, tolerance)


def check_as_eager(way, orders, build, x, refusals=None, shapes=None):
    """Hold what one way of running gives against eager execution."""
    wanted = run("eager", lambda: by_tape(build()), x)
    found = run(way, lambda: orders(build()), x, refusals=refusals, shapes=shapes)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12)
