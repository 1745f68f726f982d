"""tf.compat: bytes and text in both forms, and the calendar of coming changes."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
