"""tf.contrib.learn.datasets.mnist: the handwritten digits."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
