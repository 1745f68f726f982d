"""tf.contrib.gan.eval.summaries: images and losses of models."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
