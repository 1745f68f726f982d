"""What a graph does otherwise than the same lines would eagerly: rules for sessions.

A script in graph style exists in one way only, so nothing can be held against it. These
rules name what its lines would do eagerly and the graph does not: ops whose result is
thrown away and that never run, updates of layers that nobody runs, draws and elements
that are made anew for another fetch, and Python code in branches and bodies of loops,
which acts once, when they are traced.
"""

import collections
import dis
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any

from twinflow.base.frames import user_frames
from twinflow.base.watching import OpRun, Place, Watcher
from twinflow.ops.variables.collections import GraphKeys
from twinflow.verification.differences import Difference
from twinflow.verification.events import Course, Frame, frame_of

_SHOWN = ("Print", "PrintV2", "Assert", "LogicalAssert")
_NEXT = ("IteratorGetNext", "IteratorGetNextSync")
_VARIABLES = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES)
MOST_NODES = 12  # of a call that makes one op, with what it makes of its arguments
_ACTS = re.compile(r"assign|scatter|print|assert|enqueue|write", re.IGNORECASE)
_WAYS = ("graph", "eager")


class Graphs(Watcher):
    """Watches the runs of sessions."""

    def __init__(self) -> None:
        self.graphs: dict = {}
        self.ran: set = set()
        self.separate: list[Difference] = []
        self._fetched: dict = {}  # from a source to (what was fetched of it, where)
        self._said: set = set()
        self._direct: set = set()
        self._fed = False  # then another draw may be meant: for another batch

    def enters(self, place: Place) -> None:
        if place.kind == "run" and place.plan is not None:
            program = place.plan.program
            if program.graph is not None:
                self.graphs[id(program.graph)] = program.graph
            self._direct = {t for t in program.fetches if t is not None}
            self._fed = bool(program.feeds)

    def ended(self, run: OpRun) -> None:
        node = run.node
        if node is None or (node in self.ran and not self._is_source(run)):
            return
        self.ran.add(node)
        if self._is_source(run) and len(run.path) == 1:
            self._look(node, run)

    def _is_source(self, run: OpRun) -> bool:
        return run.op.cell == "stream" or run.op.type in _NEXT

    def _look(self, node: Any, run: OpRun) -> None:
        """Whether outputs of one node are fetched in separate runs."""
        pairs = user_frames(1)
        if not pairs:
            return
        draws = run.op.cell == "stream"
        before, here = self._fetched.setdefault(node, []), frame_of(pairs[0])
        own = self._direct.intersection(node.outputs)
        above: set = set()
        if draws and self._fed:
            return
        if draws:
            above = _above(self._direct) if before else above
            own = {t for t in self._direct if t.op is node or node in _above([t], 200)}
        for other, frame in before:
            apart = (
                (other & above - own) if draws else (own and other and not own & other)
            )
            if apart and frame[:2] != here[:2] and node not in self._said:
                self._said.add(node)
                self.separate.append(_separate(node, draws, frame, here))
        before.append((own, here))

    # ------------------------------------------------------------------ the end
    def differences(self, trace: Course) -> list[Difference]:
        """What was found, when the program is over."""
        found = list(self.separate)
        for graph in self.graphs.values():
            if not graph.is_function:
                found += self._thrown_away(graph)
                found += self._updates(graph)
        return found + list(_in_regions(trace))

    def _thrown_away(self, graph: Any) -> Iterator[Difference]:
        sizes = collections.Counter(n.frames[0] for n in graph.nodes if n.frames)
        listed = [v for name in _VARIABLES for v in graph.collections.get(name, ())]
        first = {getattr(v, "initializer", None) for v in listed}
        for node in graph.nodes:
            if node in first or (node.frames and sizes[node.frames[0]] > MOST_NODES):
                continue  # the call makes more than an op: a saver, a whole model
            op = node.opdef
            acts = (op.step and op.writes_cell and op.cell != "stream") or (
                node.type in _SHOWN
            )
            acts = acts or node.type.startswith(("Assign", "Scatter", "Enqueue"))
            if not acts or node in self.ran or not node.frames or node.region:
                continue
            text = frame_of(node.frames[0]).text
            if _ACTS.search(text) and _is_thrown_away(node.frames[0]):
                yield Difference(
                    "side effect", frame_of(node.frames[0]), 0, _WAYS, "never runs",
                    "runs at once", node.type + f" '{node.name}'",
                    "Its result is not kept, so no run of a session can ask for it. "
                    "Fetch it, or make what follows depend on it with "
                    "tf.control_dependencies.",
                )  # fmt: skip

    def _updates(self, graph: Any) -> Iterator[Difference]:
        trained = any(
            "Apply" in n.type and n.graph is graph
            for n in self.ran
            if "Apply" in n.type
        )
        if not trained:
            return
        listed = graph.collections.get(GraphKeys.UPDATE_OPS, ())
        nodes = [getattr(u, "op", u) for u in listed]
        skipped = [n for n in nodes if hasattr(n, "inputs") and n not in self.ran]
        for node in skipped:
            if self._computed(node, 8) and node.frames:
                yield Difference(
                    "update", frame_of(node.frames[0]), 0, _WAYS, "never runs",
                    "runs in each training step", node.name,
                    "Make the training op depend on "
                    "tf.get_collection(tf.GraphKeys.UPDATE_OPS).",
                )  # fmt: skip
                return

    def _computed(self, node: Any, depth: int) -> bool:
        """Whether something that `node` needs was computed, other than variables."""
        for t in node.inputs:
            n = t.op
            plain = n.type in ("Const", "VarHandleOp", "VariableV2", "Placeholder")
            reads = n.type in ("ReadVariableOp", "Identity")
            if not plain and not reads and n in self.ran:
                return True
            if not plain and depth and self._computed(n, depth - 1):
                return True
        return False


def _above(tensors: Any, most: int = 20_000) -> set:
    """The nodes and tensors that tensors are computed from."""
    found: set = set()
    queue = list(tensors)
    while queue and len(found) < most:
        for t in queue.pop().op.inputs:
            if t not in found:
                found |= {t, t.op}
                queue.append(t)
    return found


def _separate(node: Any, draws: bool, first: Frame, here: Frame) -> Difference:
    what = f"{node.type} '{node.name}'"
    if draws:
        return Difference(
            "draw", here, 0, _WAYS, "draws anew", "has the numbers that it had", what,
            f"They were fetched at line {first.line} in a run of its own. Fetch both "
            "in one run.",
        )  # fmt: skip
    return Difference(
        "iterator", here, 0, _WAYS, "moves on to the next element",
        "gives the other part of the same element", what,
        f"The first part was fetched at line {first.line} in a run of its own. Fetch "
        "both in one run.",
    )  # fmt: skip


def _in_regions(trace: Course) -> Iterator[Difference]:
    seen = set()
    for e in trace.in_regions:
        kind = "frozen call" if e.kind == "draw" else "python side effect"
        if e.kind == "variable" or (kind, e.frame[:2]) in seen:
            continue
        seen.add((kind, e.frame[:2]))
        yield Difference(
            kind, e.frame, 0, _WAYS, "acts when the graph is made",
            "acts each time that the branch or body runs", e.name,
        )  # fmt: skip


def _is_thrown_away(pair: tuple[CodeType, int]) -> bool:
    """Whether the instruction at a place is a call whose result is dropped."""
    code, lasti = pair
    before = None
    for instruction in dis.get_instructions(code):
        if instruction.offset > lasti:
            called = before is not None and before.opname.startswith("CALL")
            return called and instruction.opname == "POP_TOP"
        before = instruction
    return False
