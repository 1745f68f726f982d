"""tf.contrib.stateless: random numbers as functions of a seed."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.random.stateless: stateless_multinomial stateless_random_normal
twinflow.ops.random.stateless: stateless_random_uniform stateless_truncated_normal
""",
)
