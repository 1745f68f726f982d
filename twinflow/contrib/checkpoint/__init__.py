"""tf.contrib.checkpoint: containers whose parts checkpoints find again."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.checkpoint.containers: List Mapping UniqueNameTracker
twinflow.checkpoint.manager: CheckpointManager
""",
)
