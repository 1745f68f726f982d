"""The protocol buffers of decision trees."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
