"""Cells: names, sizes, states, wrappers and what they refuse.

What is expected was seen with TensorFlow 1.12.
"""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

R = tf.nn.rnn_cell
X = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def names():
    return [v.name for v in tf.global_variables()]


def lstm(n=2):
    return R.LSTMCell(n, initializer=tf.ones_initializer())


# --------------------------------------------------------------------------- names
NAMES = {
    "basic_lstm_cell": (R.BasicLSTMCell, ["kernel", "bias"]),
    "basic_rnn_cell": (R.BasicRNNCell, ["kernel", "bias"]),
    "gru_cell": (
        R.GRUCell,
        ["gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias"],
    ),
    "lstm_cell": (
        lambda n: R.LSTMCell(n, use_peepholes=True, num_proj=2),
        ["kernel", "bias", "w_f_diag", "w_i_diag", "w_o_diag", "projection/kernel"],
    ),
}


@pytest.mark.parametrize("scope", NAMES)
def test_variables_are_named_as_by_tensorflow(scope, graph):
    make, wanted = NAMES[scope]
    cell = make(4)
    tf.nn.dynamic_rnn(cell, X, dtype=tf.float32)
    assert names() == [f"rnn/{scope}/{name}:0" for name in wanted]
    assert [v.name for v in cell.trainable_weights] == names()
    with eager():
        cell = make(4)
        tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
        assert [v.name for v in cell.variables] == [
            f"rnn/{scope}/{name}:0" for name in wanted
        ]


def test_layers_of_cells(graph):
    y, state = tf.nn.dynamic_rnn(
        R.MultiRNNCell([R.LSTMCell(4), R.BasicRNNCell(2)]), X, dtype=tf.float32
    )
    assert names() == [
        "rnn/multi_rnn_cell/cell_0/lstm_cell/kernel:0",
        "rnn/multi_rnn_cell/cell_0/lstm_cell/bias:0",
        "rnn/multi_rnn_cell/cell_1/basic_rnn_cell/kernel:0",
        "rnn/multi_rnn_cell/cell_1/basic_rnn_cell/bias:0",
    ]
    assert y.name == "rnn/transpose_1:0" and state[1].name == "rnn/while/Exit_5:0"


def test_scopes_and_sharing(graph):
    x, zero = tf.constant(X[:, 0]), tf.zeros([2, 2])
    a, b = R.BasicRNNCell(2), R.BasicRNNCell(2)
    a(x, zero), b(x, zero)
    assert a(x, zero)[0].name == "basic_rnn_cell/Tanh_1:0"
    R.BasicRNNCell(2, name="q")(x, zero)
    R.BasicRNNCell(2, name="q", reuse=True)(x, zero)
    with tf.variable_scope("m"):
        R.BasicRNNCell(2)(x, zero, scope="s")
    kernels = [n for n in names() if "kernel" in n]
    assert kernels == [
        "basic_rnn_cell/kernel:0", "basic_rnn_cell_1/kernel:0", "q/kernel:0",
        "m/s/kernel:0",
    ]  # fmt: skip
    assert (a.name, a.scope_name) == ("basic_rnn_cell_1", "basic_rnn_cell")
    with pytest.raises(
        ValueError, match="gru_cell/gates/kernel does not exist, or was"
    ):
        R.GRUCell(2, reuse=True)(x, zero)
    with pytest.raises(ValueError, match="No name available for layer scope because"):
        _ = R.GRUCell(2).scope_name


def test_running_twice(graph):
    cell = R.GRUCell(2)
    tf.nn.dynamic_rnn(cell, X, dtype=tf.float32)
    tf.nn.dynamic_rnn(cell, X, dtype=tf.float32)
    assert len(names()) == 4
    with pytest.raises(ValueError, match="rnn/gru_cell/gates/kernel already exists"):
        tf.nn.dynamic_rnn(R.GRUCell(2), X, dtype=tf.float32)
    tf.nn.dynamic_rnn(R.GRUCell(2), X, dtype=tf.float32, scope="two")
    assert len(names()) == 8


class Mine(R.RNNCell):
    """A cell that gets its variable in `call`."""

    state_size = output_size = 2

    def call(self, inputs, state):
        w = tf.get_variable("w", [5, 2], initializer=tf.ones_initializer())
        y = tf.matmul(tf.concat([inputs, state], 1), w)
        return y, y


def test_cells_of_users(graph):
    cell = Mine(name="my")
    tf.nn.dynamic_rnn(cell, X, dtype=tf.float32)
    assert names() == ["rnn/my/w:0"] == [v.name for v in cell.weights]
    cell(X[:, 0], tf.zeros([2, 2]))
    tf.nn.static_rnn(Mine(), tf.unstack(X, axis=1), dtype=tf.float32, scope="other")
    assert names() == ["rnn/my/w:0", "other/mine/w:0"]
    for what in ("state_size", "output_size"):
        with pytest.raises(NotImplementedError, match="Abstract method"):
            getattr(R.RNNCell(), what)


