"""The networks that the tests of this folder run."""

import zlib

import numpy as np

import twinflow as tf
from twinflow.base import nest

CELLS = {
    "basic": lambda: tf.nn.rnn_cell.BasicRNNCell(3),
    "gru": lambda: tf.nn.rnn_cell.GRUCell(3),
    "blstm": lambda: tf.nn.rnn_cell.BasicLSTMCell(3),
    "blstmcat": lambda: tf.nn.rnn_cell.BasicLSTMCell(
        3, forget_bias=0.5, state_is_tuple=False
    ),
    "lstm": lambda: tf.nn.rnn_cell.LSTMCell(3),
    "lstmall": lambda: tf.nn.rnn_cell.LSTMCell(
        4, use_peepholes=True, cell_clip=0.3, num_proj=3, proj_clip=0.2
    ),
    "multi": lambda: tf.nn.rnn_cell.MultiRNNCell(
        [tf.nn.rnn_cell.LSTMCell(4), tf.nn.rnn_cell.GRUCell(3)]
    ),
    "residual": lambda: tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(2)),
}
X = np.random.RandomState(0).randn(4, 5, 2)
LENGTHS = np.array([5, 2, 0, 3])


def weight(variable):
    """Numbers that depend on the name and shape of a variable alone."""
    random = np.random.RandomState(zlib.crc32(variable.name.encode()) % 2**31)
    return random.randn(*variable.shape.as_list()) * 0.4


def network(cell, loop, lengths):
    """A function of float[batch, time, depth]: cells are made, and run, as asked."""
    make, options = CELLS[cell], {"sequence_length": lengths}

    def run(x):
        options["dtype"] = x.dtype
        if loop == "dyn":
            return tf.nn.dynamic_rnn(make(), x, **options)
        if loop == "tm":
            swapped = tf.transpose(x, [1, 0, 2])
            return tf.nn.dynamic_rnn(make(), swapped, time_major=True, **options)
        if loop == "bi":
            return tf.nn.bidirectional_dynamic_rnn(make(), make(), x, **options)
        steps = tf.unstack(x, axis=1)
        if loop == "st":
            return tf.nn.static_rnn(make(), steps, **options)
        return tf.nn.static_bidirectional_rnn(make(), make(), steps, **options)

    return run


def loss_of(results):
    """One number that depends on every result."""
    flat = nest.flatten(results)
    return tf.add_n([tf.reduce_sum(tf.sin(t) * (i + 1)) for i, t in enumerate(flat)])
