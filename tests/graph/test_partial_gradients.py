"""Control flow in functions of which only some results have a gradient.

What a function keeps for its gradient does not depend on which results that will be,
also where shapes are known to the run alone.
"""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager, interpreted

X = np.array([[0.5, 0.2], [0.3, 0.9], [1.1, 0.4]])


def loop(x):
    return tf.while_loop(
        lambda i, *_: i < 3,
        lambda i, a, b, c: (i + 1, a * x, tf.sin(b) + a, c * c),
        [0, x, x * x, x + 1.0],
    )[1:]


def branch(x):
    return tf.cond(
        x[0, 0] > 0.0, lambda: (x * x, tf.sin(x), x * 1.0), lambda: (x, x, x)
    )


def branch_in_loop(x):
    def body(i, a, b, c):
        a, b = tf.cond(i < 1, lambda: (a * x, b), lambda: (a, b * tf.cos(x)))
        return i + 1, a, b, c * a

    return tf.while_loop(lambda i, *_: i < 3, body, [0, x, x * x, x + 1.0])[1:]


def arrays(x):
    rows = tf.TensorArray(x.dtype, 3).unstack(tf.stack([x, x * x, x]))

    def body(i, h, last, out):
        row = rows.read(i)
        h = tf.tanh(h + row)
        return i + 1, h, row * 2.0, out.write(i, h * h)

    start = [0, x, x, tf.TensorArray(x.dtype, 3)]
    _, h, last, out = tf.while_loop(lambda i, *_: i < 3, body, start)
    return h, last, out.stack()[1]


def slopes(f, place):
    """The first and second order of one result."""
    x = tf.constant(X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)[place]
        dx = inner.gradient(y, x)
        s = tf.reduce_sum(dx * dx)
    return [dx, outer.gradient(s, x)]


@pytest.mark.parametrize("shape", [[3, 2], [None, 2], [None, None]])
@pytest.mark.parametrize("f", [loop, branch, branch_in_loop, arrays])
def test_as_eager(f, shape):
    with eager(), interpreted():
        spec = tf.contrib.eager.TensorSpec(shape, tf.float64)
        traced = tf.contrib.eager.defun(f, input_signature=[spec])
        for place in range(3):
            pairs = zip(slopes(f, place), slopes(traced, place), strict=True)
            for wanted, found in pairs:
                wanted, found = (
                    np.zeros_like(X) if d is None else d.numpy()
                    for d in (wanted, found)
                )
                np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-14)
