"""tf.contrib.model_pruning: weights that become 0 while a network is trained."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
