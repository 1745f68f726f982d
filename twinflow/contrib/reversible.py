"""Reversible layers, whose way back needs no kept activations; not in TensorFlow."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.reversible_blocks: ReversibleBlock ReversibleSequence
twinflow.contrib.reversible_blocks: kept_statistics
""",
)
