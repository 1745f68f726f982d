"""tf.contrib.learn: estimators, data sets and text as they were before tf.estimator."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
