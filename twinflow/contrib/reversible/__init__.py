"""Reversible layers, whose way back needs no kept activations; not in TensorFlow."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.reversible.blocks: ReversibleBlock ReversibleSequence
twinflow.contrib.reversible.blocks: kept_statistics
""",
)
