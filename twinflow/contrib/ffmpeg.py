"""tf.contrib.ffmpeg: sound and films, through the ffmpeg program."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
