"""What a SavedModel says of itself: its message, and the tags of its graphs."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.export.loading import maybe_saved_model_directory
from twinflow.export.loading import read_saved_model as read


def read_saved_model(saved_model_dir: Path) -> Any:
    """The SavedModel message of a folder.

    Raises:
        IOError: there is none, or it cannot be read.
    """
    if not maybe_saved_model_directory(saved_model_dir):
        raise advised(OSError, f"SavedModel file does not exist at: {saved_model_dir}")
    return read(saved_model_dir)


def get_saved_model_tag_sets(saved_model_dir: Path) -> list[list[str]]:
    """The tags of each graph.

    Raises:
        IOError: there is no SavedModel, or it cannot be read.
    """
    saved = read_saved_model(saved_model_dir)
    return [list(meta.meta_info_def.tags) for meta in saved.meta_graphs]
