"""When to stop at an op: steps, breakpoints, errors."""

import bdb
from collections.abc import Callable
from typing import Any

from twinflow.base.frames import line_number
from twinflow.debugger.breakpoints import (
    OPS,
    OpBreakpoint,
    at_line,
    counted,
    holds,
    is_for_after,
)
from twinflow.debugger.following import Open


class Steps:
    """What the last command of stepping asked for.

    Attributes:
        kind: "" (only breakpoints stop), "step" (any op), "next" (any that is not
            deeper than `depth`), "out" (any that is less deep) or "until" (as "next",
            behind `line`). thread: the only one that stops so.
    """

    def __init__(self) -> None:
        self.kind, self.depth, self.line = "", 0, 0
        self.thread: int | None = None

    def ask(self, kind: str, thread: int, depth: int = 0, line: int = 0) -> None:
        """From now on stop so."""
        self.kind, self.depth, self.line, self.thread = kind, depth, line, thread

    def wants(self, event: str, now: Open, depth: int) -> bool:
        """Whether to stop at an event of an op with so many ops around it."""
        run = now.run
        if not self.kind or run is None or run.thread != self.thread:
            return False
        if self.kind == "step":
            return True
        if self.kind == "out":
            return depth < self.depth
        if depth > self.depth:
            return False
        if self.kind == "until" and depth == self.depth and run.frames:
            return line_number(run.frames[0]) > self.line
        return True


class Breaks:
    """The breakpoints that ops may be at.

    Args:
        of_line: whether a line has breakpoints of Python: (file, line) -> list.
        say: takes a line for the user.
    """

    def __init__(self, say: Callable) -> None:
        self.say = say
        self.python = True  # whether Python itself stops at lines in eager code

    def find(self, event: str, now: Open, around: Open) -> Any:
        """The breakpoint to stop at, or None."""
        run: Any = now.run
        place = [(p.trip, p.part) for p in run.path if p.kind == "loop"]
        found = None
        for bp in bdb.Breakpoint.bpbynumber:
            if bp is None or not bp.enabled or not self._is_due(bp, event, now):
                continue
            matches = self._matches(bp, run) and holds(bp, run, self.say)
            entered = around.matched.get(bp.number)
            if _is_once(bp):
                around.matched[bp.number] = place if matches else None
                matches = matches and entered != place
            if matches and found is None and counted(bp):
                found = bp
        return found

    def _is_due(self, bp: Any, event: str, now: Open) -> bool:
        """Whether it is looked at before an op in which others run, or after an op."""
        early = now.holds and not is_for_after(bp)
        return early if event == "enter" else not early

    def _matches(self, bp: Any, run: Any) -> bool:
        if isinstance(bp, OpBreakpoint):
            return bp.matches(run)
        if bp.file == OPS or (run.node is None and self.python):
            return False
        return at_line(run.frames, bp.file, bp.line)


def _is_once(bp: Any) -> bool:
    return not isinstance(bp, OpBreakpoint) or bp.once
