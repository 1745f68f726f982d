"""tf.compat: bytes and text in both forms, and the calendar of coming changes."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.text: as_bytes as_str as_str_any as_text path_to_str
twinflow.base.text: bytes_or_text_types complex_types integral_types real_types
twinflow.compat.forward: forward_compatible forward_compatibility_horizon
""",
)
