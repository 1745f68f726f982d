"""tf.contrib.framework: checkpoints, under its own names of arguments."""

from typing import Any

from twinflow.base.annotations import Path
from twinflow.checkpoint import reader, starting


def load_checkpoint(filepattern: Path) -> reader.CheckpointReader:
    """The reader of a checkpoint, or of the latest one in a directory.

    Args:
        filepattern: a directory, or the prefix of a checkpoint's files.
    Raises:
        ValueError: the directory has no checkpoint.
    """
    return reader.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: Path, name: str) -> Any:
    """The array of a variable in a checkpoint.

    Args:
        checkpoint_dir: as for `load_checkpoint`. name: of the variable.
    """
    return reader.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir: Path) -> list[tuple[Any, ...]]:
    """Pairs of the name and the shape of each variable in a checkpoint.

    Args:
        checkpoint_dir: as for `load_checkpoint`.
    """
    return reader.list_variables(checkpoint_dir)


def init_from_checkpoint(checkpoint_dir: Path, assignment_map: Any) -> None:
    """As tf.train.init_from_checkpoint.

    Args:
        checkpoint_dir: as for `load_checkpoint`.
        assignment_map: dict from names in the checkpoint to variables or names here.
    """
    starting.init_from_checkpoint(checkpoint_dir, assignment_map)
