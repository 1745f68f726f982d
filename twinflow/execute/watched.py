"""The interpreter under the eyes of watchers (Note [Watching] in base.watching)."""

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from twinflow.base.watching import WATCHERS, OpRun, Place, inside, path, told
from twinflow.execute.interpreter import Assembler, Step, inputs
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.execute.plan import Plan
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program


class WatchedAssembler(Assembler):
    """Makes steps that tell the watchers of themselves.

    Attributes:
        around: the node whose regions are assembled.
    """

    joining = sparing = False
    around: "Node | None" = None

    def assemble(self, nodes: Any, program: "Program") -> list[Step]:
        steps = super().assemble(nodes, program)
        node = self.around
        if node is None or node.type != "While" or program.region is None:
            return steps
        part = "cond" if program.region is regions(node)[0] else "body"
        return [Step(_entering(part), node, []), *steps]

    def _step(self, node: "Node", program: "Program") -> Step:
        outer, self.around = self.around, node
        try:
            found = super()._step(node, program)
        finally:
            self.around = outer
        resolved = [program.resolve(t) for t in node.outputs]
        outs = [self.slots.get(t) for t in resolved]
        found.run = _telling(found.run, node, found.ins, outs)
        return found


def _entering(part: str) -> Callable:
    """Notes where the loop around is: its test, the first part, begins a trip."""

    def run(v: list) -> None:
        place = next(p for p in reversed(path()) if p.kind == "loop")
        place.part = part
        place.trip += part == "cond"

    return run


def _telling(run: Any, node: "Node", ins: list, outs: list) -> Callable:
    def run_told(v: list) -> None:
        given = inputs(v, ins)

        def compute(_: list) -> list:
            with _place(node, given):
                run(v)
            return [None if o is None else v[o] for o in outs]

        found = OpRun(
            node.opdef, node.name, node, node.attrs, given, node.frames, _here()
        )
        origin = node._original_op
        found.forward = () if origin is None else origin.frames
        for o, value in zip(outs, told(found, compute), strict=True):
            if o is not None:
                v[o] = value

    return run_told


def _place(node: "Node", given: list) -> AbstractContextManager:
    """What the steps inside a node are inside of."""
    if node.type == "While":
        return inside(Place("loop", node.name, node, trip=-1))
    if node.type == "If":
        return inside(Place("branch", node.name, node, trip=int(bool(given[0]))))
    return contextlib.nullcontext()


def _here() -> tuple[Place, ...]:
    """The path of now: loops go on counting in the one that is alive."""
    return tuple(p.copy() if p.kind == "loop" else p for p in path())


def entered(plan: "Plan", feeds: list) -> AbstractContextManager:
    """The block of a run of a plan."""
    graph = plan.program.graph
    kind = "function" if graph is not None and graph.is_function else "run"
    place = Place(kind, getattr(graph, "name", ""), plan=plan)
    if any(w.wants_feeds for w in WATCHERS):
        place.given = tuple(feeds)
    return inside(place)
