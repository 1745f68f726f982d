"""tf.image: images resized, cropped, recolored, compared, decoded and encoded."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
