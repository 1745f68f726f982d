# Made by `make stubs` from the table of the index.
from twinflow.contrib.containers import List as List
from twinflow.contrib.containers import Mapping as Mapping
from twinflow.contrib.containers import UniqueNameTracker as UniqueNameTracker
from twinflow.checkpoint.manager import CheckpointManager as CheckpointManager
