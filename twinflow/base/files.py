"""tf.gfile: files and folders, with TensorFlow's errors in place of OSError."""

import contextlib
import errno
import fnmatch
import os
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

from twinflow.base import errors, known_files, progress, stores, unfinished
from twinflow.base.annotations import Path
from twinflow.base.text import as_bytes, as_str_any, path_to_str

_BY_NUMBER: dict[int | None, Callable[..., errors.OpError]] = {
    errno.EEXIST: errors.AlreadyExistsError,
    errno.ENOENT: errors.NotFoundError,
    errno.ENOTDIR: errors.FailedPreconditionError,
    errno.ENOTEMPTY: errors.FailedPreconditionError,
    errno.EISDIR: errors.FailedPreconditionError,
    errno.EACCES: errors.PermissionDeniedError,
    errno.EPERM: errors.PermissionDeniedError,
    errno.EROFS: errors.PermissionDeniedError,
    errno.EINVAL: errors.InvalidArgumentError,
    errno.ENAMETOOLONG: errors.InvalidArgumentError,
    errno.ENOSPC: errors.ResourceExhaustedError,
    errno.EDQUOT: errors.ResourceExhaustedError,
    errno.EFBIG: errors.ResourceExhaustedError,
    errno.EMFILE: errors.ResourceExhaustedError,
    errno.EBUSY: errors.UnavailableError,
    errno.EXDEV: errors.UnimplementedError,
}


@contextlib.contextmanager
def translated(path: Any) -> Iterator[None]:
    """Turn an OSError about `path` into an error of the tf.errors family."""
    try:
        yield
    except OSError as error:
        kind = _BY_NUMBER.get(error.errno, errors.UnknownError)
        text = f"{_path(path)}; {os.strerror(error.errno or 0)}"
        if error.errno == errno.EIO and error.strerror:  # a store's own words
            text = f"{_path(path)}; {error.strerror}"
        raise kind(None, None, text) from error


def _path(name: Path) -> str:
    return as_str_any(path_to_str(name)).removeprefix("file://")


