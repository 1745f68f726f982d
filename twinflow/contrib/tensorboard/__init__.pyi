# Made by `make stubs` from the table of the index.
from twinflow.contrib.tensorboard import plugins as plugins

__all__ = [
"plugins"
]
