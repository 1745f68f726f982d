"""Cond and While in the interpreter."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.annotations import Array
from twinflow.execute.dead_tensors import side_slots
from twinflow.execute.interpreter import execute, special_steps
from twinflow.execute.lifetimes import RegionRun, clear
from twinflow.execute.stacks import Blank, Stack
from twinflow.graph.while_node import capacity_for
from twinflow.ops.core.flow import NOTHING

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Assembler
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program


class _Branch:
    """A branch of a conditional: its steps, and the slots of what it gives."""

    def __init__(self, asm: "Assembler", node: "Node", body: "Program") -> None:
        steps = asm.assemble(body.nodes, body)
        found, reads = asm.results(body.fetches, body)
        pairs = zip(found, node.outputs, strict=False)
        self.results = [_blank(asm, t) if r is None else r for r, t in pairs]
        self.region = RegionRun(asm, body, steps + reads, self.results)


class _Cond:
    """The step of a conditional."""

    def __init__(self, asm: "Assembler", node: "Node", program: "Program") -> None:
        self.pred = asm.slot(node.inputs[0], program)
        outs = [asm.slot(t, program) for t in node.outputs]
        bodies = (program.bodies[r] for r in node.extra.regions)
        self.branches = [_Branch(asm, node, body) for body in bodies]
        self.parts = [branch.region for branch in self.branches]
        self.outs = outs[: min(len(b.results) for b in self.branches)]

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Let the branches let go of these values (Note [Lifetimes])."""
        for branch in self.branches:
            branch.region.let_go(dying)

    def __call__(self, v: list) -> None:
        p = v[self.pred]
        if np.ndim(p):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"The predicate of a cond must be a scalar, got shape {p.shape}",
            )
        branch = self.branches[0 if p else 1]
        execute(branch.region.steps, v)
        for o, r in zip(self.outs, branch.results, strict=False):
            v[o] = v[r]
        clear(v, branch.region.own)


def _blank(asm: "Assembler", t: "GraphTensor") -> int:
    """A slot with zeros for a value that only the other branch gives."""
    slot = asm.new_slot()
    blank = np.zeros([d or 0 for d in t._shape or ()], t.dtype.np).view(Blank)
    asm.values[slot] = NOTHING if t.dtype is dtypes.flow else blank
    return slot


class _While:
    """The step of a loop.

    Attributes:
        first: the slots of the first values. params: those of the values of an
            iteration, in the test and in the body. results: those of its results.
        saved: those of what is kept of each iteration; stacks: the tensors there.
        parts: the RegionRuns of the test and the body.
        ended: the slots around it that nothing reads once the loop has begun.
    """

    def __init__(self, asm: "Assembler", node: "Node", program: "Program") -> None:
        extra = self.extra = node.extra
        cond, body = (program.bodies[r] for r in extra.regions)
        n = len(node.inputs)
        self.first = [asm.slot(t, program) for t in node.inputs]
        self.params = [[asm.slot(p, b) for p in b.feeds] for b in (cond, body)]
        steps = [asm.assemble(b.nodes, b) for b in (cond, body)]
        (self.test,), reads = asm.results(cond.fetches[:1], cond)
        self.cond = RegionRun(asm, cond, steps[0] + reads, [self.test])
        found, reads = asm.results(body.fetches, body)
        self.results = found[:n]
        kept = [i for i, t in enumerate(body.fetches) if i >= n and t is not None]
        self.stacks = [body.fetches[i] for i in kept]
        self.saved = [found[i] for i in kept]
        given = [*self.results, *self.saved]
        self.body = RegionRun(asm, body, steps[1] + reads, given)
        self.parts = [self.cond, self.body]
        self.tail = extra.trips is not None
        places = [*range(n), *([n, *(i + 1 for i in kept)] if self.tail else [])]
        self.outs = [asm.slot(node.outputs[i], program) for i in places]
        self.ended: tuple = ()

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Let go of first values that no iteration reads (Note [Lifetimes])."""
        taken = self.cond.outer | self.body.outer
        self.ended = tuple(s for s in dying if s in self.first and s not in taken)

    def __call__(self, v: list) -> None:
        state = [v[i] for i in self.first]
        clear(v, self.ended)
        stacks = [Stack(t, self.extra.capacity) for t in self.stacks]
        trips = 0
        while self._goes_on(v, state):
            _put(v, self.params[1], state)
            state = []  # the body lets go of what it has read
            execute(self.body.steps, v)
            state = [v[i] for i in self.results]
            for stack, i in zip(stacks, self.saved, strict=True):
                stack.push(v[i])
            clear(v, self.params[1])
            clear(v, self.body.own)
            trips += 1
        self.extra.capacity = max(self.extra.capacity, capacity_for(trips))
        tail = [np.int32(trips)] if self.tail else []
        _put(v, self.outs, [*state, *tail, *(s.whole() for s in stacks)])

    def _goes_on(self, v: list, state: list) -> Array | np.generic:
        _put(v, self.params[0], state)
        execute(self.cond.steps, v)
        found = v[self.test]
        clear(v, self.params[0])
        clear(v, self.cond.own)
        return found


def _put(v: list, slots: Any, values: Any) -> None:
    for slot, value in zip(slots, values, strict=True):
        v[slot] = value


def _merge_step(asm: "Assembler", node: "Node", program: "Program") -> Callable:
    """A Merge looks at no shapes: some of its inputs are dead."""
    ins = [asm.slot(t, program) for t in node.inputs]
    outs = [asm.place(t, program) for t in node.outputs]
    kernel = node.opdef.np

    def run(v: Any) -> None:
        _put(v, outs, kernel([v[i] for i in ins]))

    return run


def _ref_switch_step(asm: "Assembler", node: "Node", program: "Program") -> Callable:
    """A RefSwitch only says which side is there."""
    pred, sides = asm.slot(node.inputs[1], program), side_slots(asm, node)

    def run(v: list) -> None:
        _put(v, sides, (not v[pred], bool(v[pred])))

    return run


special_steps["RefSwitch"] = _ref_switch_step
special_steps["Merge"] = special_steps["RefMerge"] = _merge_step
special_steps["If"] = _Cond
special_steps["While"] = _While
