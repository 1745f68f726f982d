# Made by `make stubs` from the table of the index.
from twinflow.contrib.seq2seq.loss import sequence_loss as sequence_loss
from twinflow.contrib.seq2seq.decoding import hardmax as hardmax
from twinflow.contrib.seq2seq.decoding import tile_batch as tile_batch

__all__ = [
"sequence_loss", "hardmax", "tile_batch"
]
