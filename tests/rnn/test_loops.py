"""dynamic_rnn, raw_rnn, static_rnn and their kin: shapes, lengths, structures, errors.

What is expected was seen with TensorFlow 1.12.
"""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager, run

R = tf.nn.rnn_cell
X = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24
WAYS = ("eager", "session", "compiled session")


def lstm(n=2):
    return R.LSTMCell(n, initializer=tf.ones_initializer())


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def test_static_shapes(graph):
    x = tf.placeholder(tf.float32, [None, None, 3])
    y, state = tf.nn.dynamic_rnn(R.GRUCell(4), x, dtype=tf.float32)
    assert y.shape.as_list() == [None, None, 4]
    assert state.shape.as_list() == [None, 4]
    x = tf.placeholder(tf.float32, [7, 2, 3])
    (a, b), _ = tf.nn.bidirectional_dynamic_rnn(
        R.GRUCell(4), R.GRUCell(5), x, dtype=tf.float32, time_major=True
    )
    assert a.shape.as_list() == [7, 2, 4] and b.shape.as_list() == [7, 2, 5]


@pytest.mark.parametrize("way", WAYS)
def test_rows_end_at_their_lengths(way):
    def f(x):
        return tf.nn.dynamic_rnn(lstm(), x, [1, 4], dtype=tf.float32)

    y, state = run(way, lambda: f, X)
    assert (y[0, 1:] == 0).all() and (y[1] != 0).all()
    np.testing.assert_allclose(y[0, 0], [0.0350394, 0.0350394], rtol=1e-5)
    np.testing.assert_array_equal(state.h, [y[0, 0], y[1, 3]])
    for lengths in ([0, 0], [9, 9]):
        y, _ = run(
            way,
            lambda n=lengths: (
                lambda x: tf.nn.dynamic_rnn(lstm(), x, n, dtype=tf.float32)
            ),
            X,
        )
        assert (y == 0).all() == (lengths == [0, 0])


class Pair(R.RNNCell):
    """Two inputs, and outputs and states of several ranks."""

    state_size = output_size = (2, tf.TensorShape([2, 2]))

    def call(self, inputs, state):
        a = state[0] + inputs["a"][:, :2] * inputs["b"][:, 1:]
        b = state[1] + tf.expand_dims(a, 2)
        return (a, b), (a, b)


@pytest.mark.parametrize("way", WAYS)
def test_structures(way):
    def f(x):
        inputs = {"a": x, "b": x + 1.0}
        return tf.nn.dynamic_rnn(Pair(), inputs, [2, 4], dtype=tf.float32)

    (a, b), (c, d) = run(way, lambda: f, X)
    steps = np.cumsum(X[..., :2] * (X[..., 1:] + 1), 1)
    steps[0, 2:] = 0
    np.testing.assert_allclose(a, steps, rtol=1e-6)
    assert b.shape == (2, 4, 2, 2) and (b[0, 2:] == 0).all()
    np.testing.assert_allclose(c, [a[0, 1], a[1, 3]])
    np.testing.assert_allclose(d, [b[0, 1], b[1, 3]])


@pytest.mark.parametrize("way", ["eager", "session"])
def test_no_steps(way):
    def f(x):
        return tf.nn.dynamic_rnn(lstm(), x[:, :0], dtype=tf.float32)

    y, state = run(way, lambda: f, X)
    assert y.shape == (2, 0, 2) and (state.c == 0).all()


def test_static_loops_agree_with_the_dynamic_one():
    def f(x):
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            steps, cells = tf.unstack(x, axis=1), (R.GRUCell(2, name="a"), lstm())
            options = {"dtype": tf.float32, "sequence_length": [3, 2]}
            y, s = tf.nn.static_rnn(cells[1], steps, **options)
            z, t = tf.nn.dynamic_rnn(lstm(), x, **options)
            both, *_ = tf.nn.static_bidirectional_rnn(lstm(), lstm(), steps, **options)
            pair, _ = tf.nn.bidirectional_dynamic_rnn(lstm(), lstm(), x, **options)
        return tf.stack(y, 1), z, s, t, tf.stack(both, 1), tf.concat(pair, 2)

    y, z, s, t, both, pair = run("session", lambda: f, X)
    for a, b in ((y, z), (s.c, t.c), (s.h, t.h), (both, pair)):
        np.testing.assert_allclose(a, b, rtol=1e-6)


class Saver:
    def __init__(self):
        self.saved = {}

    def state(self, name):
        return tf.ones([2, 2])

    def save_state(self, name, value):
        self.saved[name] = tf.identity(value)
        return self.saved[name]


