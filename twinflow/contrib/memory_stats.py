"""tf.contrib.memory_stats: how much memory the process has and may take."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
