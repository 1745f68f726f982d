"""tf.contrib.tensor_forest: random forests, grown by scikit-learn."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
