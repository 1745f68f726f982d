"""tf.quantization: numbers as small integers, and floats rounded as these would be."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
