"""tf.contrib.losses: losses with predictions first, as they were before 1.0."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
