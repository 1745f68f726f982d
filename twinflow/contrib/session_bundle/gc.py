"""tf.contrib.session_bundle.gc: which exported folders to keep."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
