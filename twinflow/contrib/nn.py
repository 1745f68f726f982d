"""tf.contrib.nn: neural-network ops outside the core."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__, "twinflow.ops.arrays.sorting: nth_element"
)
