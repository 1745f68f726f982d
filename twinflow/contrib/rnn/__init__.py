"""tf.contrib.rnn: the cells and loops of tf.nn, and some that stayed in contrib."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.rnn.cells.base: RNNCell LayerRNNCell
twinflow.rnn.cells.basic: BasicRNNCell GRUCell
twinflow.rnn.cells.lstm: BasicLSTMCell LSTMCell LSTMStateTuple
twinflow.rnn.cells.multi: MultiRNNCell
twinflow.rnn.cells.wrappers: DeviceWrapper DropoutWrapper ResidualWrapper
twinflow.rnn.static: static_rnn static_bidirectional_rnn static_state_saving_rnn
twinflow.contrib.rnn.wrappers: EmbeddingWrapper InputProjectionWrapper
twinflow.contrib.rnn.wrappers: OutputProjectionWrapper HighwayWrapper
twinflow.contrib.rnn.cells: LayerNormBasicLSTMCell LSTMBlockCell UGRNNCell
twinflow.contrib.rnn.stacks: stack_bidirectional_rnn stack_bidirectional_dynamic_rnn
twinflow.contrib.rnn.stacks: transpose_batch_time best_effort_input_batch_size
""",
)
