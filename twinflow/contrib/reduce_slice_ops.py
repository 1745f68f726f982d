"""tf.contrib.reduce_slice_ops: reductions of slices that tensors name."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
