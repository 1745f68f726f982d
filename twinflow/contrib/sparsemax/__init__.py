"""tf.contrib.sparsemax: probabilities of which many are 0."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
