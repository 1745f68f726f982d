"""tf.contrib.learn.head: from logits to losses, predictions and metrics."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
