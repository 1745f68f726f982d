"""tf.contrib.rpc: calls of other processes as ops."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
