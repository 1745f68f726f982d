"""Files by their paths, where they are: on this machine, or in a store behind a scheme.

The functions are those of `os` and `shutil`, with their errors. A path such as
``s3://bucket/name`` belongs to a store; base.remote_stores, which is loaded at the
first one, finds it through fsspec.

Note [Stores]: what is written to a store waits in a file of this machine and goes up as
a whole: when it is closed, and at each flush before that. Object stores have no rename;
`replace` from a file here uploads it, which is the one step that readers see.
"""

import glob as local_glob
import os
import re
import shutil
from typing import Any

from twinflow.base import progress

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]+)://")


def is_remote(path: Any) -> bool:
    """Whether a path names a store: it begins with a scheme other than `file`."""
    return type(path) is str and "://" in path and scheme_of(path) not in ("", "file")


def scheme_of(path: str) -> str:
    """What stands before the ``://`` of a path; "" if there is none."""
    found = _SCHEME.match(path)
    return found[1].lower() if found else ""


def _store(path: str) -> Any:
    """The store of a path.

    Raises:
        UnimplementedError: there is no such scheme, or its package is not installed.
    """
    from twinflow.base import remote_stores

    return remote_stores.store_of(path)


def configure(schemes: tuple[str, ...], options: dict) -> None:
    """Set options of the stores that are opened from now on.

    Raises:
        UnimplementedError: fsspec is not installed.
    """
    from twinflow.base import remote_stores

    remote_stores.configure(schemes, options)


# ------------------------------------------------------------------ contents
def opened(path: str, mode: str = "rb") -> Any:
    """A file, as `open` gives it; bytes only.

    Args:
        mode: "rb", "wb", "ab" or "xb".
    """
    if is_remote(path):
        return _store(path).opened(path, mode)
    return open(path, mode)


def part(path: str, start: int, size: int) -> bytes | None:
    """`size` bytes of a file from `start` on; None if it ends before."""
    if is_remote(path):
        data = _store(path).part(path, start, size)
    else:
        with open(path, "rb") as file:
            whole = os.fstat(file.fileno()).st_size >= start + size
            file.seek(start if whole else 0)
            data = file.read(size if whole else 0)
    return data if len(data) == size else None


# ------------------------------------------------------------------ looking
def stat(path: str) -> tuple[int, int, bool]:
    """(bytes, nanoseconds since 1970, whether it is a folder)."""
    if is_remote(path):
        return _store(path).stat(path)
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns, os.path.isdir(path)


def version(path: str) -> tuple:
    """What differs when a file was written anew."""
    if is_remote(path):
        return _store(path).version(path)
    found = os.stat(path)
    return found.st_ino, found.st_mtime_ns


def exists(path: str) -> bool:
    """Whether there is a file or folder."""
    return _store(path).exists(path) if is_remote(path) else os.path.exists(path)


def isdir(path: str) -> bool:
    """Whether there is a folder."""
    return _store(path).isdir(path) if is_remote(path) else os.path.isdir(path)


def has_folder(path: str) -> bool:
    """Whether files can be made in a folder: an object store knows none."""
    return is_remote(path) or os.path.isdir(path)


def listdir(path: str) -> list[str]:
    """The names in a folder."""
    return _store(path).listdir(path) if is_remote(path) else os.listdir(path)


def glob(folder: str, pattern: str) -> list[str]:
    """The paths in a folder that match a pattern."""
    if is_remote(folder):
        return _store(folder).glob(joined(folder, pattern))
    return local_glob.glob(os.path.join(local_glob.escape(folder), pattern))


def dirname(path: str) -> str:
    """The folder of a path; that of ``memory://a`` is ``memory://``."""
    found = os.path.dirname(path)
    if is_remote(path) and not is_remote(found):
        return path[: path.index("://") + 3]
    return found


def isabs(path: str) -> bool:
    """Whether a path is the same from every folder."""
    return is_remote(path) or os.path.isabs(path)


def absolute(path: str) -> str:
    """A path that is the same from every folder."""
    return path if is_remote(path) else os.path.abspath(path)


def joined(folder: str, name: str) -> str:
    """A name in a folder; a name that is a path from everywhere stays."""
    return name if is_remote(name) else os.path.join(folder, name)


# ------------------------------------------------------------------ changing
def mkdir(path: str) -> None:
    """Make a folder, in one that exists."""
    _store(path).makedirs(path) if is_remote(path) else os.mkdir(path)


def makedirs(path: str) -> None:
    """Make a folder and those above it, where they do not exist."""
    if is_remote(path):
        _store(path).makedirs(path)
    else:
        os.makedirs(path, exist_ok=True)


def remove(path: str) -> None:
    """Delete a file."""
    _store(path).remove(path) if is_remote(path) else os.remove(path)


def rmtree(path: str) -> None:
    """Delete a folder and all in it."""
    _store(path).rmtree(path) if is_remote(path) else shutil.rmtree(path)


def copy(old: str, new: str) -> None:
    """Copy a file, from and to wherever."""
    if not (is_remote(old) or is_remote(new)):
        shutil.copyfile(old, new)
    elif _in_one(old, new):
        _store(old).copy(old, new)
    else:
        size = stat(old)[0]
        with opened(old) as source, opened(new, "wb") as target:
            for block in progress.blocks("read", source, size):
                target.write(block)


def _in_one(old: str, new: str) -> bool:
    """Whether two paths are of one store."""
    both = is_remote(old) and is_remote(new)
    return both and _store(old).system == _store(new).system


def link(old: str, new: str) -> None:
    """A second name of a file; a copy in a store."""
    copy(old, new) if is_remote(old) else os.link(old, new)


def replace(old: str, new: str) -> None:
    """Move a file or folder; what was there before goes."""
    if not (is_remote(old) or is_remote(new)):
        os.replace(old, new)
    elif _in_one(old, new):
        _store(old).move(old, new)
    elif isdir(old):
        makedirs(new)
        for name in listdir(old):
            replace(joined(old, name), joined(new, name))
        rmtree(old)
    elif is_remote(new) and not is_remote(old):
        _store(new).upload(old, new)
        os.remove(old)
    else:
        copy(old, new)
        remove(old)
