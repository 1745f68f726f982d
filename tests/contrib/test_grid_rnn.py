"""tf.contrib.grid_rnn: what its cells give in TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import nest

grid = tf.contrib.grid_rnn
CASES = [
    (grid.Grid1BasicRNNCell, {}, [0.7616, 0.7616]),
    (grid.Grid1BasicLSTMCell, {}, [0.653, 1.4376, 0.653]),
    (grid.Grid1LSTMCell, {"use_peepholes": True}, [0.7807, 1.5468, 0.7807]),
    (grid.Grid2BasicRNNCell, {"tied": True}, [0.9502, 0.9502, 0.8337]),
    (grid.Grid2BasicRNNCell, {"non_recurrent_fn": tf.nn.relu}, [1.8005, 0.8005]),
    (grid.Grid2BasicLSTMCell, {}, [0.779, 1.6996, 0.779, 0.9853, 0.6059]),
    (grid.Grid2LSTMCell, {"tied": True, "use_peepholes": True},
     [0.8786, 1.7948, 0.8786, 1.0086, 0.666]),
    (grid.Grid3LSTMCell, {"output_is_tuple": False},
     [0.8808, 1.88, 0.8808, 1.1349, 0.7158, 1.3254, 0.7646]),
    (grid.Grid2GRUCell, {}, [0.3175, 0.3175, 0.2626]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "wanted"), CASES)
def test_cells_give_what_they_give_in_tensorflow(kind, settings, wanted):
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("root", initializer=tf.constant_initializer(0.5)):
            cell = kind(2, **settings)
            zeros = cell.zero_state(1, tf.float32)
            state = nest.pack_sequence_as(
                zeros, [z + 0.1 * (i + 1) for i, z in enumerate(nest.flatten(zeros))]
            )
            found = nest.flatten(cell(tf.ones([1, 2]), state))
        sess.run(tf.global_variables_initializer())
        values = [x[0, 0] for x in sess.run(found)]
        np.testing.assert_allclose(values, wanted, atol=1e-4)


def test_cells_go_over_time():
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("root", initializer=tf.constant_initializer(0.5)):
            cell = grid.Grid2LSTMCell(3, use_peepholes=True)
            outputs, _ = tf.nn.static_rnn(cell, [tf.ones([1, 2])] * 3, dtype=tf.float32)
        slopes = tf.gradients(outputs[-1], tf.trainable_variables())
        sess.run(tf.global_variables_initializer())
        found = sess.run(outputs[-1][0])
        np.testing.assert_allclose(found, [[0.9422] * 3], atol=1e-4)
        assert len(slopes) == 12
        assert None not in slopes


def test_dimensions_are_checked():
    with pytest.raises(ValueError, match="dims must be >= 1: 0"):
        grid.GridRNNCell(2, num_dims=0)
    with pytest.raises(ValueError, match="Invalid dims"):
        grid.GridRNNCell(2, num_dims=2, input_dims=3)
    with pytest.raises(TypeError, match="must return an RNNCell instance"):
        grid.GridRNNCell(2, cell_fn=lambda n: 3)
    with pytest.raises(ValueError, match="Expected state as a tuple of 2 element"):
        grid.Grid2GRUCell(2)(tf.ones([1, 2]), (tf.ones([1, 2]),))
