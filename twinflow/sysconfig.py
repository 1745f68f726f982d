"""tf.sysconfig: where a compiler would look."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.compat.build: get_compile_flags get_include get_lib get_link_flags
""",
)
