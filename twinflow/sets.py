"""tf.sets: operations on sets of integers or strings."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
