"""The gradients of the fused cells, against those of the cells of tf.nn."""

import numpy as np
import pytest

import twinflow as tf
from tests.contrib.recurrent_networks import weights
from tests.ways import compiled, interpreted

R = tf.contrib.rnn
X = np.random.RandomState(0).randn(5, 3, 4)
LENGTHS = np.array([5, 2, 4])


def _lstm(peepholes, clip):
    return R.LSTMCell(6, use_peepholes=peepholes, cell_clip=clip)


PAIRS = {
    "gru": (lambda: R.GRUBlockCellV2(6), lambda: R.GRUCell(6)),
    "lstm": (lambda: R.LSTMBlockCell(6), lambda: _lstm(False, None)),
    "peepholes": (
        lambda: R.LSTMBlockCell(6, use_peephole=True),
        lambda: _lstm(True, None),
    ),
}


def _slopes(build):
    """Results, and gradients for the input and all variables."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(X)
        with tf.variable_scope("v", initializer=weights(tf)):
            found = build(x)
        loss = tf.add_n([tf.reduce_sum(tf.sin(t)) for t in found])
        variables = sorted(tf.trainable_variables(), key=lambda v: v.name)
        slopes = tf.gradients(loss, [x, *variables])
        session.run(tf.global_variables_initializer())
        return session.run([*found, *slopes])


def _looped(cell, lengths=None):
    def build(x):
        outputs, state = tf.nn.dynamic_rnn(
            cell(), x, lengths, dtype=tf.float64, time_major=True, scope="rnn"
        )
        return [outputs, *(state if isinstance(state, tuple) else [state])]

    return build


def _fused(peepholes, lengths=None):
    def build(x):
        cell = R.LSTMBlockFusedCell(6, use_peephole=peepholes, name="rnn/lstm_cell")
        outputs, state = cell(x, dtype=tf.float64, sequence_length=lengths)
        return [outputs, *state]

    return build


def _agree(found, wanted):
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("way", [interpreted, compiled])
@pytest.mark.parametrize("name", PAIRS)
def test_cells(name, way):
    block, plain = PAIRS[name]
    with interpreted():
        wanted = _slopes(_looped(plain))
    with way():
        _agree(_slopes(_looped(block)), wanted)


@pytest.mark.parametrize("way", [interpreted, compiled])
@pytest.mark.parametrize("lengths", [None, LENGTHS])
@pytest.mark.parametrize("peepholes", [False, True])
def test_sequences(peepholes, lengths, way):
    with interpreted():
        wanted = _slopes(_looped(lambda: _lstm(peepholes, None), lengths))
    with way():
        _agree(_slopes(_fused(peepholes, lengths)), wanted)


def test_there_is_no_second_derivative():
    def build(x):
        (slope,) = tf.gradients(_fused(False)(x)[0], x)
        return [slope]

    with pytest.raises(LookupError, match="BlockLSTMGrad"):
        _slopes(build)
