"""tf.math: elementwise mathematics and reductions."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
