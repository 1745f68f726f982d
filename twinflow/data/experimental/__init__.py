"""tf.data.experimental: functions for `dataset.apply`, and further datasets."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
