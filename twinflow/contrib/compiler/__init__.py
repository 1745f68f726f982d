"""tf.contrib.compiler: what is to be compiled as one."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
