# Made by `make stubs` from the table of the index.
from twinflow.contrib.checkpoint.containers import List as List
from twinflow.contrib.checkpoint.containers import Mapping as Mapping
from twinflow.contrib.checkpoint.containers import UniqueNameTracker as UniqueNameTracker
from twinflow.checkpoint.manager import CheckpointManager as CheckpointManager
from twinflow.checkpoint.tracking import NoDependency as NoDependency
from twinflow.checkpoint.tracking import capture_dependencies as capture_dependencies
from twinflow.checkpoint.tracking import list_objects as list_objects
from twinflow.checkpoint.tracking import object_metadata as object_metadata
from twinflow.base.trackable import Trackable as CheckpointableBase
from twinflow.formats.protos import CheckpointableObjectGraph as CheckpointableObjectGraph

__all__ = [
"List", "Mapping", "UniqueNameTracker", "CheckpointManager", "NoDependency",
"capture_dependencies", "list_objects", "object_metadata", "CheckpointableBase",
"CheckpointableObjectGraph"
]
