"""tf.keras.optimizers: rules that update variables against gradients."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
