"""Values are let go of after their last reader (Note [Lifetimes])."""

import gc
import tracemalloc

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager, interpreted

SIDE = 160
X = np.random.RandomState(0).normal(size=[SIDE, SIDE]).astype(np.float32)
BYTES = X.nbytes
LITTLE = 0.4 * BYTES  # nodes, lists and scalars


def peak(run):
    """The most bytes alive during a run, beyond what was there before."""
    run()
    return min(_peak(run) for _ in range(2))


def _peak(run):
    gc.collect()
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def weights():
    return tf.fill([SIDE, SIDE], 0.001)


def products(n):
    def f(x):
        w = weights()
        for _ in range(n):
            x = tf.matmul(x, w)
        return x

    return f


def elements(n):
    def f(x):
        for _ in range(n):
            x = tf.tanh(x * 2.0) + 1.0
        return x

    return f


def convolutions(n):
    def f(x):
        kernel = tf.fill([3, 3, 4, 4], 0.01)
        x = tf.reshape(x, [4, 40, 40, 4])
        for _ in range(n):
            x = tf.nn.relu(tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "SAME"))
        return x

    return f


def normalized(n):
    def f(x):
        one, zero = tf.ones([4]), tf.zeros([4])
        x = tf.reshape(x, [4, 40, 40, 4])
        for _ in range(n):
            x = tf.nn.fused_batch_norm(x, one, zero)[0]
        return x

    return f


def repeated(n):
    def f(x):
        def body(i, x):
            return i + 1, elements(3)(x)

        return tf.while_loop(lambda i, x: i < n, body, [0, x * 1.0])[1]

    return f


def chosen(n):
    def f(x):
        y = x * 2.0  # which nothing but the branch reads
        return tf.cond(tf.reduce_sum(x) < 1e9, lambda: elements(n)(y), lambda: y)

    return f


def called(n):
    inner = tf.contrib.eager.defun(elements(n))

    def f(x):
        return inner(inner(x * 2.0))

    return f


def chosen_in_a_loop(n):
    def f(x):
        def body(i, x):
            return i + 1, tf.cond(i < 2, lambda: x, lambda: elements(n)(x))

        return tf.while_loop(lambda i, x: i < 4, body, [0, x * 1.0])[1]

    return f


def hosted(n):
    """Between clusters and steps on the host."""

    def f(x):
        for _ in range(n):
            x = tf.py_func(lambda a: a + np.float32(1), [tf.tanh(x)], tf.float32)
        return x

    return f


CHAINS = [
    products, elements, convolutions, normalized, repeated, chosen, called,
    chosen_in_a_loop, hosted,
]  # fmt: skip


def trained(n):
    """Slopes of a chain, each used as soon as it is there."""

    def f(x):
        ws = [weights() for _ in range(n)]
        with tf.GradientTape() as tape:
            tape.watch(ws)
            for w in ws:
                x = tf.tanh(tf.matmul(x, w))
            loss = tf.reduce_sum(x)
        return [tf.reduce_sum(g) for g in tape.gradient(loss, ws)]

    return f


def trained_loop(n):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)

            def body(i, y):
                return i + 1, tf.tanh(y * 1.1)

            y = tf.while_loop(lambda i, y: i < n, body, [0, x])[1]
        return tf.reduce_sum(tape.gradient(y, x))

    return f


def peaks(build, n):
    """Eagerly, of a function and of a session."""
    f = build(n)
    with interpreted(), eager():  # the compiler's thread would be measured, too
        x = tf.constant(X)
        now = peak(lambda: f(x))
        traced = tf.contrib.eager.defun(f)
        function = peak(lambda: traced(x))
    with interpreted(), tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, X.shape)
        y = build(n)(x)
        return now, function, peak(lambda: session.run(y, {x: X}))


@pytest.mark.parametrize("build", CHAINS, ids=lambda f: f.__name__)
def test_a_graph_needs_no_more_than_eager_execution_at_any_length(build):
    now, *short = peaks(build, 3)
    _, *long = peaks(build, 12)
    for some, many, feed in zip(short, long, [0, BYTES], strict=True):
        assert many <= now + feed + LITTLE  # what is fed is copied
        assert many <= some + LITTLE


def test_training_needs_no_more_than_eager_execution():
    now, function, session = peaks(trained, 8)
    assert function <= now + LITTLE and session <= now + BYTES + LITTLE


def test_a_loop_keeps_what_its_gradient_needs_once():
    """A power of two of iterations: the stack is as long as they are."""
    now, function, session = peaks(trained_loop, 16)
    assert function <= now + BYTES and session <= now + 2 * BYTES


def test_a_function_under_a_tape_lets_go_on_the_way_back():
    """What is kept for the gradient goes while the gradient is computed."""
    n = 12
    f = elements(n)
    traced = tf.contrib.eager.defun(f)

    def slope(f):
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    with eager(), interpreted():
        now, function = peak(lambda: slope(f)), peak(lambda: slope(traced))
    assert function <= now + LITTLE


def test_a_persistent_tape_goes_back_again():
    with eager(), interpreted():
        traced = tf.contrib.eager.defun(elements(2))
        x = tf.constant([0.5])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = traced(x)
        first, again = tape.gradient(y, x), tape.gradient(y, x)
        with tf.GradientTape() as one, tf.GradientTape() as two:
            one.watch(x)
            two.watch(x)
            y = traced(x)
        slopes = [one.gradient(y, x), two.gradient(y, x)]
    for found in (again, *slopes):
        np.testing.assert_array_equal(found, first)


def test_a_training_step_with_variables():
    def build():
        ws = [tf.Variable(X * 0.01) for _ in range(6)]
        optimizer = tf.train.GradientDescentOptimizer(0.01)

        def step(x):
            with tf.GradientTape() as tape:
                for w in ws:
                    x = tf.tanh(tf.matmul(x, w))
                loss = tf.reduce_sum(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, ws), ws, strict=True))
            return loss

        return step

    with eager(), interpreted():
        step, x = build(), tf.constant(X)
        now = peak(lambda: step(x))
        traced = tf.contrib.eager.defun(build())
        assert peak(lambda: traced(x)) <= now + LITTLE
