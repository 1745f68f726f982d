"""tf.contrib.batching: calls from several threads, computed as one batch."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
