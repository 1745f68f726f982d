"""tf.contrib.learn.datasets.base: sets of examples in files of text."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
