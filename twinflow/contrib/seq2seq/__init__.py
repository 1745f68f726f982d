"""tf.contrib.seq2seq: decoders, attention, beam search, the loss of sequences."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
