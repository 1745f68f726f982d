"""tf.contrib.constrained_optimization: minimising where other values must stay below 0."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
