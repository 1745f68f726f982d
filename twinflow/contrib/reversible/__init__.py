"""Reversible layers, whose way back needs no kept activations; not in TensorFlow."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
