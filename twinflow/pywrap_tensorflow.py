"""tf.pywrap_tensorflow: what programs take from TensorFlow's C interface."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
