"""tf.contrib.nearest_neighbor: where to look for the neighbors of points."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
