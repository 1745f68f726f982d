"""Cells that are few ops eagerly, against the ops that they are in graphs."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.keras.layers import rnn_cells
from twinflow.rnn.cells import lstm

R = tf.nn.rnn_cell
CELLS = {
    "basic": lambda: R.BasicLSTMCell(5),
    "forget": lambda: R.BasicLSTMCell(5, forget_bias=0.3, activation="tanh"),
    "joined": lambda: R.BasicLSTMCell(5, state_is_tuple=False),
    "lstm": lambda: R.LSTMCell(5),
    "projected": lambda: R.LSTMCell(5, num_proj=3),
}


def _values(cell, x, w):
    """A network of three steps, with its weights set."""
    size = cell.state_size
    size = [size] if isinstance(size, int) else list(size)
    random = np.random.default_rng(5)
    first = [tf.constant(random.standard_normal((7, n)), x.dtype) for n in size]
    state = first[0] if len(first) == 1 else type(cell.state_size)(*first)
    if not cell.built:
        cell(x[0], state)
        for i, v in enumerate(cell.trainable_variables):
            v.assign(np.random.default_rng(i).standard_normal(v.shape) * w)
    outputs = []
    for t in range(3):
        y, state = cell(x[t], state)
        outputs.append(y)
    return tf.stack(outputs), state


def _slopes(make, dtype):
    """Values, and gradients of both orders, for the inputs and all weights."""
    x = np.random.default_rng(1).standard_normal((3, 7, 4))
    x, cell = tf.constant(x, dtype), make()
    _values(cell, x, 0.7)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, state = _values(cell, x, 0.7)
            loss = tf.add_n([tf.reduce_sum(tf.sin(t)) for t in (y, *state)])
        sources = [x, *cell.trainable_variables]
        first = tape.gradient(loss, sources)
        bend = tf.add_n([tf.reduce_sum(d * d) for d in first])
    return [y, *first, *outer.gradient(bend, sources)]


def _agree(found, wanted, dtype):
    room = 2e-5 if dtype == "float32" else 1e-10
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), room, room)


def _counted(monkeypatch, module):
    """The calls of the one op that a module makes."""
    calls, real = [], module.eager_lstm_gates

    def watched(*args, **kwargs):
        calls.append(real(*args, **kwargs))
        return calls[-1]

    monkeypatch.setattr(module, "eager_lstm_gates", watched)
    return calls


def _refuse(monkeypatch, module):
    monkeypatch.setattr(module, "eager_lstm_gates", lambda *_, **__: None)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", CELLS)
def test_cells(name, dtype, eager, monkeypatch):
    calls = _counted(monkeypatch, lstm)
    found = _slopes(CELLS[name], dtype)
    assert calls and all(c is not None for c in calls)
    _refuse(monkeypatch, lstm)
    _agree(found, _slopes(CELLS[name], dtype), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_keras(dtype, eager, monkeypatch):
    def slopes():
        layer = tf.keras.layers.LSTM(
            5, recurrent_activation="sigmoid", return_sequences=True, dtype=dtype
        )
        x = np.random.default_rng(1).standard_normal((7, 3, 4))
        x = tf.constant(x, dtype)
        layer(x)
        random = np.random.default_rng(2)
        layer.set_weights([random.standard_normal(w.shape) for w in layer.weights])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sin(layer(x)))
        return [loss, *tape.gradient(loss, layer.trainable_variables)]

    calls = _counted(monkeypatch, rnn_cells)
    found = slopes()
    assert calls and all(c is not None for c in calls)
    _refuse(monkeypatch, rnn_cells)
    _agree(found, slopes(), dtype)


@pytest.mark.parametrize("settings", [
    {"use_peepholes": True}, {"cell_clip": 0.5}, {"activation": "relu"},
])  # fmt: skip
def test_other_cells_stay_as_they_are(settings, eager, monkeypatch):
    calls = _counted(monkeypatch, lstm)
    cell = R.LSTMCell(5, **settings)
    cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    assert not calls


def test_in_graphs_nodes_are_those_of_tensorflow():
    with tf.Graph().as_default() as graph:
        cell = R.BasicLSTMCell(5)
        cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    types = [node.type for node in graph.get_operations()]
    assert "TwinLSTMGates" not in types and types.count("Sigmoid") == 3
