"""The watcher of the debugger: where each thread is, what it did, doing it again."""

import threading
from collections.abc import Callable
from typing import Any

from twinflow.base.errors import OutOfRangeError
from twinflow.base.watching import Again, OpRun, Place, Watcher, path
from twinflow.debugger.breakpoints import same
from twinflow.debugger.journal import Entry, Journal
from twinflow.execute.cell_states import (
    cells_of,
    is_plain,
    reaches_outside,
    state_of,
)
from twinflow.graph.program import regions


class Open:
    """An op that runs now.

    Attributes:
        run, key, before: see Entry. counts: how often ops inside it came, by node and
            iteration. matched: the breakpoints that the last op inside it was at.
        given: whether it was given its outputs. failed: whether an op inside it failed.
    """

    __slots__ = (
        "before", "counts", "failed", "given", "holds", "key", "matched", "run"
    )  # fmt: skip

    def __init__(self, run: OpRun | None, key: Any) -> None:
        self.run: Any = run
        self.key = key
        self.counts: dict = {}
        self.matched: dict = {}
        self.before: list = []
        self.given = self.failed = False
        self.holds = run is not None and holds_ops(run)


class Rerun:
    """A run that began anew: see Note [Going back] in debugger.journal.

    Attributes:
        target: the Entry up to which ops are given what they had; outputs: what it
            gets.
        over: whether it was reached. undone: {key: Entry} of what reached outside.
    """

    def __init__(self, target: Entry, outputs: list, undone: list[Entry]) -> None:
        self.target, self.outputs, self.over = target, outputs, False
        self.undone = {e.key: e for e in undone if _stays(e)}


def _stays(entry: Entry) -> bool:
    return (
        entry.error is None and not holds_ops(entry.run) and reaches_outside(entry.run)
    )


def holds_ops(run: OpRun) -> bool:
    """Whether other ops run inside an op: loops, branches, calls of functions."""
    node = run.node
    if node is None:
        return False
    return bool(regions(node)) or hasattr(node.extra, "program")


class Following(threading.local):
    """Where a thread is.

    Attributes:
        stack: the Opens around, outermost first; the first stands for the thread.
        journal: its Journal. turn: the number of the outermost run, and whether it
            goes on (`inside`); base: how many are open around it. rerun: the Rerun.
        quiet: whether the debugger itself runs ops.
    """

    def __init__(self, budget: int) -> None:
        self.stack = [Open(None, ())]
        self.journal = Journal(budget)
        self.turn, self.inside, self.base = 0, False, 1
        self.rerun: Rerun | None = None
        self.quiet = False


class Follower(Watcher):
    """Keeps a journal and asks at each op whether to stop.

    Args:
        budget: bytes that the journal of each thread may hold.
        stop: ``(event, Open, Entry or None, error) -> None``, with the events "enter"
            (an op in which others run begins), "after" and "failed".
        say: takes a line for the user.
    """

    def __init__(self, budget: int, stop: Callable, say: Callable) -> None:
        self.here = Following(budget)
        self.stop, self.say = stop, say
        self.on_again: list[Callable] = []  # called before a run begins anew

    # ------------------------------------------------------------------ places
    def enters(self, place: Place) -> None:
        """An outermost run begins a new turn."""
        here = self.here
        if not here.quiet and len(path()) == 1:
            here.turn += 1
            here.inside, here.base = True, len(here.stack)
            here.stack[-1].counts, here.stack[-1].matched = {}, {}

    def leaves(self, place: Place) -> None:
        """What is open inside is so no more."""
        here = self.here
        if here.quiet:
            return
        while len(here.stack) > 1 and place in here.stack[-1].run.path:
            here.stack.pop()
        if not path():
            here.inside, here.rerun = False, None

    # ------------------------------------------------------------------ ops
    def begins(self, run: OpRun) -> None:
        here = self.here
        if here.quiet:
            return
        now = self._opened(run)
        here.stack.append(now)
        if here.rerun is not None:
            self._give(now, here.rerun)
        if now.given:
            return
        now.before = [(c, state_of(c)) for c in cells_of(run) if is_plain(c)]
        if now.holds and not self.passes:
            self.stop("enter", now, None, None)

    def ended(self, run: OpRun) -> None:
        here = self.here
        if here.quiet:
            return
        now = here.stack.pop()
        if now.given:
            return
        entry = self._entry(now)
        if not self.passes:
            here.journal.add(entry)
            self.stop("after", now, entry, None)

    def failed(self, run: OpRun, error: BaseException) -> None:
        here = self.here
        if here.quiet:
            return
        now = here.stack.pop()
        around = here.stack[-1]
        if now.failed or isinstance(error, OutOfRangeError):
            around.failed = True
            return
        around.failed = True
        entry = self._entry(now)
        entry.error = error
        here.journal.add(entry)
        self.stop("failed", now, entry, error)

    @property
    def passes(self) -> bool:
        """Whether a run that began anew is on its way back."""
        rerun = self.here.rerun
        return rerun is not None and not rerun.over

    def _opened(self, run: OpRun) -> Open:
        around = self.here.stack[-1]
        trips = tuple((p.trip, p.part) for p in run.path if p.kind == "loop")
        what: Any = run.op.type if run.node is None else run.node
        number = around.counts.get((what, trips), 0)
        around.counts[what, trips] = number + 1
        return Open(run, (around.key, self.here.turn, what, trips, number))

    def _entry(self, now: Open) -> Entry:
        here = self.here
        run: Any = now.run
        parents = tuple(o.run for o in here.stack if o.run is not None)
        turn = here.turn if here.inside else None
        return Entry(now.key, run, turn, parents, now.before)

    # ------------------------------------------------------------------ again
    def _give(self, now: Open, rerun: Rerun) -> None:
        """Put outputs into an op that has run before, where it is not to run again."""
        run: Any = now.run
        if rerun.over:
            old = rerun.undone.pop(now.key, None)
            if old is not None and self._stands(old.run, run):
                run.outputs = list(old.run.outputs or [])
            return
        if now.key == rerun.target.key:
            run.outputs, rerun.over = list(rerun.outputs), True
            rerun.target.run.outputs, rerun.target.error = run.outputs, None
            now.given = True
            return
        old = self.here.journal.last.get(now.key)
        if old is not None and old.error is None:
            run.outputs, now.given = list(old.run.outputs or []), True

    def _stands(self, old: OpRun, run: OpRun) -> bool:
        """Whether what an op did outside holds for other inputs too."""
        if same(old.inputs, run.inputs):
            return True
        if not cells_of(run):
            return False
        self.say(f"*** {run.name} did not run again: what it was given first stays")
        return True

    def go_on_from(self, entry: Entry, outputs: list) -> None:
        """Begin the outermost run anew, up to `entry`, which gets other outputs."""
        here = self.here
        undone = here.journal.back_to(entry)
        here.rerun = Rerun(entry, outputs, undone)
        del here.stack[here.base :]
        here.stack[-1].counts = {}
        for tell in self.on_again:
            tell()
        raise Again
