"""tf.contrib.gan.features: parts that networks of GANs are made with."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
