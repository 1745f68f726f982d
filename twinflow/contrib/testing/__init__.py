"""tf.contrib.testing: event files and writers of summaries, for tests."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
