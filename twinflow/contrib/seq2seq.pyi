# Made by `make stubs` from the table of the index.
from twinflow.contrib.sequence_loss import sequence_loss as sequence_loss
from twinflow.contrib.decoding import hardmax as hardmax
from twinflow.contrib.decoding import tile_batch as tile_batch
