# Made by `make stubs` from the table of the index.
from twinflow.contrib.reversible.blocks import ReversibleBlock as ReversibleBlock
from twinflow.contrib.reversible.blocks import ReversibleSequence as ReversibleSequence
from twinflow.contrib.reversible.blocks import kept_statistics as kept_statistics

__all__ = [
"ReversibleBlock", "ReversibleSequence", "kept_statistics"
]
