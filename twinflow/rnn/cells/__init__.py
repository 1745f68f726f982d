"""tf.nn.rnn_cell: cells, the steps of recurrent networks."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.rnn.cells.base: RNNCell
twinflow.rnn.cells.basic: BasicRNNCell GRUCell
twinflow.rnn.cells.lstm: BasicLSTMCell LSTMCell LSTMStateTuple
twinflow.rnn.cells.multi: MultiRNNCell
twinflow.rnn.cells.wrappers: DeviceWrapper DropoutWrapper ResidualWrapper
""",
)
