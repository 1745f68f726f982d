"""Recomputation and the reports of what is kept."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled
from twinflow.autodiff.functional import make_vjp
from twinflow.contrib import eager as tfe
from twinflow.contrib.layers import recompute_grad
from twinflow.execute.call import plans_of

X = np.linspace(-1, 1, 12).reshape(4, 3).astype("f4")
W = np.linspace(-1, 2, 9).reshape(3, 3).astype("f4")


class Net:
    """Three layers with dropout."""

    def __init__(self):
        self.w = tf.Variable(W)
        self.runs = 0

    def block(self, x):
        self.runs += 1
        return tf.nn.dropout(tf.tanh(tf.matmul(x, self.w)), 0.5)

    def loss(self, x, way):
        for _ in range(3):
            x = way(self.block)(x)
        return tf.reduce_sum(x**2)


def plainly(f):
    return f


def taped(net, way, call=plainly):
    tf.set_random_seed(3)
    x = tf.constant(X)
    loss = call(lambda x: net.loss(x, way))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loss(x)
    kept = tape.memory().total
    return [t.numpy() for t in tape.gradient(y, [x, net.w])], kept


def test_gradients_are_the_same_and_less_is_kept(eager):
    net = Net()
    wanted, much = taped(net, plainly)
    assert net.runs == 3
    found, little = taped(net, recompute_grad)
    assert net.runs == 9
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)
    assert little < much / 2


def test_recomputing_within_recomputing_draws_the_same_numbers(eager):
    net = Net()
    wanted, _ = taped(net, plainly)
    twice, _ = taped(net, lambda f: recompute_grad(recompute_grad(f)))
    for a, b in zip(twice, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def test_recomputing_in_a_function(eager):
    net = Net()
    wanted, much = taped(net, plainly, tfe.defun)
    found, little = taped(net, recompute_grad, tfe.defun)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
    assert little < much * 0.8


def test_recomputing_in_a_graph():
    def gradients(way):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(3)
            net, x = Net(), tf.constant(X)
            found = tf.gradients(net.loss(x, way), [x, net.w])
            session.run(tf.global_variables_initializer())
            return session.run(found)

    for a, b in zip(gradients(recompute_grad), gradients(plainly), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def _temporary_bytes(way, width=64, depth=6):
    """How much memory XLA needs for the gradient of a deep net."""
    w = tf.Variable(np.eye(width, dtype="f4"))

    def block(x):
        for _ in range(4):
            x = tf.tanh(tf.matmul(x, w))
        return x

    @tfe.defun
    def slope(x):
        with tf.GradientTape() as tape:
            y = x
            for _ in range(depth):
                y = way(block)(y)
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, w)

    with compiled():
        slope(tf.ones([512, width]))
    (trace,) = slope.traces.values()
    entries = [
        e
        for plan in plans_of(trace.graph)
        for cluster in plan.clusters
        for e in cluster.entries.values()
    ]
    return sum(
        e.executable.compiled.memory_analysis().temp_size_in_bytes for e in entries
    )


def test_the_compiler_does_not_share_the_two_runs(eager):
    assert _temporary_bytes(recompute_grad) < 0.6 * _temporary_bytes(plainly)


def test_second_order_through_recomputation(eager):
    f = recompute_grad(lambda x: x**3)
    first = tfe.gradients_function(f)
    second = tfe.gradients_function(lambda x: first(x)[0])
    assert float(second(2.0)[0]) == 12.0


def test_arguments_that_are_variables(eager):
    v = tfe.Variable(2.0)
    with tf.GradientTape() as tape:
        y = recompute_grad(lambda a, b: a * a * b)(v, tf.constant(3.0))
    assert float(tape.gradient(y, v)) == 12.0


# ------------------------------------------------------------------ reports
def test_a_tape_says_what_it_keeps_and_where(eager):
    x = tf.constant(X)
    with tf.GradientTape(lines=True) as tape:
        tape.watch(x)
        y = tf.tanh(x)
        tf.reduce_sum(y * y)
    report = tape.memory()
    ops = {row.op: row for row in report.rows}
    assert ops["Tanh"].bytes == 48
    assert ops["Tanh"].line.rpartition(":")[0].endswith("test_recompute.py")
    assert ops["Tanh"].source == "y = tf.tanh(x)"
    assert str(report).startswith(f"{report.total} bytes are kept by")
    assert float(tape.gradient(y, x)[0, 0]) != 0


def test_a_function_says_what_it_keeps_and_where(eager):
    @tfe.defun
    def f(x):
        y = tf.tanh(x)
        return tf.reduce_sum(tf.exp(y))

    report = f.memory(tf.constant(X))
    assert {row.op for row in report.rows} == {"Tanh", "Exp"}
    assert report.total == 96
    assert "y = tf.tanh(x)" in str(report)


# ------------------------------------------------------------------ make_vjp
def test_make_vjp(eager):
    value, vjp = make_vjp(lambda x, y: x * x * y)(2.0, 3.0)
    assert float(value) == 12.0
    assert [float(g) for g in vjp()] == [12.0, 4.0]
    assert [float(g) for g in vjp(10.0)] == [120.0, 40.0]
    with pytest.raises(ValueError, match="returns None"):
        make_vjp(lambda x: None)(1.0)
