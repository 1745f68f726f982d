"""tf.app: the entry point of a script, and its flags."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.compat.app: run
twinflow.compat.flags: flags=*
""",
)
