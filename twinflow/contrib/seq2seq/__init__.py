"""tf.contrib.seq2seq: the loss of sequences."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.seq2seq.loss: sequence_loss
twinflow.contrib.seq2seq.decoding: hardmax tile_batch
""",
)
