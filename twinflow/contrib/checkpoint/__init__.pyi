# Made by `make stubs` from the table of the index.
from twinflow.contrib.checkpoint.containers import List as List
from twinflow.contrib.checkpoint.containers import Mapping as Mapping
from twinflow.contrib.checkpoint.containers import UniqueNameTracker as UniqueNameTracker
from twinflow.contrib.checkpoint.python_state import NumpyState as NumpyState
from twinflow.contrib.checkpoint.python_state import PythonStateWrapper as PythonStateWrapper
from twinflow.contrib.checkpoint.components import split_dependency as split_dependency
from twinflow.contrib.checkpoint.visualize import dot_graph_from_checkpoint as dot_graph_from_checkpoint
from twinflow.checkpoint.manager import CheckpointManager as CheckpointManager
from twinflow.checkpoint.tracking import NoDependency as NoDependency
from twinflow.checkpoint.tracking import Checkpointable as Checkpointable
from twinflow.checkpoint.tracking import list_objects as list_objects
from twinflow.checkpoint.tracking import object_metadata as object_metadata
from twinflow.graph.captured_parts import capture_dependencies as capture_dependencies
from twinflow.base.trackable import Trackable as CheckpointableBase
from twinflow.formats.protos import CheckpointableObjectGraph as CheckpointableObjectGraph

__all__ = [
"List", "Mapping", "UniqueNameTracker", "NumpyState", "PythonStateWrapper",
"split_dependency", "dot_graph_from_checkpoint", "CheckpointManager", "NoDependency",
"Checkpointable", "list_objects", "object_metadata", "capture_dependencies",
"CheckpointableBase", "CheckpointableObjectGraph"
]
