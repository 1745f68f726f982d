"""tf.contrib.session_bundle.manifest_pb2: the messages of signatures and assets."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
