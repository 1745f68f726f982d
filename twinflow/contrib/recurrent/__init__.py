"""tf.contrib.recurrent: loops over time, with gradients of one's own."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
