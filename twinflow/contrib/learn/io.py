"""tf.contrib.learn.io: input functions of arrays and tables."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
