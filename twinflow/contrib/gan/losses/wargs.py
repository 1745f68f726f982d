"""tf.contrib.gan.losses.wargs: the losses as functions of tensors."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
