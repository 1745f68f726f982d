"""tf.contrib.gan.eval: how good what a generator gives is, and pictures of it."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
