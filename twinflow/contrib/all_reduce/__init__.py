"""tf.contrib.all_reduce: sums across devices, by several algorithms."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
