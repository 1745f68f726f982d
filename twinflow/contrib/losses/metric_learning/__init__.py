"""tf.contrib.losses.metric_learning: losses that bring rows of a class together."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
