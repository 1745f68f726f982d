"""What is noted while a program runs: of the run of a plan, and of eager ops."""

import collections
from typing import Any

import numpy as np

from twinflow.base.watching import OpRun, Place
from twinflow.capsules.outside import needs_given
from twinflow.execute.cell_states import cells_of, is_plain, state_of
from twinflow.graph.node import Node

MOST_OPS = 10_000  # of an eager step


class Unit:
    """The run of a plan that no other op of a program is around.

    Attributes:
        place: where; it has the plan and the values of its feeds.
        first: {id of a cell: (the cell, its state when the run began)}.
        counts: {node: how often it has begun}. given: [(node, which time, its inputs,
            its outputs or what it raised, [(cell, its value then)])] of what reaches
            outside.
        failed: whether something in it has failed.
    """

    def __init__(self, place: Place) -> None:
        self.place, self.failed = place, False
        self.first: dict = {}
        self.counts: dict = {}
        self.given: list = []
        self._needs: dict = {}

    def begins(self, run: OpRun) -> None:
        """Note the state of what an op works on."""
        self.counts[run.node] = self.counts.get(run.node, 0) + 1
        note_first(self.first, run)

    def ended(self, run: OpRun) -> None:
        """Note what an op gave that reaches outside."""
        if self.needs(run.node):
            self._give(run, list(run.outputs or ()))

    def has_failed(self, run: OpRun, error: BaseException) -> None:
        """Note what an op raised that reaches outside."""
        if self.needs(run.node):
            self._give(run, error)

    def _give(self, run: OpRun, what: Any) -> None:
        entry = run.node, self.counts.get(run.node, 1), list(run.inputs), what
        self.given.append((*entry, cells_now(run)))

    def needs(self, node: Any) -> bool:
        """Whether a node is given what it gave, when the step is run again."""
        found = self._needs.get(node)
        if found is None:
            found = self._needs[node] = isinstance(node, Node) and needs_given(node)
        return found


def cells_now(run: OpRun) -> list[tuple]:
    """The cells that an op works on, with their values."""
    return [(c, c._array) for c in cells_of(run) if is_plain(c)]


def note_first(first: dict, run: OpRun) -> None:
    """Keep the states of the cells of an op that are not in `first` yet."""
    for cell in cells_of(run):
        if is_plain(cell) and id(cell) not in first:
            first[id(cell)] = cell, state_of(cell)


class EagerStep:
    """The eager ops since a step began, the newest that fit into a budget.

    Args:
        budget: bytes of arrays.
    Attributes:
        runs: [(OpRun, {id of a cell: (cell, state before)})]. lost: how many went.
    """

    def __init__(self, budget: int) -> None:
        self.budget, self.bytes, self.lost = budget, 0, 0
        self.runs: collections.deque = collections.deque()
        self._held: dict = {}  # {id of an array: how many runs hold it}

    def begins(self, run: OpRun) -> None:
        """Note an op that is about to run."""
        before: dict = {}
        note_first(before, run)
        self.runs.append((run, before))
        self._hold(run.inputs)

    def ended(self, run: OpRun) -> None:
        """Note what it gave; the oldest ops go where there is no room."""
        self._hold(run.outputs)
        runs = self.runs
        while len(runs) > 1 and (self.bytes > self.budget or len(runs) > MOST_OPS):
            oldest, _ = runs.popleft()
            self.lost += 1
            self._let_go(oldest.inputs)
            self._let_go(oldest.outputs)

    def forget(self, run: OpRun) -> None:
        """Leave out an op that failed: the program goes on as if it had not run."""
        if self.runs and self.runs[-1][0] is run:
            self.runs.pop()
            self._let_go(run.inputs)

    def _hold(self, values: Any) -> None:
        for array in arrays_in(values):
            held = self._held.get(id(array), 0)
            self._held[id(array)] = held + 1
            self.bytes += 0 if held else array.nbytes

    def _let_go(self, values: Any) -> None:
        for array in arrays_in(values):
            held = self._held.get(id(array), 1) - 1
            self._held[id(array)] = held
            if not held:
                del self._held[id(array)]
                self.bytes -= array.nbytes


def arrays_in(values: Any) -> list[np.ndarray]:
    """The arrays among values, lists included."""
    found, stack = [], [values]
    while stack:
        value = stack.pop()
        if isinstance(value, np.ndarray):
            found.append(value)
        elif isinstance(value, list | tuple):
            stack.extend(value)
    return found
