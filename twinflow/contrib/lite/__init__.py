"""tf.contrib.lite and tf.lite: models of TensorFlow Lite, written and run."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
