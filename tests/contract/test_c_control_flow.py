"""Contract C: control flow, in Python and in ops, in every mode."""

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import printed
from tests.modes import both, eagerly
from tests.ways import WAYS, run

tfe = tf.contrib.eager
ways = pytest.mark.parametrize("way", WAYS)


# ------------------------------------------------------------------ Python's own
def test_c01_python_decides_on_tensors(eager):
    x, trips = tf.constant(10.0), 0
    while x > 1.0:
        x = x / 2.0 if trips < 2 else x - 1.0
        trips += 1
    assert (x.numpy(), trips) == (0.5, 4)


def test_c01_loops_and_branches_inside_a_taped_function(eager):
    def f(x, y):
        output = 1.0
        for i in range(int(y)):
            if i > 1 and i < 5:
                output = tf.multiply(output, x)
        return output

    def grad(x, y):
        with tf.GradientTape() as tape:
            tape.watch(x)
            out = f(x, y)
        return tape.gradient(out, x)

    x = tf.convert_to_tensor(2.0)
    assert [grad(x, n).numpy() for n in (6, 5, 4)] == [12.0, 12.0, 4.0]


def fizzbuzz(max_num):
    counter = tf.constant(0)
    max_num = tf.convert_to_tensor(max_num)
    for num in range(max_num.numpy()):
        num = tf.constant(num)
        if int(num % 3) == 0 and int(num % 5) == 0:
            print("FizzBuzz")
        elif int(num % 3) == 0:
            print("Fizz")
        elif int(num % 5) == 0:
            print("Buzz")
        else:
            print(num)
        counter += 1
    return counter


def test_c02_fizzbuzz(eager):
    text, counter = printed(fizzbuzz, 16)
    lines = text.splitlines()
    assert counter.numpy() == 16 and len(lines) == 16
    assert lines[0] == lines[15] == "FizzBuzz"
    assert lines[1] == "tf.Tensor(1, shape=(), dtype=int32)"
    assert (lines[3], lines[5], lines[14]) == (
        "Fizz", "Buzz", "tf.Tensor(14, shape=(), dtype=int32)",
    )  # fmt: skip


def line_search_step(fn, init_x, rate=1.0):
    with tf.GradientTape() as tape:
        tape.watch(init_x)
        value = fn(init_x)
    grad = tape.gradient(value, init_x)
    grad_norm = tf.reduce_sum(grad * grad)
    init_value = value
    while value > init_value - rate * grad_norm:
        x = init_x - rate * grad
        value = fn(x)
        rate /= 2.0
    return x, value


def test_c03_line_search_step(eager):
    start = tf.constant([3.0, 4.0])
    x, value = line_search_step(lambda x: tf.reduce_sum(x * x), start)
    assert x.numpy().tolist() == [0.0, 0.0] and value.numpy() == 0.0


class SimpleUnrollRNNInEager(tf.keras.Model):
    def __init__(self, hidden_units):
        super(SimpleUnrollRNNInEager, self).__init__()
        self.hidden_units = hidden_units
        self.kernel = tf.keras.layers.Dense(self.hidden_units, activation="relu")
        self.recurrent_kernel = tf.keras.layers.Dense(
            self.hidden_units, activation="relu"
        )

    def call(self, inputs):
        batch_size, time_steps, _ = inputs.shape.as_list()
        state = tf.zeros((batch_size, self.hidden_units))
        for i in range(time_steps):
            state = self.kernel(inputs[:, i, :]) + self.recurrent_kernel(state)
        return state


@both
def test_c04_an_unrolled_rnn(run):
    state = run(lambda: SimpleUnrollRNNInEager(5)(tf.random_normal((2, 3, 4))))
    assert state.shape == (2, 5) and np.isfinite(state).all()


def test_c04_an_unrolled_rnn_in_a_function(eager):
    model = SimpleUnrollRNNInEager(5)
    x = tf.random_normal((2, 3, 4))
    found = tfe.defun(model)(x)
    np.testing.assert_allclose(found.numpy(), model(x).numpy(), rtol=1e-6)
    assert len(model.variables) == 4


def test_c05_the_same_on_an_unknown_length(graph):
    inputs = tf.placeholder(tf.float32, shape=[2, None, 4])
    with pytest.raises(TypeError) as raised:
        SimpleUnrollRNNInEager(5)(inputs)
    text = "'NoneType' object cannot be interpreted as an integer"
    assert str(raised.value) == text


