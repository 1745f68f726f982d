"""tf.saved_model: graphs with signatures and values, for serving."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
