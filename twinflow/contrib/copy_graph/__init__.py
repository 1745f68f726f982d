"""tf.contrib.copy_graph: variables and operations copied into another graph."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
