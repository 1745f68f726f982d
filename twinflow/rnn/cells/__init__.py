"""tf.nn.rnn_cell: cells, the steps of recurrent networks."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
