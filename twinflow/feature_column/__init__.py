"""tf.feature_column: what the features of examples are, and layers that take them."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
