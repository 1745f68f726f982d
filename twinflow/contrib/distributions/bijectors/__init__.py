"""tf.contrib.distributions.bijectors: invertible maps with log Jacobians."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
