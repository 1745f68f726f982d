"""tf.keras.callbacks: what is done while a model is trained."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
