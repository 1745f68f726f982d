"""tf.keras.mixed_precision.experimental: policies, and scaling of losses."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
