"""tf.contrib.cudnn_rnn against the cells that read its checkpoints."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted

C = tf.contrib.cudnn_rnn
X = np.random.RandomState(0).randn(6, 3, 2).astype(np.float32)
KINDS = {
    "CudnnLSTM": C.CudnnCompatibleLSTMCell,
    "CudnnGRU": C.CudnnCompatibleGRUCell,
    "CudnnRNNTanh": tf.nn.rnn_cell.BasicRNNCell,
    "CudnnRNNRelu": lambda n: tf.nn.rnn_cell.BasicRNNCell(n, tf.nn.relu),
}
SCOPES = {
    "CudnnLSTM": "cudnn_lstm", "CudnnGRU": "cudnn_gru",
    "CudnnRNNTanh": "cudnn_rnn_tanh", "CudnnRNNRelu": "cudnn_rnn_relu",
}  # fmt: skip


def trained(kind, direction, path):
    """What a layer puts out; its checkpoint is at `path`, and comes back whole."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        layer = getattr(C, kind)(
            2, 4, direction=direction, bias_initializer=tf.random_normal_initializer()
        )
        outputs, _ = layer(tf.constant(X))
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        found = session.run(outputs)
        saver.save(session, path)
        session.run(layer.kernel.assign(tf.zeros_like(layer.kernel)))
        saver.restore(session, path)
        np.testing.assert_allclose(session.run(outputs), found, rtol=1e-5, atol=1e-6)
        return found


@pytest.mark.parametrize("direction", ["unidirectional", "bidirectional"])
@pytest.mark.parametrize("kind", KINDS)
def test_cells_read_the_checkpoints(kind, direction, tmp_path):
    path, cell = str(tmp_path / "model"), KINDS[kind]
    wanted = trained(kind, direction, path)
    with tf.Graph().as_default(), tf.Session() as session:
        x, options = tf.constant(X), {"dtype": tf.float32, "time_major": True}
        with tf.variable_scope(SCOPES[kind]):
            if direction == "unidirectional":
                both = tf.nn.rnn_cell.MultiRNNCell([cell(4), cell(4)])
                outputs, _ = tf.nn.dynamic_rnn(both, x, **options)
            else:
                outputs, *_ = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
                    [cell(4), cell(4)], [cell(4), cell(4)], x, **options
                )
        tf.train.Saver().restore(session, path)
        found = session.run(outputs)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["CudnnLSTM", "CudnnGRU"])
def test_modes_agree(kind):
    def run():
        layer = getattr(C, kind)(
            2, 4, kernel_initializer=tf.initializers.constant(0.3),
            direction="bidirectional",
        )  # fmt: skip
        outputs, state = layer(tf.constant(X))
        return [outputs, *state]

    found = []
    for way in (interpreted(), compiled()):
        with way, tf.Graph().as_default(), tf.Session() as session:
            results = run()
            session.run(tf.global_variables_initializer())
            found.append(session.run(results))
    with eager():
        found.append([t.numpy() for t in run()])
    for others in zip(*found, strict=True):
        for other in others[1:]:
            np.testing.assert_allclose(other, others[0], rtol=1e-5, atol=1e-6)


def test_mistakes():
    with pytest.raises(ValueError, match="Invalid direction: up, expecting unidirect"):
        C.CudnnLSTM(1, 2, direction="up")
    with pytest.raises(RuntimeError, match="invoked before input shape is known"):
        C.CudnnGRU(1, 2).canonical_weight_shapes
    with pytest.raises(ValueError, match="Expecting input_shape with 3 dims, got 2"):
        C.CudnnLSTM(1, 2)(tf.ones([2, 3]))
