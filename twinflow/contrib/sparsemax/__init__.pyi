# Made by `make stubs` from the table of the index.
from twinflow.contrib.sparsemax.projection import sparsemax as sparsemax
from twinflow.contrib.sparsemax.projection import sparsemax_loss as sparsemax_loss

__all__ = [
"sparsemax", "sparsemax_loss"
]