def test_c05_the_same_in_a_function(eager):
    signature = [tf.TensorSpec([2, None, 4], tf.float32)]
    f = tfe.defun(SimpleUnrollRNNInEager(5), input_signature=signature)
    text = "'NoneType' object cannot be interpreted as an integer"
    with pytest.raises(TypeError, match=text):
        f(tf.zeros([2, 3, 4]))


# ------------------------------------------------------------------ ops
def branched(x):
    return tf.cond(x > 0.0, lambda: x * 2.0, lambda: -x)


def halved(x):
    """(x halved until it is at most 1, how often)."""
    return tf.while_loop(
        lambda x, n: x > 1.0, lambda x, n: (x / 2.0, n + 1), [x, tf.constant(0)]
    )


@ways
def test_c06_cond_and_while_loop(way):
    assert run(way, lambda: branched, np.float32(3.0)) == 6.0
    assert run(way, lambda: branched, np.float32(-3.0)) == 3.0
    x, n = run(way, lambda: halved, np.float32(12.0))
    assert (x, n) == (0.75, 4)


def test_c06_eager_cond_gives_the_value_of_the_branch(eager):
    kept = tf.constant(5.0)
    assert tf.cond(tf.constant(True), lambda: kept, lambda: 1 / 0) is kept
    assert tf.cond(True, lambda: 7.0, lambda: 1 / 0) == 7.0


@both
def test_c07_ops_in_place_of_control_flow(run):
    def build():
        x = tf.constant([[1.0, -2.0], [-3.0, 4.0]])
        chosen = tf.where(x > 0.0, x, tf.zeros_like(x))
        return (
            chosen, tf.where(x < 0.0), tf.boolean_mask(x, [True, False]),
            tf.maximum(x, 0.0),
        )  # fmt: skip

    chosen, places, row, positive = run(build)
    assert chosen.tolist() == positive.tolist() == [[1.0, 0.0], [0.0, 4.0]]
    assert places.tolist() == [[0, 1], [1, 0]] and places.dtype == np.int64
    assert row.tolist() == [[1.0, -2.0]]


@both
def test_c07_dynamic_rnn(run):
    def build():
        cell = tf.nn.rnn_cell.LSTMCell(3)
        x = tf.ones([2, 4, 5])
        outputs, state = tf.nn.dynamic_rnn(
            cell, x, sequence_length=[4, 2], dtype=tf.float32
        )
        return outputs, state.c, state.h

    outputs, c, h = run(build)
    assert outputs.shape == (2, 4, 3) and c.shape == h.shape == (2, 3)
    assert not outputs[1, 2:].any()
    np.testing.assert_allclose(outputs[0, -1], h[0], rtol=1e-6)
    np.testing.assert_allclose(outputs[1, 1], h[1], rtol=1e-6)


# ------------------------------------------------------------------ slopes
def _slope(f):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    return slope


@ways
def test_c08_gradients_through_cond_and_while_loop(way):
    for x, wanted in [(3.0, 2.0), (-3.0, -1.0)]:
        assert run(way, lambda: _slope(branched), np.float32(x)) == wanted
    power = lambda x: tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [tf.constant(0), x]
    )[1]
    assert run(way, lambda: _slope(power), np.float32(2.0)) == 32.0
    assert run(way, lambda: _slope(_slope(power)), np.float32(2.0)) == 48.0


@both
def test_c08_gradients_of_variables_inside(run):
    def build():
        v, w = tfe.Variable(3.0), tfe.Variable(5.0)
        with tf.GradientTape() as tape:
            y = tf.cond(tf.constant(True), lambda: v * v, lambda: w)
            _, y = tf.while_loop(
                lambda i, y: i < 2, lambda i, y: (i + 1, y * w), [tf.constant(0), y]
            )
        return tape.gradient(y, [v, w])

    assert [float(x) for x in run(build)] == [150.0, 90.0]


# ------------------------------------------------------------------ without autograph
def test_c09_python_branches_on_tensors_are_refused_in_graphs(graph):
    x = tf.placeholder(tf.float32, [])
    with pytest.raises(TypeError, match=r"Using a `tf.Tensor` as a Python `bool`"):
        (lambda x: x if x > 0.0 else -x)(x)


def test_c09_dynamic_models_work_eagerly():
    def build():
        x = tf.constant(-3.0)
        return x if x > 0.0 else -x

    assert eagerly(build) == 3.0
