"""tf.contrib.tensorboard: what plugins of TensorBoard read."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
