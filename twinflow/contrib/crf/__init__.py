"""tf.contrib.crf: linear chains of tags, their likelihood and the best of them."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
