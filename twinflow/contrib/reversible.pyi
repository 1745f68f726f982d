# Made by `make stubs` from the table of the index.
from twinflow.contrib.reversible_blocks import ReversibleBlock as ReversibleBlock
from twinflow.contrib.reversible_blocks import ReversibleSequence as ReversibleSequence
from twinflow.contrib.reversible_blocks import kept_statistics as kept_statistics
