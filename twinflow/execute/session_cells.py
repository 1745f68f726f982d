"""Where the cells of a session live.

Note [Threads]: several threads may run one session, or call one function. Whatever
works on cells - a cluster as a whole, a single step on the host - holds the lock of
their home, so that an update is not lost and no buffer is donated that another thread
reads. What waits for other threads, such as a queue, is a host step that touches no
such cell, and holds no lock.
"""

import threading

from twinflow.base.blocking import WaitingCell
from twinflow.base.state import Cell

_SHARED = threading.RLock()


def lock_of(cell_of):
    """The lock of a Home, or the one for cells that stand for themselves.

    Args:
        cell_of: see Plan.
    """
    return getattr(cell_of, "lock", _SHARED)


class Home:
    """From the cells of a graph to those of one session, made at their first use."""

    def __init__(self):
        self.lock = threading.RLock()
        self._making = threading.Lock()
        self._cells: dict = {}
        self._closed = False

    def __call__(self, template):
        """This session's own cell for a cell of the graph."""
        found = self._cells.get(template)
        return self._made(template) if found is None else found

    def _made(self, template):
        with self._making:
            found = self._cells.get(template)
            if found is None:
                found = self._cells[template] = _fresh(template)
                if self._closed:  # by another thread, during a run
                    _call_off(found)
            return found

    def close(self):
        """Let go of the cells; whoever waits at one fails."""
        with self._making:
            self._closed = True
            for cell in self._cells.values():
                _call_off(cell)
            self._cells.clear()


def _fresh(template):
    made = getattr(template, "fresh", None)
    return made() if made else Cell(template.name, template.dtype, template.shape)


def _call_off(cell):
    if isinstance(cell, WaitingCell):
        cell.cancel()
