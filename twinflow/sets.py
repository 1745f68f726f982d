"""tf.sets: operations on sets of integers or strings."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.sparse.sets: set_difference set_intersection set_size set_union
""",
)
