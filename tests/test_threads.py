"""Threads beside each other: eager calls, tapes, functions, numbers that come and go.

TWINFLOW_SECONDS says for how long (2 without it; `make sanitize` asks for more).
"""

import os
import threading
import time

import numpy as np

import twinflow as tf
from tests.ways import eager

SECONDS = float(os.environ.get("TWINFLOW_SECONDS", "2"))


def _calls(n, i):
    x = tf.constant(np.full((3, 4), float(n), np.float32))
    assert ((x + x) * 0.5 - n).numpy().tolist() == np.zeros((3, 4)).tolist()
    assert (tf.matmul(x, x, transpose_b=True).numpy() == 4.0 * n * n).all()
    assert float(tf.reduce_sum(x * (i % 3000 + 0.5))) == 12 * n * (i % 3000 + 0.5)


def _tapes(n, i):
    x, w = tf.constant(float(n)), tf.constant(float(i % 7))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch([x, w])
            y = x * x * w + w * (i * 0.5)
        dx, dw = inner.gradient(y, [x, w])
        z = dx * dw
    assert float(dx) == 2.0 * n * (i % 7) and float(dw) == n * n + i * 0.5
    wanted = 6.0 * n * n * (i % 7) + 2.0 * (i % 7) * (i * 0.5)
    np.testing.assert_allclose(float(outer.gradient(z, x)), wanted, rtol=1e-5)


def _wrong(n, i):
    try:
        tf.ones([2, n + 1]) + tf.ones([2, n + 2])
    except tf.errors.InvalidArgumentError as error:
        assert f"[2,{n + 1}] vs. [2,{n + 2}]" in str(error)
    else:
        raise AssertionError("shapes that do not fit were added")


def _products(n, i):
    a = np.full((60 + n, 200), 1.0, np.float32)
    b = tf.constant(np.full((200, 300), float(n), np.float32))
    assert (tf.matmul(tf.constant(a), b).numpy() == 200.0 * n).all()


class _Functions:
    def __init__(self):
        self.w = tf.Variable(3.0)
        self.f = tf.contrib.eager.defun(lambda x: tf.reduce_sum(x * self.w + 1.0))

    def __call__(self, n, i):
        with tf.GradientTape() as tape:
            y = self.f(tf.constant([float(n), float(i)]))
        assert float(y) == 3.0 * (n + i) + 2.0
        assert float(tape.gradient(y, self.w)) == n + i


def test_all_of_it_in_several_threads():
    end, errors, turns = time.monotonic() + SECONDS, [], []

    def work(n, jobs):
        try:
            with eager():
                i = 0
                while time.monotonic() < end:
                    for job in jobs:
                        job(n, i)
                    i += 1
                turns.append(i)
        except BaseException as error:
            errors.append(error)

    with eager():
        functions = _Functions()
        everything = [_calls, _tapes, _wrong, functions, _products]
        sets = [everything, [_calls, _tapes], [functions], [_products, _calls]]
        threads = [
            threading.Thread(target=work, args=(n + 1, jobs))
            for n, jobs in enumerate(sets)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join(SECONDS + 60)
    assert not errors, errors
    assert len(turns) == len(sets) and min(turns) > 2
