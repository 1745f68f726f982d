# Made by `make stubs` from the table of the index.
from twinflow.contrib.tensorboard.plugins import projector as projector

__all__ = [
"projector"
]
