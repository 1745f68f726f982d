"""Mutexes: what one thread at a time holds."""

from typing import Any

import numpy as np

from twinflow.base.blocking import Attempt, WaitingCell, forget, hold
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import nothing


class Token:
    """The mutex in someone's hands; a run that fails gives it back.

    Args:
        cell: the MutexCell.
    """

    __slots__ = ("cell",)

    def __init__(self, cell: "MutexCell") -> None:
        self.cell: MutexCell | None = cell

    def release(self) -> None:
        """Give the mutex back, once."""
        cell, self.cell = self.cell, None
        if cell is not None:
            with cell.changed:
                cell.taken = False
                cell.flush()


class _Take(Attempt):
    """Wait until nobody has the mutex."""

    __slots__ = ()

    def advance(self, cell: Any) -> bool:
        """See Attempt."""
        if cell.taken:
            return False
        cell.taken = True
        return self.finish(Token(cell))


class MutexCell(WaitingCell):
    """The home of a mutex.

    Args:
        node: its name.
    """

    __slots__ = ("node", "taken")

    def __init__(self, node: str) -> None:
        super().__init__(node, lines=1)
        self.node, self.taken = node, False

    def fresh(self) -> "MutexCell":
        """A mutex of the same name, for a session of its own."""
        return MutexCell(self.node)

    def take(self) -> Token:
        """Wait for the mutex."""
        return self.attempt(0, _Take())


def _lock(cell):
    held = np.empty((), object)
    held[()] = token = cell.take()
    hold(token)
    return held


def _consume(lock):
    forget(lock[()])
    lock[()].release()
    return ()


MutexV2 = define(
    "MutexV2", scalar, host=lambda cell, **_: cell, attrs={"cell": None}, cell="cell",
    stateful=True,
)  # fmt: skip
MutexLock = define("MutexLock", scalar, host=_lock, stateful=True)
ConsumeMutexLock = define("ConsumeMutexLock", nothing, host=_consume, stateful=True)
