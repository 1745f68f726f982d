"""The estimators of boosted trees, and what goes with them."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
