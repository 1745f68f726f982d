"""The folders and files of a SavedModel."""

import os

from twinflow.base import files
from twinflow.base.annotations import Path
from twinflow.base.text import as_str_any, path_to_str
from twinflow.export import constants


def get_assets_dir(export_dir: Path) -> str:
    """The folder of the files that come along."""
    return _inside(export_dir, constants.ASSETS_DIRECTORY)


def get_variables_dir(export_dir: Path) -> str:
    """The folder of the values."""
    return _inside(export_dir, constants.VARIABLES_DIRECTORY)


def get_variables_path(export_dir: Path) -> str:
    """The prefix of the checkpoint with the values."""
    return os.path.join(get_variables_dir(export_dir), constants.VARIABLES_FILENAME)


def get_or_create_assets_dir(export_dir: Path) -> str:
    """The folder of the files that come along, made if it is not there."""
    return _made(get_assets_dir(export_dir))


def get_or_create_variables_dir(export_dir: Path) -> str:
    """The folder of the values, made if it is not there."""
    return _made(get_variables_dir(export_dir))


def _inside(export_dir, name):
    return os.path.join(as_str_any(path_to_str(export_dir)), name)


def _made(folder):
    files.MakeDirs(folder)
    return folder
