"""tf.contrib.optimizer_v2: optimizers whose updates get their state as an argument."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
