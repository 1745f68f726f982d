"""tf.linalg: matrices."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.linalg: matmul
twinflow.ops.shape: transpose=matrix_transpose
""",
)
