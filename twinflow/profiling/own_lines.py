"""Which files are the user's: neither of the house nor of an installed library."""

import functools
import os
import sysconfig

from twinflow.base.frames import is_internal

_FOLDERS = tuple(
    sysconfig.get_paths()[name] + os.sep for name in ("stdlib", "purelib", "platlib")
)


@functools.cache
def is_library(filename: str) -> bool:
    """Whether a file is installed, or frozen into Python, and no program's own."""
    return filename.startswith((*_FOLDERS, "<frozen ")) or is_internal(filename)
