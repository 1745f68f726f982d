"""tf.contrib.periodic_resample: numbers of one axis spread over the others."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
