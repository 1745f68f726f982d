"""tf.logging: messages of a program, by level."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.logging: DEBUG ERROR FATAL INFO WARN TaskLevelStatusMessage debug error
twinflow.base.logging: fatal flush get_verbosity info log log_every_n log_first_n
twinflow.base.logging: log_if set_verbosity vlog warn warning
""",
)
