# Made by `make stubs` from the table of the index.
from twinflow.ops.queues.staging import StagingArea as StagingArea
from twinflow.ops.queues.staging import MapStagingArea as MapStagingArea

__all__ = [
"StagingArea", "MapStagingArea"
]
