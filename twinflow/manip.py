"""tf.manip: moving the elements of tensors."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.core.joining: tile
twinflow.ops.core.index_vectors: gather_nd scatter_nd
twinflow.ops.arrays.rearrange: reverse roll
twinflow.ops.core.shape: reshape
twinflow.ops.arrays.space_batch: batch_to_space_nd space_to_batch_nd
""",
)
