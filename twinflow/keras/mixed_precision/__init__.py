"""tf.keras.mixed_precision: layers that compute in half precision."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
