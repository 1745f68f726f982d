"""tf.contrib.predictor: functions of arrays, made of SavedModels and Estimators."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
