"""tf.keras.applications: known architectures; their weights from local files."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
