"""Stores behind schemes, through fsspec; see Note [Stores] in base.stores.

fsspec's stores raise what their libraries do: an OSError with or without a number, or
something of their own. Here each becomes an OSError with the number of its kind.
"""

import contextlib
import errno
import io
import os
import tempfile
from collections.abc import Iterator
from typing import Any

from twinflow.base import errors, progress, stores

try:
    import fsspec
    from fsspec.callbacks import Callback as _Callback
except ImportError:  # an optional dependency
    fsspec, _Callback = None, object

_SMALL = 8 << 20  # bytes of a file that comes or goes in one request
_BUFFER = 1 << 20
_LAST = "saved_model.pb"  # of a folder that moves: what says that it is whole
_WHOLE = (  # what is put there is seen whole or not at all
    "s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci", "oss", "memory",
)  # fmt: skip
_NUMBERS = {
    FileNotFoundError: errno.ENOENT,
    FileExistsError: errno.EEXIST,
    IsADirectoryError: errno.EISDIR,
    NotADirectoryError: errno.ENOTDIR,
    PermissionError: errno.EACCES,
}


def store_of(path: str) -> "Store":
    """The store of a path with a scheme.

    Raises:
        UnimplementedError: there is no such scheme, or its package is not installed.
    """
    scheme = stores.scheme_of(path)
    text = f"File system scheme '{scheme}' not implemented (file: '{path}')"
    if fsspec is None:
        text += ". Paths with a scheme need fsspec: pip install twinflow[remote-files]"
        raise errors.UnimplementedError(None, None, text)
    try:
        return Store(fsspec.core.url_to_fs(path)[0], scheme)
    except ImportError as error:  # its text says what to install
        raise errors.UnimplementedError(None, None, f"{text}. {error}") from error
    except ValueError as error:
        known = ", ".join(sorted(map(str, fsspec.available_protocols())))
        text += f". fsspec knows {known}"
        raise errors.UnimplementedError(None, None, text) from error


def configure(schemes: tuple[str, ...], options: dict) -> None:
    """See base.stores.configure."""
    if fsspec is None:
        text = "Stores are reached through fsspec: pip install twinflow[remote-files]"
        raise errors.UnimplementedError(None, None, text)
    for scheme in schemes:
        fsspec.config.conf.setdefault(scheme, {}).update(options)


