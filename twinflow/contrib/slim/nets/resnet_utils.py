"""tf.contrib.slim.nets.resnet_utils: what residual networks are made of."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
