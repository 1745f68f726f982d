"""tf.contrib.autograph.utils: what converted code of 2018 called."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
