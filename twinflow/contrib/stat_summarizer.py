"""tf.contrib.stat_summarizer: the times of ops, summed up."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
