"""tf.resource_loader: files that lie beside a program."""

import inspect
import os
import sys
from typing import Any


def load_resource(path: Any) -> Any:
    """The bytes of a file of this package; `path` begins at the folder around it."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(os.path.dirname(package), path), "rb") as f:
        return f.read()


def get_data_files_path() -> Any:
    """The folder of the file that calls this."""
    return os.path.dirname(inspect.getfile(sys._getframe(1)))


def get_root_dir_with_all_resources() -> Any:
    """The folder that holds a Bazel program's data files; else that of the caller."""
    script = os.path.dirname(inspect.getfile(sys._getframe(1)))
    below, here = "", script
    while ".runfiles" not in os.path.basename(here):
        below, here = here, os.path.dirname(here)
        if here == below:
            return script
    return below or script


def get_path_to_datafile(path: Any) -> Any:
    """The path of a file beside the one that calls this."""
    return os.path.join(os.path.dirname(inspect.getfile(sys._getframe(1))), path)


def readahead_file_path(path: Any, readahead: Any = "128M") -> Any:
    """`path`; reading ahead is left to the system."""
    return path
