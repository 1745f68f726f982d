"""The gradients of the fused cells, against those of the cells of tf.nn."""

import numpy as np
import pytest

import twinflow as tf
from tests.contrib.recurrent_networks import weights
from tests.ways import compiled, interpreted
from twinflow.base.dispatch import apply
from twinflow.ops.nn.lstm_block import BlockLSTM

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


def _block_inputs():
    """float32: x, cs_prev, h_prev, w, wci, wcf, wco, b."""
    random = np.random.default_rng(3)
    sizes = (5, 3, 4), (3, 6), (3, 6), (10, 24), (6,), (6,), (6,), (24,)
    return [random.standard_normal(s).astype("f") for s in sizes]


def _block_loss(ins, peepholes, steps):
    attrs = {"forget_bias": 0.5, "cell_clip": 0.9, "use_peephole": peepholes}
    found = apply(BlockLSTM, (np.int64(steps), *ins), attrs)
    return tf.reduce_sum(tf.sin(found[6]) + tf.cos(found[1])), found


@pytest.mark.parametrize("steps", [0, 1, 3, 5])
@pytest.mark.parametrize("peepholes", [False, True])
def test_eager_blocks_are_those_that_xla_computes(peepholes, steps, eager):
    ins = [tf.constant(a) for a in _block_inputs()]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(ins)
        loss, found = _block_loss(ins, peepholes, steps)
    slopes = tape.gradient(loss, ins)
    with tf.GradientTape() as tape:
        tape.watch(ins[1:])  # nobody asks for the gradient of x
        loss, _ = _block_loss(ins, peepholes, steps)
    fewer = tape.gradient(loss, ins[1:])
    with compiled(), tf.Graph().as_default(), tf.Session() as session:
        held = [tf.placeholder(a.dtype, a.shape) for a in _block_inputs()]
        value, outputs = _block_loss(held, peepholes, steps)
        fetches = [value, *outputs, *tf.gradients(value, held)]
        wanted = session.run(fetches, dict(zip(held, _block_inputs(), strict=True)))
    for a, b in zip([loss, *found, *slopes], wanted, strict=True):
        np.testing.assert_allclose(a.numpy(), b, 1e-5, 1e-5)
    for a, b in zip(fewer, slopes[1:], strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
