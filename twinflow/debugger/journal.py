"""What has run: the inputs, outputs and states of ops, within a budget.

Note [Going back]: an op that ran is an Entry of its thread's Journal, under a key: the
op around it, its node, the iteration, and how often that has come. To go on from an
earlier op with another value, the cells get back the states that they had behind it
(each entry holds those that its op replaced), and the outermost run begins anew
(base.watching.Again). On the way to that op every op is given the outputs that it had,
and does not run; so nothing outside happens twice. Behind it, ops that reach outside
(queues, iterators, files, Python) and ran before get what they had once more, unless
they are functions whose inputs are others now.

What goes beyond the budget are the oldest entries of ops without effects. On the way
back to a later op these run again, which gives the same values.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base.watching import OpRun
from twinflow.execute.cell_states import put_state


class Entry:
    """An op that ran.

    Attributes:
        key, run: see Note [Going back]; `run` has outputs. number: its place in time.
        turn: the number of its outermost run, None where it ran outside of all.
        parents: the OpRuns around it. before: [(Cell, its state)] of those it changed.
        error: what it raised, or None.
    """

    __slots__ = ("before", "error", "key", "number", "parents", "run", "turn")

    def __init__(
        self, key: Any, run: OpRun, turn: int | None, parents: tuple, before: list
    ) -> None:
        self.key, self.run, self.turn, self.parents = key, run, turn, parents
        self.before, self.number = before, 0
        self.error: BaseException | None = None

    @property
    def has_effects(self) -> bool:
        """Whether it changed more than its outputs."""
        return bool(self.before) or self.run.op.stateful


class Journal:
    """The entries of a thread, oldest first.

    Args:
        budget: how many bytes of arrays it may hold.
    """

    def __init__(self, budget: int) -> None:
        self.budget, self.bytes = budget, 0
        self.entries: list[Entry] = []
        self.last: dict = {}  # {key: its newest Entry}
        self.lost = 0  # entries that went
        self._held: dict = {}  # {id of an array: how many entries hold it}
        self._count = 0

    def add(self, entry: Entry) -> None:
        """Put down an op that ran just now."""
        self._count += 1
        entry.number = self._count
        self.entries.append(entry)
        self.last[entry.key] = entry
        for array in _arrays(entry):
            held = self._held.get(id(array), 0)
            self._held[id(array)] = held + 1
            self.bytes += 0 if held else array.nbytes
        if self.bytes > self.budget:
            self._shrink(entry)

    def _shrink(self, newest: Entry) -> None:
        """Drop what is oldest, down to three quarters of the budget."""
        kept, size = [], len(self.entries)
        for entry in self.entries:
            full = self.bytes > self.budget * 3 // 4
            if not full or entry is newest or entry.has_effects:
                kept.append(entry)
            else:
                self._let_go(entry)
        self.entries = kept
        self.lost += size - len(kept)

    def _let_go(self, entry: Entry) -> None:
        if self.last.get(entry.key) is entry:
            del self.last[entry.key]
        for array in _arrays(entry):
            held = self._held.pop(id(array)) - 1
            if held:
                self._held[id(array)] = held
            else:
                self.bytes -= array.nbytes

    def back_to(self, entry: Entry) -> list[Entry]:
        """Undo what came after `entry`, which is returned: cells get their states."""
        place = self.entries.index(entry) + 1
        undone, self.entries = self.entries[place:], self.entries[:place]
        for e in reversed(undone):
            for cell, state in e.before:
                put_state(cell, state)
            self._let_go(e)
        for e in self.entries:
            self.last[e.key] = e
        return undone


def _arrays(entry: Entry) -> Iterator[np.ndarray]:
    """The arrays that an entry holds, each once."""
    seen: dict = {}
    stack: list = [entry.run.inputs, entry.run.outputs or [], entry.before]
    while stack:
        value = stack.pop()
        if isinstance(value, np.ndarray):
            seen[id(value)] = value
        elif isinstance(value, list | tuple):
            stack.extend(value)
    return iter(seen.values())
