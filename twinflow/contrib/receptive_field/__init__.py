"""tf.contrib.receptive_field: what part of the input each output depends on."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
