"""tf.python_io: TFRecord files outside of graphs."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