class GFile:
    """A file, opened when it is first read or written.

    Args:
        name: the path. mode: "r", "w", "a", and "r+", "w+", "a+"; with "b" what is read
            comes as bytes, else as text in UTF-8.
    Raises:
        InvalidArgumentError: another mode.
    Example:
        with tf.gfile.GFile("words.txt", "w") as f: f.write("to be")
        with tf.gfile.GFile("words.txt") as f: f.read().split()  # ["to", "be"]
    """

    _reader: Any
    _writer: Any

    def __init__(self, name: Path, mode: str = "r") -> None:
        self._name, self._mode = path_to_str(name), mode
        self._reader = self._writer = None
        self._binary = "b" in mode
        self._kind = mode.replace("b", "")
        if self._kind not in ("r", "w", "a", "r+", "w+", "a+"):
            raise errors.InvalidArgumentError(
                None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'"
            )

    @property
    def name(self) -> str:
        """The path."""
        return self._name

    @property
    def mode(self) -> str:
        """The mode it is opened in."""
        return self._mode

    def _for_reading(self) -> Any:
        if self._reader is None:
            if self._kind in ("w", "a"):
                raise errors.PermissionDeniedError(
                    None, None, "File isn't open for reading"
                )
            with translated(self._name):
                path = known_files.readable(_path(self._name))
                self._reader = stores.opened(path)
        return self._reader

    def _for_writing(self) -> Any:
        if self._writer is None:
            if self._kind == "r":
                raise errors.PermissionDeniedError(
                    None, None, "File isn't open for writing"
                )
            with translated(self._name):
                mode = "ab" if self._kind[0] == "a" else "wb"
                self._writer = stores.opened(_path(self._name), mode)
        return self._writer

    def _read_value(self, value: Any) -> Any:
        return value if self._binary else value.decode("utf-8")

    def size(self) -> int:
        """The number of bytes."""
        return Stat(self._name).length

    def write(self, file_content: str | bytes) -> None:
        """Append bytes or text."""
        writer = self._for_writing()
        with translated(self._name):
            writer.write(as_bytes(file_content))

    def read(self, n: int = -1) -> Any:
        """The next `n` bytes; all that are left if n is -1."""
        reader = self._for_reading()
        with translated(self._name):
            return self._read_value(reader.read(n))

    def readline(self) -> Any:
        """The next line with its end; empty at the end of the file."""
        return self._read_value(self._for_reading().readline())

    def readlines(self) -> list[Any]:
        """The lines that are left."""
        return list(iter(self.readline, "" if not self._binary else b""))

    def seek(
        self, offset: Any = None, whence: Any = 0, position: int | None = None
    ) -> None:
        """Read on from `offset`, counted from the start (0), here (1) or the end (2).

        Args:
            position: the older name of `offset`.
        """
        reader = self._for_reading()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError(
                "seek(): offset and position may not be set simultaneously."
            )
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(
                None, None,
                f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.",
            )  # fmt: skip
        offset = position if offset is None else offset
        place = offset + (0, self.tell(), self.size())[whence]
        if place < 0:
            raise errors.InvalidArgumentError(
                None, None, f"Seeking to a negative position: {place}"
            )
        reader.seek(place)

    def tell(self) -> int:
        """The place of the next byte to read."""
        return self._for_reading().tell()

    def flush(self) -> None:
        """Hand what was written to the system."""
        if self._writer is not None:
            with translated(self._name):
                self._writer.flush()

    def close(self) -> None:
        """Write what is held back, and close."""
        opened = self._reader, self._writer
        self._reader = self._writer = None
        with translated(self._name):
            for file in opened:
                if file is not None:
                    file.close()

    def next(self) -> Any:
        """The next line; StopIteration at the end."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    __next__ = next

    def __iter__(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close() if hasattr(self, "_writer") else None


class FileStatistics(NamedTuple):
    """What `Stat` tells: bytes, nanoseconds since 1970, whether it is a folder."""

    length: int
    mtime_nsec: int
    is_directory: bool


def Stat(filename: Path) -> FileStatistics:
    """The FileStatistics of a path. Raises NotFoundError."""
    with translated(filename):
        return FileStatistics(*stores.stat(_path(filename)))


def Exists(filename: Path) -> bool:
    """Whether there is a file or folder."""
    with translated(filename):
        return stores.exists(_path(filename))


def IsDirectory(dirname: Path) -> bool:
    """Whether there is a folder."""
    with translated(dirname):
        return stores.isdir(_path(dirname))


def Remove(filename: Any) -> None:
    """Delete a file. Raises NotFoundError."""
    with translated(filename):
        stores.remove(_path(filename))


def Copy(oldpath: Any, newpath: Path, overwrite: bool = False) -> None:
    """Copy a file.

    Raises:
        AlreadyExistsError: there is a file at `newpath` and `overwrite` is not set.
        NotFoundError: there is none at `oldpath`.
    """
    _check_free(newpath, overwrite)
    old, new = _path(oldpath), _path(newpath)
    with translated(oldpath), _shown(old, new):
        stores.copy(old, new)


def Rename(oldname: str, newname: Any, overwrite: bool = False) -> None:
    """Move a file or folder; see `Copy`."""
    _check_free(newname, overwrite)
    old, new = _path(oldname), _path(newname)
    with translated(oldname), _shown(old, new):
        stores.replace(old, new)


def _shown(old: str, new: str) -> Any:
    """A block that shows how far what goes from or to a store has come."""
    remote = stores.is_remote(old) or stores.is_remote(new)
    name = f"{old} -> {new}"
    return progress.operation(name) if remote else contextlib.nullcontext()


def _check_free(path: Any, overwrite: bool) -> None:
    if not overwrite and Exists(path):
        raise errors.AlreadyExistsError(None, None, "file already exists")


def MkDir(dirname: Any) -> None:
    """Make a folder, in one that exists."""
    with translated(dirname), contextlib.suppress(FileExistsError):
        stores.mkdir(_path(dirname))


def MakeDirs(dirname: Any) -> None:
    """Make a folder and those above it, where they do not exist."""
    with translated(dirname), contextlib.suppress(FileExistsError):
        stores.makedirs(_path(dirname))


def DeleteRecursively(dirname: Any) -> None:
    """Delete a folder and all in it, or a file."""
    path = _path(dirname)
    if not (os.path.lexists(path) or Exists(path)):
        raise errors.NotFoundError(None, None, f"{path} not found")
    with translated(dirname):
        stores.rmtree(path) if IsDirectory(path) else stores.remove(path)


def ListDirectory(dirname: Any) -> list[str]:
    """The names in a folder. Raises NotFoundError."""
    if not IsDirectory(dirname):
        raise errors.NotFoundError(None, None, "Could not find directory")
    with translated(dirname):
        return stores.listdir(_path(dirname))


def Walk(
    top: Path, in_order: bool = True
) -> Iterator[tuple[str, list[str], list[str]]]:
    """(folder, names of folders, names of files) for `top` and every folder below.

    Args:
        in_order: give a folder before those in it; else after them.
    """
    top = _path(top)
    if not IsDirectory(top):
        return
    folders: list[str] = []
    files: list[str] = []
    for name in ListDirectory(top):
        (folders if IsDirectory(os.path.join(top, name)) else files).append(name)
    if in_order:
        yield top, folders, files
    for name in folders:
        yield from Walk(os.path.join(top, name), in_order)
    if not in_order:
        yield top, folders, files


def Glob(filename: Any) -> list[str]:
    """The paths that match a pattern with ``*``, ``?`` and ``[abc]``.

    Args:
        filename: the pattern, or a list of patterns. No sign matches a "/".
    Raises:
        NotFoundError: there is no such folder as stands before the first of the signs.
    """
    one = isinstance(filename, bytes | str) or hasattr(filename, "__fspath__")
    found = []
    for pattern in map(_path, [filename] if one else filename):
        if stores.is_remote(pattern):
            with translated(pattern):
                found += _in_store(pattern)
            continue
        fixed = os.path.dirname(_MAGIC.split(pattern)[0])
        if fixed and not os.path.exists(fixed):
            raise errors.NotFoundError(
                None, None, f"{fixed}; {os.strerror(errno.ENOENT)}"
            )
        found += _matches(pattern)
    return found


_MAGIC = re.compile(r"[*?\[\\]")


def _in_store(pattern: str) -> list[str]:
    if _MAGIC.search(pattern):
        return stores.glob(stores.dirname(pattern), os.path.basename(pattern))
    return [pattern] if stores.exists(pattern) else []


def _matches(pattern: Any) -> list[str]:
    if not _MAGIC.search(pattern):
        return [pattern] if os.path.lexists(pattern) else []
    folder, name = os.path.split(pattern)
    folders = _matches(folder) if _MAGIC.search(folder) else [folder]
    if not name:
        return [os.path.join(f, "") for f in folders if os.path.isdir(f)]
    found = []
    for f in folders:
        with contextlib.suppress(OSError):
            names = sorted(os.listdir(f or "."))
            keep = (n for n in names if fnmatch.fnmatchcase(n, name))
            found += [os.path.join(f, n) for n in keep]
    return found


class FastGFile(GFile):
    """The older name of GFile."""


Open = GFile


def read_file_to_string(filename: Path, binary_mode: bool = False) -> Any:
    """All of a file, as text or as bytes."""
    with GFile(filename, "rb" if binary_mode else "r") as f:
        return f.read()


def write_string_to_file(filename: Path, file_content: str | bytes) -> None:
    """Make a file of bytes or text, or replace one."""
    with GFile(filename, "w") as f:
        f.write(file_content)


def atomic_write_string_to_file(
    filename: Any, contents: str | bytes, overwrite: bool = True
) -> None:
    """Make the file of `contents` (str or bytes) at once: no reader sees half of it.

    Raises:
        AlreadyExistsError: it is there, and `overwrite` is False.
    """
    with translated(filename), unfinished.beside(_path(filename)) as part:
        write_string_to_file(part, contents)
        Rename(part, filename, overwrite)


def filecmp(filename_a: Path, filename_b: Path) -> bool:
    """Whether two files have the same contents."""
    if Stat(filename_a).length != Stat(filename_b).length:
        return False
    with GFile(filename_a, "rb") as a, GFile(filename_b, "rb") as b:
        return a.read() == b.read()


def file_crc32(filename: Path, block_size: int = 1 << 24) -> str:
    """The CRC-32 of a file's bytes, as a text such as "0xd5a3".

    Args:
        block_size: how many bytes to read at a time.
    """
    found = 0
    with GFile(filename, "rb") as f:
        while block := f.read(block_size):
            found = zlib.crc32(block, found)
    return hex(found & 0xFFFFFFFF)


FileIO = GFile  # the name of TensorFlow's own modules
