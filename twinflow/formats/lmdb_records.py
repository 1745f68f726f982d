"""Pairs of keys and values from databases of LMDB, through the package lmdb."""

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any

from twinflow.base import errors

lmdb: Any
try:
    import lmdb
except ImportError:
    lmdb = None

_open: dict[str, tuple[Any, int]] = {}  # databases by their paths, and their users
_lock = threading.Lock()


def check_installed() -> None:
    """Raises UnimplementedError where the package is missing."""
    if lmdb is None:
        raise errors.UnimplementedError(
            None, None,
            "Databases of LMDB are read with the package lmdb, which is not installed: "
            "pip install twinflow[lmdb]",
        )  # fmt: skip


def pairs(path: str) -> Iterator[tuple[bytes, bytes]]:
    """The (key, value) pairs of a database in the order of its keys.

    Args:
        path: a file, or a folder with data.mdb.
    Raises:
        NotFoundError, InvalidArgumentError: there is no such file, or no database.
    """
    check_installed()
    if not os.path.exists(path):
        raise errors.NotFoundError(None, None, f"{path}: No such file or directory")
    try:
        with (
            _opened(path) as database,
            database.begin() as transaction,
            transaction.cursor() as cursor,
        ):
            yield from cursor
    except lmdb.Error as error:
        raise errors.invalid(f"{path}: {error}") from None


@contextlib.contextmanager
def _opened(path: str) -> Iterator[Any]:
    """The database in a file, which a process may have open only once."""
    key = os.path.realpath(path)
    with _lock:
        database, users = _open.get(key) or (_database(path), 0)
        _open[key] = database, users + 1
    try:
        yield database
    finally:
        with _lock:
            database, users = _open.pop(key)
            if users > 1:
                _open[key] = database, users - 1
            else:
                database.close()


def _database(path: str) -> Any:
    return lmdb.open(path, subdir=os.path.isdir(path), readonly=True, lock=False)
