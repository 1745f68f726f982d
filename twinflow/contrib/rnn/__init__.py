"""tf.contrib.rnn: the cells and loops of tf.nn, and some that stayed in contrib."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
