"""tf.contrib.framework: parts of the framework that were never moved to its core."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
