"""tf.contrib.boosted_trees: gradient boosted trees of dense and sparse features."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
