"""tf.contrib.learn.datasets: small sets of examples, from files on this machine."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