# -------------------------------------------------------------------------- states
def test_first_states(graph):
    cell = R.MultiRNNCell([R.LSTMCell(3, num_proj=2), R.GRUCell(4)])
    lstm_state, gru_state = cell.zero_state(tf.constant(5), tf.float64)
    assert lstm_state.c.shape.as_list() == [5, 3] and lstm_state.dtype is tf.float64
    assert lstm_state.h.shape.as_list() == [5, 2] and gru_state.shape[1] == 4
    assert lstm_state.c.name == "MultiRNNCellZeroState/LSTMCellZeroState/zeros:0"
    x = tf.placeholder(tf.float32, [None, 3])
    assert R.GRUCell(2).get_initial_state(inputs=x).shape.as_list() == [None, 2]
    with pytest.raises(ValueError, match="batch_size and dtype cannot be None while"):
        cell.get_initial_state()
    with pytest.raises(ValueError, match="batch size from input tensor is different"):
        cell.get_initial_state(inputs=X[:, 0], batch_size=3)
    with pytest.raises(ValueError, match="dtype from input tensor is different from"):
        cell.get_initial_state(inputs=X[:, 0], dtype=tf.float64)
    mixed = R.LSTMStateTuple(tf.ones([2]), tf.ones([2], tf.float64))
    with pytest.raises(TypeError, match="Inconsistent internal state"):
        _ = mixed.dtype


def test_settings():
    assert R.GRUCell(4, name="g").get_config() == {
        "name": "g", "trainable": True, "dtype": None, "num_units": 4,
        "kernel_initializer": None, "bias_initializer": None, "activation": "tanh",
        "reuse": None,
    }  # fmt: skip
    config = R.LSTMCell(4, num_proj=2, activation="relu").get_config()
    assert config["num_proj"] == 2 and config["activation"] == "relu"
    assert R.BasicLSTMCell(4).state_size == R.LSTMStateTuple(4, 4)


def test_what_cells_refuse(graph):
    for make, kind, text in (
        (lambda: R.MultiRNNCell([]), ValueError, "at least one cell for MultiRNNCell"),
        (lambda: R.MultiRNNCell(lstm()), TypeError, "cells must be a list or tuple"),
        (
            lambda: R.MultiRNNCell([lstm()], state_is_tuple=False),
            ValueError,
            "Some cells return tuples of states",
        ),
        (
            lambda: R.MultiRNNCell([R.GRUCell(2)])(X[:, 0], tf.zeros([2, 2])),
            ValueError,
            "to be a tuple of length 1, but received",
        ),
        (lambda: R.DropoutWrapper(3), TypeError, "is not an RNNCell: 'output_size' p"),
        (
            lambda: R.DropoutWrapper(lstm(), input_keep_prob=1.5),
            ValueError,
            "Parameter input_keep_prob must be between 0 and 1: 1",
        ),
        (
            lambda: R.DropoutWrapper(lstm(), variational_recurrent=True),
            ValueError,
            "dtype must be provided",
        ),
        (lambda: lstm()(X, None), ValueError, "expected ndim=2, found ndim=3"),
    ):
        with pytest.raises(kind, match=text):
            make()


# ------------------------------------------------------------------------- dropout
@pytest.mark.parametrize("variational", [False, True])
def test_dropout(variational):
    with eager():
        cell = R.DropoutWrapper(
            R.BasicRNNCell(50), output_keep_prob=0.5, seed=3, dtype=tf.float32,
            variational_recurrent=variational,
        )  # fmt: skip
        y, _ = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
        dropped = (y.numpy() == 0.0).reshape(8, 50)
    assert 0.3 < dropped.mean() < 0.7
    same = (dropped == dropped[0]).all()
    assert same == variational


def only_the_memory(substate):
    whole = isinstance(substate, R.LSTMStateTuple)
    return R.LSTMStateTuple(c=True, h=False) if whole else True


def test_dropout_leaves_the_memory():
    with eager():
        cell = R.DropoutWrapper(lstm(50), state_keep_prob=tf.constant(0.5))
        _, state = cell(tf.constant(X[:, 0]), cell.zero_state(2, tf.float32))
        assert (state.c.numpy() != 0).all() and (state.h.numpy() == 0).any()
        chosen = R.DropoutWrapper(
            lstm(50), state_keep_prob=0.5,
            dropout_state_filter_visitor=only_the_memory,
        )  # fmt: skip
        _, state = chosen(tf.constant(X[:, 0]), chosen.zero_state(2, tf.float32))
        assert (state.c.numpy() == 0).any() and (state.h.numpy() != 0).all()
        assert chosen.wrapped_cell is chosen._cell


def test_other_wrappers(graph):
    x, state = tf.constant(X[:, 0]), tf.zeros([2, 3])
    plain, _ = R.GRUCell(3, name="g")(x, state)
    around = R.ResidualWrapper(R.GRUCell(3, name="g", reuse=True))
    twice = R.ResidualWrapper(
        R.GRUCell(3, name="g", reuse=True), residual_fn=lambda i, o: o * 2.0
    )
    placed = R.DeviceWrapper(R.GRUCell(3, name="g", reuse=True), "/cpu:0")
    found = [plain, around(x, state)[0], twice(x, state)[0], placed(x, state)[0]]
    assert "cpu" in found[3].device.lower()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        y, added, doubled, same = session.run(found)
    np.testing.assert_allclose(added, y + X[:, 0])
    np.testing.assert_allclose(doubled, y * 2)
    np.testing.assert_allclose(same, y)
