"""tf.manip: moving the elements of tensors."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.array: tile
twinflow.ops.index: gather_nd scatter_nd
twinflow.ops.rearrange: reverse roll
twinflow.ops.shape: reshape
twinflow.ops.space_batch: batch_to_space_nd space_to_batch_nd
""",
)
