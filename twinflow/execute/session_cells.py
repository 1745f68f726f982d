"""Where the cells of a session live, and what locks them.

Note [Threads]: several threads may run one session, or call one function. Whatever
works on cells - a cluster as a whole, a single step on the host - holds their locks, so
that an update is not lost and no buffer is donated that another thread reads. The cells
of a session have one lock. Those of functions get theirs from the first cluster that
works on them, one for all of its cells: functions that share no variable run side by
side. What waits for other threads, such as a queue, is a host step that touches no such
cell, and holds no lock.
"""

import contextlib
import functools
import threading
import weakref
from collections.abc import Iterable
from operator import attrgetter, is_
from typing import Any

from twinflow.base import errors
from twinflow.base.blocking import WaitingCell
from twinflow.base.state import Cell

_MAKING = threading.Lock()
_ARRAY, _IS_NONE = attrgetter("_array"), functools.partial(is_, None)
_LOCKS: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # {Cell: its lock}


def lock_of(cell_of: Any, cells: Iterable[Cell]) -> Any:
    """The context manager to hold while working on cells.

    Args:
        cell_of: see Plan; a Home has one lock for all its cells.
        cells: those of the run.
    """
    own = getattr(cell_of, "lock", None)
    return _lock_of_all(cells) if own is None else own


def _lock_of_all(cells: Any) -> Any:
    with _MAKING:
        new = threading.RLock()
        locks = {id(lock): lock for lock in (_LOCKS.setdefault(c, new) for c in cells)}
    ordered = [locks[i] for i in sorted(locks)]  # each thread takes them in this order
    return ordered[0] if len(ordered) == 1 else _Several(ordered)


class _Several:
    """Some locks, held together."""

    def __init__(self, locks: list) -> None:
        self.locks = locks

    def __enter__(self) -> None:
        with contextlib.ExitStack() as stack:
            for lock in self.locks:
                stack.enter_context(lock)
            stack.pop_all()

    def __exit__(self, *exc: Any) -> None:
        for lock in self.locks:
            lock.release()


class Home:
    """From the cells of a graph to those of one session, made at their first use.

    Attributes:
        lock: see Note [Threads]. owner: whose the attempts of its runs are, or None
            where nobody asks (base.blocking). client: the session at a server of
            another process, which then does all of it, or None.
    """

    owner: Any = None
    client: Any = None

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._making = threading.Lock()
        self._cells: dict = {}
        self._closed = False

    def __call__(self, template: Any) -> Any:
        """This session's own cell for a cell of the graph."""
        found = self._cells.get(template)
        return self._made(template) if found is None else found

    def _made(self, template: Any) -> Any:
        with self._making:
            found = self._cells.get(template)
            if found is None:
                found = self._cells[template] = self._new(template)
                if self._closed:  # by another thread, during a run
                    self._call_off(found)
            return found

    def _new(self, template: Any) -> Any:
        return fresh(template)

    def connect(self, session: Any) -> None:
        """Find what the cells are with, when a session first runs."""

    def partial(self, session: Any, fetches: list, feeds: list) -> Any:
        """A run in several steps of several tasks; None where there is one."""
        return None

    def plan(self, session: Any, flat: tuple, feeds: tuple) -> Any:
        """What runs in place of a Plan of this process; None = nothing does."""
        return None

    def _call_off(self, cell: Any) -> None:
        if isinstance(cell, WaitingCell):
            cell.cancel()

    def lost(self) -> errors.OpError:
        """What the runs of a session say that was closed from outside."""
        return errors.CancelledError(None, None, "Session has been closed.")

    def close(self) -> None:
        """Let go of the cells; whoever waits at one fails."""
        with self._making:
            self._closed = True
            for cell in self._cells.values():
                self._call_off(cell)
            self._cells.clear()


def fresh(template: Any) -> Any:
    """A new cell for one of a graph."""
    made = getattr(template, "fresh", None)
    return made() if made else Cell(template.name, template.dtype, template.shape)


def values_of(cells: list) -> list:
    """The states of cells, None for those that have none yet."""
    try:
        found = list(map(_ARRAY, cells))
    except AttributeError:  # a Stream
        found = []
    if len(found) < len(cells) or any(map(_IS_NONE, found)):
        return [_value_of(c) for c in cells]
    return found


def _value_of(cell: Any) -> Any:
    """The state of a cell, None if it has none yet."""
    if type(cell) is Cell and cell._array is not None:
        return cell._array
    return cell.read() if cell.initialized else None
