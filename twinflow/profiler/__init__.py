"""tf.profiler: parameters, operations, times and memory of graphs, in four views."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
