"""tf.contrib.quantize: graphs that are trained as they will be quantised."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
