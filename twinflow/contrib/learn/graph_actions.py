"""tf.contrib.learn.graph_actions: graphs that are there, trained and evaluated."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
