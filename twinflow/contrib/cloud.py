"""tf.contrib.cloud: ops of cloud stores, which say that they are not there."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
