"""tf.contrib.framework: parts of the framework that were never moved to its core."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.nest: nest=*
twinflow.base.convert: is_tensor
twinflow.ops.arrays.sorting: argsort sort
twinflow.graph.case: smart_cond smart_case smart_constant_value
""",
)
