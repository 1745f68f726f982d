"""tf.distributions: distributions that are sampled and asked for their densities."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
