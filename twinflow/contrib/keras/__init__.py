"""tf.contrib.keras: tf.keras under its name of TensorFlow 1.2 and 1.3."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
