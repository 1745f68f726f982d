"""tf.summary: what TensorBoard shows, as nodes of a graph and as event files."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