@contextlib.contextmanager
def _numbered(path: str) -> Iterator[None]:
    """A block whose errors are OSErrors with a number."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            raise
        found = (n for kind, n in _NUMBERS.items() if isinstance(error, kind))
        number = next(found, errno.EIO)
        raise OSError(number, str(error) or os.strerror(number), path) from error
    except NotImplementedError as error:
        raise OSError(errno.EROFS, "the store does not take that", path) from error
    except (errors.OpError, MemoryError):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        raise OSError(errno.EIO, text, path) from error


class _Sent(_Callback):
    """Hears from fsspec how much of a file has gone; see base.progress.Phase."""

    def __init__(self, phase: Any) -> None:
        super().__init__()
        self._phase = phase

    def call(self, *args: Any, **kwargs: Any) -> None:
        """There is news."""
        self._phase.done = self.value


class Store:
    """A file system of fsspec with the functions of base.stores.

    Args:
        system: the file system. scheme: of its paths.
    """

    def __init__(self, system: Any, scheme: str) -> None:
        self.system, self.scheme = system, scheme

    # -------------------------------------------------------------- contents
    def opened(self, path: str, mode: str) -> Any:
        """See base.stores.opened."""
        if mode == "rb":
            return self._reader(path)
        if mode == "xb" and self.exists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        return Writer(self, path, mode)

    def _reader(self, path: str) -> "Reader":
        with _numbered(path):
            found = self.system.info(path)
            size = found.get("size")
            if found.get("type") == "directory":
                number = errno.EISDIR
                raise IsADirectoryError(number, os.strerror(number), path)
            if self.scheme == "memory" or (size is not None and size <= _SMALL):
                return Reader(io.BytesIO(self.system.cat_file(path)), path)
            file = self.system.open(path, "rb", block_size=_SMALL)
            whole = size is None or not file.seekable()
            return Reader(file if whole else io.BufferedReader(file, _BUFFER), path)

    def part(self, path: str, start: int, size: int) -> bytes:
        """The bytes from `start` on, at most `size`."""
        with _numbered(path):
            return self.system.cat_file(path, start=start, end=start + size)

    def upload(self, old: str, path: str) -> None:
        """Put a file of this machine there, whole."""
        with _numbered(path):
            if self.scheme in _WHOLE:
                self._put(old, path)
                return
            part = f"{path}.part"
            self._put(old, part)
            self.system.mv(part, path)

    def _put(self, old: str, path: str) -> None:
        size = os.path.getsize(old)
        if size > _SMALL:
            with progress.phase("sent", size, is_bytes=True) as sent:
                self.system.put_file(old, path, callback=_Sent(sent))
            return
        with open(old, "rb") as file:
            self.system.pipe_file(path, file.read())

    # -------------------------------------------------------------- looking
    def _info(self, path: str) -> dict:
        with _numbered(path):
            self.system.invalidate_cache(self.system._parent(path))
            return self.system.info(path)

    def stat(self, path: str) -> tuple[int, int, bool]:
        """See base.stores.stat; the time is 0 where the store tells none."""
        found, time = self._info(path), 0
        with contextlib.suppress(Exception):
            time = int(self.system.modified(path).timestamp() * 1e9)
        return found.get("size") or 0, time, found.get("type") == "directory"

    def version(self, path: str) -> tuple:
        """See base.stores.version."""
        found = self._info(path)
        tags = (found.get(key) for key in ("ETag", "etag", "mtime", "LastModified"))
        return (*map(str, tags), *self.stat(path))

    def exists(self, path: str) -> bool:
        """See base.stores.exists."""
        with _numbered(path):
            self.system.invalidate_cache(self.system._parent(path))
            return self.system.exists(path)

    def isdir(self, path: str) -> bool:
        """See base.stores.isdir."""
        with _numbered(path):
            self.system.invalidate_cache(self.system._parent(path))
            return self.system.isdir(path)

    def listdir(self, path: str) -> list[str]:
        """See base.stores.listdir."""
        with _numbered(path):
            self.system.invalidate_cache(path)
            own = self.system._strip_protocol(path).rstrip("/")
            names = (str(n).rstrip("/") for n in self.system.ls(path, detail=False))
            return sorted({n.rpartition("/")[2] for n in names if n != own} - {""})

    def glob(self, pattern: str) -> list[str]:
        """The paths that match, with their scheme."""
        with _numbered(pattern):
            self.system.invalidate_cache()
            found = self.system.glob(pattern)
            own = self.system._strip_protocol(pattern)
            if not pattern.endswith(own):
                return sorted(map(self.system.unstrip_protocol, found))
            before = pattern.removesuffix(own)  # the scheme, and a host
            return sorted(before + name for name in found)

    # -------------------------------------------------------------- changing
    def makedirs(self, path: str) -> None:
        """See base.stores.makedirs; nothing in a store that knows no folders."""
        with _numbered(path):
            self.system.makedirs(path, exist_ok=True)

    def remove(self, path: str) -> None:
        """See base.stores.remove."""
        with _numbered(path):
            self.system.rm_file(path)

    def rmtree(self, path: str) -> None:
        """See base.stores.rmtree."""
        with _numbered(path):
            self.system.rm(path, recursive=True)

    def copy(self, old: str, new: str) -> None:
        """Copy a file inside of the store."""
        with _numbered(old):
            self.system.cp_file(old, new)

    def move(self, old: str, new: str) -> None:
        """Move a file; of a folder one file after another, what says it is whole last.

        A store has no rename of folders: who reads meanwhile sees some of it.
        """
        with _numbered(old):
            if not self.system.isdir(old):
                self.system.mv(old, new)
                return
            top = self.system._strip_protocol(old).rstrip("/")
            names = [n[len(top) :] for n in self.system.find(old)]
            for name in sorted(names, key=lambda n: (_LAST in n, n)):
                target = new.rstrip("/") + name
                self.system.makedirs(self.system._parent(target), exist_ok=True)
                self.system.cp_file(top + name, target)
            self.system.rm(old, recursive=True)


class Reader:
    """A file of a store, open for reading; `name` is its path."""

    def __init__(self, file: Any, path: str) -> None:
        self._file, self.name = file, path

    def read(self, n: int = -1) -> bytes:
        """The next `n` bytes."""
        with _numbered(self.name):
            return self._file.read(n)

    def readline(self) -> bytes:
        """The next line."""
        with _numbered(self.name):
            return self._file.readline()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a byte."""
        with _numbered(self.name):
            return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The number of the next byte."""
        return self._file.tell()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def close(self) -> None:
        """Give it back."""
        self._file.close()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()


class Writer:
    """A file that goes to a store when it is flushed or closed.

    A block that fails leaves what is there as it was.
    """

    def __init__(self, store: Store, path: str, mode: str) -> None:
        self._store, self.name, self._new = store, path, True
        self._file: Any = tempfile.NamedTemporaryFile(prefix="twinflow-")  # noqa: SIM115
        if mode == "ab" and store.exists(path):
            with store.opened(path, "rb") as old:
                while data := old.read(_BUFFER):
                    self._file.write(data)
            self._new = False
        elif mode == "xb":
            self.flush()

    def write(self, data: bytes) -> int:
        """Append bytes."""
        self._new = True
        return self._file.write(data)

    def tell(self) -> int:
        """How many bytes there are."""
        return self._file.tell()

    def flush(self) -> None:
        """Put there what was written so far."""
        self._file.flush()
        if self._new:
            self._store.upload(self._file.name, self.name)
            self._new = False

    def close(self) -> None:
        """Put there what was written; the file of this machine goes."""
        if self._file is not None:
            try:
                self.flush()
            finally:
                self._drop()

    def _drop(self) -> None:
        file, self._file = self._file, None
        file.close()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: Any, *exc: Any) -> None:
        self.close() if kind is None else self._drop()
