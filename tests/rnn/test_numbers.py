"""Recurrent networks against TensorFlow 1.12, and every way of running with another.

numbers.json holds, of each result and gradient of each network with the same weights,
the sum and the sum with weights cos(0), cos(1), ...
"""

import json
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.rnn.networks import CELLS, LENGTHS, X, loss_of, network, weight
from tests.ways import compiled, eager, interpreted
from twinflow.base import nest

NUMBERS = json.loads((Path(__file__).parent / "numbers.json").read_text())


def digest(a):
    weights = np.cos(np.arange(a.size)).reshape(a.shape)
    return [a.sum(), (a * weights).sum()]


def in_session(build, shape, dtype=tf.float64):
    """Results, and gradients for the input and all weights."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(dtype, shape)
        found = build(x)
        variables = tf.trainable_variables()
        slopes = tf.gradients(loss_of(found), [x, *variables])
        session.run(tf.global_variables_initializer())
        for v in variables:
            v.load(weight(v).astype(dtype.as_numpy_dtype), session)
        feed = {x: X.astype(dtype.as_numpy_dtype)}
        return session.run([*nest.flatten(found), *slopes], feed)


def taped(build, defun):
    """The same eagerly, or in a function, with a tape; by the names of the weights."""
    with eager():
        container = tf.contrib.eager.EagerVariableStore()
        x = tf.constant(X)
        with container.as_default(), tf.variable_scope("", reuse=tf.AUTO_REUSE):
            build(x)  # makes the weights
            for v in container.variables():
                v.assign(weight(v))
            f = tf.contrib.eager.defun(build) if defun else build
            with tf.GradientTape() as tape:
                tape.watch(x)
                found = f(x)
                loss = loss_of(found)
            made = container.trainable_variables()
            slopes = tape.gradient(loss, [x, *made])
    found = [t.numpy() for t in nest.flatten(found)]
    return found, slopes[0].numpy(), dict(zip(made, slopes[1:], strict=True))


@pytest.mark.parametrize("name", NUMBERS)
def test_as_tensorflow(name):
    cell, loop, lengths = name.split("/")
    build = network(cell, loop, LENGTHS if lengths == "lengths" else None)
    with interpreted():
        found = in_session(build, [4, 5, 2])
    for a, wanted in zip(found, NUMBERS[name], strict=True):
        np.testing.assert_allclose(digest(a), wanted, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("cell", ["gru", "lstmall"])
def test_compiled(cell):
    """Batch and time known to the run alone: the loops are compiled all the same."""
    build = network(cell, "dyn", LENGTHS)
    with interpreted():
        wanted = in_session(build, [4, 5, 2])
    with compiled(refusals="Assert"):
        found = in_session(build, [None, None, 2])
    for w, g in zip(wanted, found, strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)
    with compiled() as entries:
        in_session(network(cell, "dyn", None), [None, 5, 2])
    assert entries and all(e.state == "chosen" for e in entries)


@pytest.mark.parametrize("cell", CELLS)
def test_tapes(cell):
    build = network(cell, "dyn", LENGTHS)
    outputs, dx, slopes = taped(build, defun=False)
    with interpreted():
        others, dx2, slopes2 = taped(build, defun=True)
        wanted = in_session(build, [4, 5, 2])
    for a, b, w in zip(outputs, others, wanted, strict=False):
        np.testing.assert_allclose(a, w, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(b, w, rtol=1e-12, atol=1e-13)
    for d in (dx, dx2):
        np.testing.assert_allclose(d, wanted[len(outputs)], rtol=1e-11, atol=1e-12)
    for found in (slopes, slopes2):
        got = sorted(np.asarray(digest(d.numpy())).tolist() for d in found.values())
        rest = sorted(
            np.asarray(digest(d)).tolist() for d in wanted[len(outputs) + 1 :]
        )
        np.testing.assert_allclose(got, rest, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32])
def test_other_dtypes(dtype):
    build = network("gru", "dyn", LENGTHS)
    with interpreted():
        wanted = in_session(build, [4, 5, 2])
        found = in_session(build, [4, 5, 2], dtype)
    for w, g in zip(wanted, found, strict=True):
        assert g.dtype == dtype.as_numpy_dtype
        scale = max(1.0, np.abs(w).max())
        close = {"float16": 2e-2, "float32": 1e-5}[dtype.name] * scale
        np.testing.assert_allclose(g, w, rtol=0, atol=close)


def curvature(x, build):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = loss_of(build(x))
        dx = inner.gradient(loss, x)
        s = tf.reduce_sum(dx * tf.constant(np.cos(np.arange(40)).reshape(4, 5, 2)))
    return dx, outer.gradient(s, x)


def test_second_order():
    """By tapes eagerly, in a function and in a graph, and by differences."""
    build, found = network("blstm", "dyn", LENGTHS), []
    with eager():
        store = tf.contrib.eager.EagerVariableStore()
        with store.as_default(), tf.variable_scope("", reuse=tf.AUTO_REUSE):
            build(tf.constant(X))
            for v in store.variables():
                v.assign(weight(v))

            def both(a):
                return [t.numpy() for t in curvature(tf.constant(a), build)]

            found.append(both(X))
            f = tf.contrib.eager.defun(lambda x: curvature(x, build))
            with interpreted():
                found.append([t.numpy() for t in f(tf.constant(X))])
            step = np.random.RandomState(1).randn(*X.shape) * 1e-5
            high, low = both(X + step)[0], both(X - step)[0]
    for engine in (interpreted, compiled):
        with engine(), tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float64, [None, 5, 2])
            out = curvature(x, build)
            session.run(tf.global_variables_initializer())
            for v in tf.trainable_variables():
                v.load(weight(v), session)
            found.append(session.run(out, {x: X}))
    for other in found[1:]:
        for w, g in zip(found[0], other, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-10, atol=1e-12)
    cosines = np.cos(np.arange(40)).reshape(X.shape)
    slope = ((high - low) * cosines).sum() / 2
    np.testing.assert_allclose((found[0][1] * step).sum(), slope, rtol=1e-6)
