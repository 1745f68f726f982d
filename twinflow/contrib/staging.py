"""tf.contrib.staging: tensors that wait for a later step."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
