"""tf.contrib.estimator: Estimators and heads beside those of tf.estimator."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
