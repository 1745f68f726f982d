"""What a graph does otherwise than the same lines would eagerly: rules for sessions.

A script in graph style exists in one way only. These rules name what its lines would do
eagerly and the graph does not: ops that never run (never_run), draws and elements that
are made anew for another fetch (separate_runs), Python numbers that changed (rebound),
and Python code in branches and bodies of loops, which acts once, when they are traced.
"""

import sys
from collections.abc import Iterator
from typing import Any

from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Place, Watcher
from twinflow.verification.differences import Difference
from twinflow.verification.events import Course
from twinflow.verification.never_run import thrown_away, updates
from twinflow.verification.rebound import Rebound
from twinflow.verification.separate_runs import WAYS, SeparateRuns

_FIRST_VALUES = ("Assign", "AssignVariableOp")


class Graphs(Watcher):
    """Watches the runs of sessions."""

    def __init__(self) -> None:
        self.graphs: dict = {}
        self.ran: set = set()
        self.written: set = set()  # names of variables
        self.separate, self.rebound = SeparateRuns(), Rebound()

    def feeds(self, feed_dict: Any) -> None:
        """What the next run of a session is fed."""
        self.separate.feed(feed_dict)

    def enters(self, place: Place) -> None:
        if place.kind == "run" and place.plan is not None:
            program = place.plan.program
            if program.graph is not None:
                self.graphs[id(program.graph)] = program.graph
                if not program.graph.is_function:
                    wanted = {t for t in program.fetches if t is not None}
                    wanted |= set(program.targets)
                    self.rebound.look(program.graph, wanted, sys._getframe(1))
        self.separate.enters(place)

    def leaves(self, place: Place) -> None:
        self.separate.leaves(place)

    def ended(self, run: OpRun) -> None:
        if run.node is not None:
            self.ran.add(run.node)
            op = run.op
            if op.step and op.writes_cell and op.type not in _FIRST_VALUES:
                cells = [a for a in run.inputs if isinstance(a, Cell)]
                self.written.update(c.name for c in cells)
            self.separate.ended(run)

    def differences(self, trace: Course) -> list[Difference]:
        """What was found, when the program is over."""
        found = self.separate.found + self.rebound.found
        graphs = [g for g in self.graphs.values() if not g.is_function]
        if not trace.stopped:
            for graph in graphs:
                found += thrown_away(graph, self.ran)
                found += updates(graph, self.ran, self.written)
        return found + list(_in_regions(trace))


def _in_regions(trace: Course) -> Iterator[Difference]:
    seen = set()
    for e in trace.in_regions:
        kind = "frozen call" if e.kind == "draw" else "python side effect"
        if e.kind == "variable" or (kind, e.frame[:2]) in seen:
            continue
        seen.add((kind, e.frame[:2]))
        yield Difference(
            kind, e.frame, 0, WAYS, "acts when the graph is made",
            "acts each time that the branch or body runs", e.name,
        )  # fmt: skip
