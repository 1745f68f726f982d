"""tf.contrib.estimator: more heads, and what changes or extends Estimators."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
