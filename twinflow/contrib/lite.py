"""tf.contrib.lite: names of TensorFlow Lite, which say that it is not there."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
