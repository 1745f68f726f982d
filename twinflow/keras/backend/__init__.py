"""tf.keras.backend: defaults, and the functions that layers were once written with."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
