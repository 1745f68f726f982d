"""Draws and elements whose parts are fetched in separate runs of a session.

Eagerly a line computes a tensor once. A run of a session that fetches what hangs on a
draw draws anew, and one that fetches a part of an element or batch takes the next one.
Where the program has not moved on between two runs (the same feeds, no variable
written), what they fetch was meant to belong together.
"""

import threading
from typing import Any

from twinflow.base.frames import user_frames
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Place, Watcher
from twinflow.ops.random.streams import Stream
from twinflow.verification.differences import Difference
from twinflow.verification.events import Frame, frames_of
from twinflow.verification.kept import Budget, kept

WAYS = ("graph", "eager")
_PARTS = ("IteratorGetNext", "IteratorGetNextSync", "OneShotIterator")
_LARGEST = 4_000_000  # bytes of a value that is looked at


class _Fetch:
    """What one run of a session fetched, and what it then was.

    Attributes:
        tensors: fetched. above: the nodes and tensors that they are computed from.
        feeds: digests of what was fed. version: of the variables. frame: the user's.
        values: digests of what hangs on draws, by tensor; None in a run that writes.
        drawn, taken: the nodes that drew, and those that took an element.
    """

    def __init__(self, tensors: set, feeds: Any, version: int) -> None:
        self.tensors, self.feeds, self.version = tensors, feeds, version
        self.above = above(tensors) | tensors
        self.frame: Frame | None = None
        self.values: dict | None = {}
        self.drawn: list = []
        self.taken: list = []
        self.hanging: set = set()


class SeparateRuns(Watcher):
    """Watches the runs of sessions in this thread.

    Attributes:
        found: the Differences.
    """

    def __init__(self) -> None:
        self.found: list[Difference] = []
        self.feeds: Any = ()  # of the run that begins; see feed
        self._version = 0
        self._fetches: dict = {}  # of a node: each _Fetch that it ran for
        self._said: set = set()
        self._now: _Fetch | None = None
        self._main = threading.get_ident()
        self._none = Budget(0)

    def feed(self, feed_dict: Any) -> None:
        """What the next run is fed."""
        items = feed_dict.items() if isinstance(feed_dict, dict) else ()
        self.feeds = frozenset(
            (getattr(k, "name", str(k)), kept(v, self._none).digest or repr(v)[:99])
            for k, v in items
        )

    def enters(self, place: Place) -> None:
        if place.kind != "run" or threading.get_ident() != self._main:
            return
        program = place.plan.program if place.plan is not None else None
        if program is None or program.graph is None or program.graph.is_function:
            return
        fetched = {t for t in program.fetches if t is not None}
        self._now = _Fetch(fetched, self.feeds, self._version)

    def ended(self, run: OpRun) -> None:
        now = self._now
        if now is None or run.node is None or run.thread != self._main:
            return
        if len(run.path) > 1:
            return
        if "MakeIterator" in run.op.type:
            self._fetches.clear()
        if _writes(run):
            self._version += 1
            now.values = None
        if run.op.cell == "stream":
            now.drawn.append(run.node)
            now.hanging.update(run.node.outputs)
        elif run.op.type in _PARTS or "Dequeue" in run.op.type:
            now.taken.append(run.node)
        elif now.hanging.intersection(run.node.inputs):
            now.hanging.update(run.node.outputs)
        else:
            return
        if now.values is not None and run.outputs is not None:
            for t, value in zip(run.node.outputs, run.outputs, strict=False):
                if getattr(value, "nbytes", _LARGEST) < _LARGEST:
                    now.values[t] = kept(value, self._none).digest

    def leaves(self, place: Place) -> None:
        now = self._now
        if place.kind != "run" or now is None or threading.get_ident() != self._main:
            return
        self._now = None
        if not (now.drawn or now.taken):
            return
        now.frame = next(iter(frames_of(user_frames(8))), None)
        for nodes, apart in ((now.drawn, self._draws), (now.taken, self._parts)):
            for node in nodes:
                before = self._fetches.setdefault(node, [])
                first = next((b for b in before if apart(node, b, now)), None)
                if first is not None and node not in self._said:
                    self._said.add(node)
                    self.found.append(_separate(node, nodes is now.drawn, first, now))
                before.append(now)
                del before[:-20]

    def _draws(self, node: Any, first: _Fetch, now: _Fetch) -> bool:
        """Whether two runs drew anew what belongs together, and it matters."""
        if first.feeds != now.feeds or first.version != now.version:
            return False
        if first.values is None or now.values is None or first.tensors & now.tensors:
            return False
        both = [t for t in first.values if t in now.values and t in now.hanging]
        inner = {t for b in both for t in b.op.inputs}
        last = [t for t in both if t not in inner or t in first.tensors | now.tensors]
        if _line(first) == _line(now):
            return False  # a line that shows several things
        return any(first.values[t] != now.values[t] for t in last)

    def _parts(self, node: Any, first: _Fetch, now: _Fetch) -> bool:
        """Whether two runs took other parts of what a node gives at once."""
        p, q = ({t for t in node.outputs if t in f.above} for f in (first, now))
        return bool(p and q and not p & q)


def _line(fetch: _Fetch) -> tuple:
    return fetch.frame[:2] if fetch.frame else ()


def _writes(run: OpRun) -> bool:
    op = run.op
    if not (op.step and op.writes_cell) or op.cell == "stream":
        return False
    cells = [a for a in run.inputs if isinstance(a, Cell)]
    return any(type(c) is Cell and not isinstance(c, Stream) for c in cells)


def above(tensors: Any, most: int = 20_000) -> set:
    """The nodes and tensors that tensors are computed from."""
    found: set = set()
    queue = list(tensors)
    found.update(t.op for t in queue)
    while queue and len(found) < most:
        for t in queue.pop().op.inputs:
            if t not in found:
                found |= {t, t.op}
                queue.append(t)
    return found


def _separate(node: Any, draws: bool, first: _Fetch, now: _Fetch) -> Difference:
    what = f"{node.type} '{node.name}'"
    line = first.frame.line if first.frame else 0
    if draws:
        return Difference(
            "draw", now.frame, 0, WAYS, "draws anew", "has the numbers that it had",
            what,
            f"They were fetched at line {line} in a run of its own. Fetch both in one "
            "run.",
        )  # fmt: skip
    return Difference(
        "iterator", now.frame, 0, WAYS, "moves on to the next element",
        "gives the other part of the same element", what,
        f"The first part was fetched at line {line} in a run of its own. Fetch both in "
        "one run.",
    )  # fmt: skip
