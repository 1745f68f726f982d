"""tf.contrib.autograph.operators: control flow and lists as functions."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
