"""tf.contrib.summary: summaries that are written as ops, in both modes."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
