"""tf.contrib.timeseries: forecasts, by autoregression and by state space models."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
