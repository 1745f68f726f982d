# Made by `make stubs` from the table of the index.
from twinflow.contrib.checkpoint.containers import List as List
from twinflow.contrib.checkpoint.containers import Mapping as Mapping
from twinflow.contrib.checkpoint.containers import UniqueNameTracker as UniqueNameTracker
from twinflow.checkpoint.manager import CheckpointManager as CheckpointManager

__all__ = [
"List", "Mapping", "UniqueNameTracker", "CheckpointManager"
]
