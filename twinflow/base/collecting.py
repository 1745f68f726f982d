"""Python's garbage collector, put off while much is made that stays.

A full collection walks over all objects of the process, and comes again whenever these
have grown by a quarter: building and planning a large graph spends a third of its time
there, and finds nothing. The young objects are collected as ever. Python 3.14 collects
the old ones in parts, with these: there is nothing to put off.
"""

import contextlib
import gc
import threading
from collections.abc import Iterator
from typing import Any

_NEVER = 2**31 - 1  # collections of the young until a full one


class _Blocks:
    """How many blocks there are in all threads, and what was set before the first."""

    lock = threading.Lock()
    count = 0
    before: Any = None


@contextlib.contextmanager
def no_full_collection() -> Iterator[None]:
    """A block without full collections, in all threads."""
    with _Blocks.lock:
        _Blocks.count += 1
        if _Blocks.count == 1:
            _Blocks.before = gc.get_threshold()
            young, middle, _ = _Blocks.before
            gc.set_threshold(young, middle, _NEVER)
    try:
        yield
    finally:
        with _Blocks.lock:
            _Blocks.count -= 1
            mine = (*_Blocks.before[:2], _NEVER)
            if not _Blocks.count and gc.get_threshold() == mine:
                gc.set_threshold(*_Blocks.before)  # else the program has set it
