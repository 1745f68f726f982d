"""tf.contrib: what TensorFlow 1.12 had beside its core."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
