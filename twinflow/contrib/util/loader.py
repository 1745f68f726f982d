"""tf.contrib.util.loader: plugins in compiled form, which are refused."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
