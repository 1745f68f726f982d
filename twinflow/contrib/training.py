"""tf.contrib.training: what surrounds training loops."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.hparam: HParams parse_values
""",
)
