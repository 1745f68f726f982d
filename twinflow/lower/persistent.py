"""Executables kept on disk, by jax's own cache, without touching the user's jax.

jax has one such cache in a process, and its settings are the user's: the folder is set
for this thread and this compilation only, and a user who has a folder keeps theirs. The
files are written by `Entries`: jax's own would leave half an entry where a program is
stopped meanwhile, and every later run would find it, say so and compile anew.
"""

import contextlib
import os
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import jax
from jax._src import compilation_cache
from jax._src import config as states

from twinflow.base import compile_cache


@contextlib.contextmanager
def kept(folder: Path | None) -> Iterator[None]:
    """A block in which what is compiled is looked up in `folder`, and kept there."""
    if folder is None or _users():
        yield
        return
    with contextlib.ExitStack() as stack:
        try:
            for name, value in _SETTINGS.items():
                stack.enter_context(getattr(states, name)(value))
            stack.enter_context(states.compilation_cache_dir(str(folder)))
            compilation_cache.reset_cache()
            stack.callback(compilation_cache.reset_cache)
            compilation_cache._cache = Entries(folder)
            compilation_cache._cache_initialized = True
        except (AttributeError, TypeError):  # another release of jax
            stack.close()
        yield


class Entries:
    """Files that are there whole or not at all, with a checksum in front.

    What jax calls a cache, but for its base class, which other releases may not have.

    Args:
        folder: where they are.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder

    def get(self, key: str) -> bytes | None:
        """What was put under a key; None where there is nothing, or it is broken."""
        path = self._file(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        value = data[_SUM:]
        if _checksum(value) == data[:_SUM]:
            return value
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def put(self, key: str, value: bytes) -> None:
        """Keep it, where the disk has room for it."""
        path = self._file(key)
        new = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            new.write_bytes(_checksum(value) + value)
            new.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink()

    def _file(self, key: str) -> Path:
        return self._path / f"{key}.xla"


_SUM = 4  # bytes


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_SUM, "little")


_SETTINGS = {
    "persistent_cache_min_compile_time_secs": 0.0,
    "persistent_cache_min_entry_size_bytes": -1,
}


def _users() -> bool:
    """Whether the user has told jax what to keep and where."""
    told = jax.config.jax_compilation_cache_dir is not None
    return told or not jax.config.jax_enable_compilation_cache


def folder() -> Path | None:
    """The folder for this process; what was not used for long is removed."""
    found = compile_cache.folder()
    if found is not None:
        compile_cache.trim()
    return found
