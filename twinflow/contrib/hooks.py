"""tf.contrib.hooks: the profiler's hook, by its older name."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
