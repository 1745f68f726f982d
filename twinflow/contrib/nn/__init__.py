"""tf.contrib.nn: neural-network ops outside the core."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
