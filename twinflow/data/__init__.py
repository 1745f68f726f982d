"""tf.data: datasets, and the iterators that take elements from them."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
