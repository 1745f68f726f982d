"""tf.contrib.mixed_precision: scaling of losses, for gradients in half precision."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
