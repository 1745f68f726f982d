"""tf.app: the entry point of a script, and its flags."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
