"""tf.bitwise: operations on the bits of integers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.bitwise: bitwise_and bitwise_or bitwise_xor invert left_shift right_shift
""",
)
