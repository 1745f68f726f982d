"""tf.contrib.legacy_seq2seq: sequences as lists, an op for each step."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
