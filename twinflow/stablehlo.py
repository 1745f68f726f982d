"""tf.stablehlo: programs written as StableHLO, for jax, and read from it."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
