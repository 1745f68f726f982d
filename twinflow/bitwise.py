"""tf.bitwise: operations on the bits of integers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.math.bitwise: bitwise_and bitwise_or bitwise_xor invert left_shift
twinflow.ops.math.bitwise: right_shift
""",
)
