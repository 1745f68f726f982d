"""Executables kept on disk, by jax's own cache, without touching the user's jax.

jax has one such cache in a process, and its settings are the user's: the folder is set
for this thread and this compilation only, and a user who has a folder keeps theirs.
"""

import contextlib
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
        except (AttributeError, TypeError):  # another release of jax
            stack.close()
        yield


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
