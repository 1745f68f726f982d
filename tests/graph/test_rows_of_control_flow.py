"""Rows that are read in loops and branches: their gradients stay rows."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, run

TABLE = np.arange(8.0).reshape(4, 2) / 8.0


def looked_up(v):
    """A loop over rows, the number of which only the run knows."""
    n = tf.cast(tf.reduce_sum(v * 0.0), tf.int32) + 3
    return tf.while_loop(
        lambda i, y: i < n,
        lambda i, y: (i + 1, tf.sin(y) + tf.reduce_sum(tf.gather(v, [i, 1]) ** 2)),
        [0, tf.constant(0.0, tf.float64)],
    )[1]


def chosen(v):
    return tf.cond(
        v[0, 0] < 9.0, lambda: tf.reduce_sum(tf.gather(v, [2, 2]) ** 3), lambda: v[0, 0]
    )


def slopes(f, checked=True):
    """The slope of `f`, which is rows in a graph, and that of its squares."""

    def both(v):
        with tf.GradientTape() as outer:
            outer.watch(v)
            with tf.GradientTape() as inner:
                inner.watch(v)
                y = f(v)
            rows = inner.gradient(y, v)
            assert isinstance(rows, tf.IndexedSlices) or not checked
            dense = tf.convert_to_tensor(rows)
            s = tf.reduce_sum(dense * dense)
        return dense, tf.convert_to_tensor(outer.gradient(s, v))

    return both


@pytest.mark.parametrize("way", WAYS[1:])
@pytest.mark.parametrize("f", [looked_up, chosen])
def test_slopes_are_those_of_eager_execution(f, way):
    wanted = run("eager", lambda: slopes(f, checked=False), TABLE)
    found = run(way, lambda: slopes(f), TABLE)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("way", ["function", "session", "compiled session"])
def test_only_the_rows_that_were_read_are_updated(way):
    def build():
        v = tf.get_variable("table", initializer=TABLE, use_resource=True)
        opt = tf.train.MomentumOptimizer(0.1, 0.9)

        def f(x):
            with tf.GradientTape() as tape:
                y = looked_up(v) * tf.reduce_sum(x)
            step = opt.apply_gradients([(tape.gradient(y, v), v)])
            with tf.control_dependencies([step] if step is not None else []):
                return v.read_value()

        return f

    found = run(way, build, np.float64(1.0))
    assert (found[3] == TABLE[3]).all() and (found[:3] != TABLE[:3]).any(1).all()