def test_saved_states(graph):
    saver, steps = Saver(), tf.unstack(tf.constant(X), axis=1)
    run_saving = tf.nn.static_state_saving_rnn
    y, state = run_saving(lstm(), steps, saver, ("a", "b"))
    assert sorted(saver.saved) == ["a", "b"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        last, h, saved = session.run([y[-1], state.h, saver.saved["b"]])
    assert (last == h).all() and (h == saved).all()
    with pytest.raises(ValueError, match="state_name should be the same type as"):
        run_saving(lstm(), steps, saver, "a")
    with pytest.raises(ValueError, match=r"!= #elems\(state_size\): 3 vs"):
        run_saving(lstm(), steps, saver, ("a", "b", "c"))


def raw(x, lengths, counted):
    """The cell over the steps of x, with a count as the loop's state."""
    cell = lstm()
    rows = tf.TensorArray(tf.float32, 4).unstack(tf.transpose(x, [1, 0, 2]))

    def loop(time, output, state, count):
        finished = time >= tf.constant(lengths)
        inputs = tf.cond(
            tf.reduce_all(finished), lambda: tf.zeros([2, 3]), lambda: rows.read(time)
        )
        if output is None:
            first = tf.constant(5) if counted else None
            return finished, inputs, cell.zero_state(2, tf.float32), None, first
        return finished, inputs, state, output, count + 1 if counted else None

    emitted, state, count = tf.nn.raw_rnn(cell, loop)
    return emitted.stack(), state, count if counted else tf.constant(-1)


@pytest.mark.parametrize("way", ["eager", "session", "compiled session"])
def test_raw_loops(way):
    for counted, lengths in ((False, [2, 4]), (True, [1, 3])):
        y, state, count = run(
            way,
            lambda n=lengths, c=counted: lambda x: raw(x, n, c),
            X,
            refusals="rnn_o",
        )
        z, other = run(
            way,
            lambda n=lengths: (
                lambda x: tf.nn.dynamic_rnn(lstm(), x, n, dtype=tf.float32)
            ),
            X,
        )
        np.testing.assert_allclose(y, z[:, : max(lengths)].swapaxes(0, 1), rtol=1e-6)
        np.testing.assert_allclose(state.c, other.c, rtol=1e-6)
        assert count == (5 + max(lengths) if counted else -1)


class Wrong(R.RNNCell):
    state_size = output_size = 2

    def call(self, inputs, state):
        return inputs[:, :2], (state, state)


FAULTS = [
    (lambda x: tf.nn.dynamic_rnn(3, x), TypeError, "'cell' .3. is not an RNNCell"),
    (lambda x: tf.nn.dynamic_rnn(lstm(), x), ValueError, "you must give a dtype"),
    (
        lambda x: tf.nn.dynamic_rnn(lstm(), x, [[1]], dtype=tf.float32),
        ValueError,
        "must be a vector of length batch_size, but saw",
    ),
    (
        lambda x: tf.nn.dynamic_rnn(lstm(), x[0, 0], dtype=tf.float32),
        ValueError,
        "to have rank at least 2",
    ),
    (
        lambda x: tf.nn.dynamic_rnn(Wrong(), x, [1, 2], dtype=tf.float32),
        ValueError,
        "same nested structure",
    ),
    (
        lambda x: tf.nn.dynamic_rnn(Pair(), {"a": x, "b": x[:1]}, dtype=tf.float32),
        ValueError,
        "Batch_size is not the same",
    ),
    (
        lambda x: tf.nn.dynamic_rnn(Pair(), {"a": x, "b": x[:, :2]}, dtype=tf.float32),
        ValueError,
        "Time steps is not the same",
    ),
    (lambda x: tf.nn.static_rnn(lstm(), x), TypeError, "inputs must be a sequence"),
    (lambda x: tf.nn.static_rnn(lstm(), []), ValueError, "inputs must not be empty"),
    (lambda x: tf.nn.static_rnn(lstm(), [x[0]]), ValueError, "dtype must be specified"),
    (lambda x: tf.nn.raw_rnn(lstm(), 3), TypeError, "loop_fn must be a callable"),
]


@pytest.mark.parametrize("place", range(len(FAULTS)))
def test_what_loops_refuse(place):
    make, kind, text = FAULTS[place]
    for mode in (eager(), tf.Graph().as_default()):
        with mode, pytest.raises(kind, match=text):
            make(tf.constant(X))


def test_what_graphs_refuse(graph):
    with pytest.raises(ValueError, match="must be accessible via shape inference"):
        tf.nn.dynamic_rnn(
            lstm(), tf.placeholder(tf.float32, [None, None, None]), dtype=tf.float32
        )
    n = tf.placeholder(tf.int32, [None])
    y, _ = tf.nn.dynamic_rnn(lstm(), X, n, dtype=tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Expected shape for Tensor rnn_1/seq"
        ):
            session.run(y, {n: [1, 2, 3]})
        assert session.run(y, {n: [1, 2]}).shape == (2, 4, 2)


def test_a_raw_loop_may_emit_what_only_the_run_knows(graph):
    n, cell = tf.placeholder(tf.int32), lstm()

    def loop(time, output, state, _):
        first = output is None
        count = tf.cast(n, tf.int64)
        emit = tf.zeros([n], tf.int64) if first else tf.fill([2, n], count)
        state = cell.zero_state(2, tf.float32) if first else state
        return tf.fill([2], time >= 3), tf.zeros([2, 3]), state, emit, None

    emitted, _, _ = tf.nn.raw_rnn(cell, loop)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run(emitted.stack(), {n: 4})
    assert found.shape == (3, 2, 4) and (found == 4).all()
