"""tf.contrib.slim: layers as functions, and scopes of their arguments."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
