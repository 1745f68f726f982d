"""The updates of an optimizer that follow each other, as one step (native/updates.c).

What it does not take (a variable without a value, a shape that does not fit) goes to
the steps of the nodes, one by one, which also know the words of errors.
"""

from collections.abc import Callable
from operator import is_, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from twinflow.base import native
from twinflow.execute.interpreter import Step, execute
from twinflow.execute.lifetimes import set_frees
from twinflow.graph.program import plain_inputs
from twinflow.ops.variables.training import adam_rates
from twinflow.ops.variables.training_lists import (
    ADAPT,
    DESCEND,
    LOOK_AHEAD,
    MOST,
    ROLL,
    floats,
    renew,
)

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Assembler
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program

_Plain: Any = native.fast.Plain if hasattr(native.fast, "updated") else None


class _Form(NamedTuple):
    """The places of the inputs of an op, and how its numbers are found."""

    cells: slice
    grad: int
    numbers: tuple[int, ...]
    floats: Callable


def _given(numbers: list, dtype: np.dtype) -> tuple | None:
    return floats(*[n.dtype.type(n) for n in numbers])


def _rates(numbers: list, dtype: np.dtype) -> tuple | None:
    return adam_rates([n.dtype.type(n) for n in numbers], dtype)


_FORMS = {
    "ResourceApplyGradientDescent": _Form(slice(1), 2, (1,), _given),
    "ResourceApplyMomentum": _Form(slice(2), 3, (2, 4), _given),
    "ResourceApplyAdam": _Form(slice(3), 9, (3, 4, 5, 6, 7, 8), _rates),
}
_RULES = {
    "ResourceApplyGradientDescent": (DESCEND, DESCEND),
    "ResourceApplyMomentum": (ROLL, LOOK_AHEAD),
    "ResourceApplyAdam": (ADAPT, None),
}


def _picked(slots: list[int]) -> Callable[[list], tuple]:
    """A function of the values, which gives those at the slots."""
    if len(slots) > 1:
        return itemgetter(*slots)
    return lambda v: (v[slots[0]],)


class Updates:
    """Runs the steps of several updates.

    Args:
        rule: see training_lists. steps: theirs. asm: the Assembler that made them.
    """

    def __init__(self, rule: int, steps: list[Step], asm: "Assembler") -> None:
        form = _FORMS[steps[0].node.type]
        self.rule, self.steps, self.values = rule, steps, asm.values
        self.floats = form.floats
        self.cells = _picked([i for s in steps for i in s.ins[form.cells]])
        self.grads = _picked([s.ins[form.grad] for s in steps])
        self.numbers = [steps[0].ins[i] for i in form.numbers]
        self.apart: tuple = ()  # cells, of which no two are the same
        self.seen: tuple = ([], None, None)  # numbers, a dtype and what they come to

    def __call__(self, v: list) -> None:
        """Update the variables."""
        cells, grads = self.cells(v), self.grads(v)
        done: list = []
        if cells != self.apart and len(set(cells)) == len(cells):
            self.apart = cells
        if cells == self.apart and type(grads[0]) is np.ndarray:
            numbers = self._floats([v[i] for i in self.numbers], grads[0].dtype)
            done = [] if numbers is None else renew(self.rule, numbers, cells, grads)
        if not done or False in done:
            del cells, grads
            execute([s for i, s in enumerate(self.steps) if not (done and done[i])], v)

    def _floats(self, given: list, dtype: np.dtype) -> tuple | None:
        """What the numbers come to, which mostly are those of the last run."""
        seen, kind, found = self.seen
        if kind is not dtype or not all(map(is_, seen, given)):
            found = self.floats(given, dtype)
            if not any(getattr(n, "base", None) is not None for n in given):
                self.seen = given, dtype, found
        return found

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Let the steps let go of these values (Note [Lifetimes])."""
        touched = {i for s in self.steps for i in s.touched}
        set_frees(self.steps, self.values, touched.difference(dying))


def joined(steps: list[Step], asm: "Assembler", program: "Program") -> list[Step]:
    """The steps with those updates as one that follow each other."""
    if _Plain is None:
        return steps
    found: list[Step] = []
    group: list[Step] = []
    kind: Any = None
    size = 0
    for step in steps:
        own = _kind(step, program)
        if own is None or own != kind or size >= MOST:
            found += _one(group, kind, asm)
            group, kind, size = [], own, 0
        group.append(step)
        size += 0 if own is None else _size(step.node)
    return found + _one(group, kind, asm)


def _kind(step: Step, program: "Program") -> tuple | None:
    """What steps have in common that are done in one, or None."""
    node = step.node
    form = _FORMS.get(node.type)
    if form is None or type(step.run) is not _Plain or not node.attrs.get("shape"):
        return None
    rule = _RULES[node.type][bool(node.attrs.get("use_nesterov"))]
    by_name = any(program.reference(t) is not None for t in plain_inputs(node))
    if rule is None or by_name or None in node.attrs["shape"]:
        return None
    numbers = tuple(step.ins[i] for i in form.numbers)
    return rule, numbers, node.inputs[form.grad].dtype


def _size(node: "Node") -> int:
    count = 1
    for n in node.attrs["shape"]:
        count *= n
    return count


def _one(group: list[Step], kind: tuple | None, asm: "Assembler") -> list[Step]:
    """A group as one step; as it is where it is none."""
    if kind is None or not group:
        return group
    ins = list(dict.fromkeys(i for s in group for i in s.ins))
    touched = [i for s in group for i in s.touched]
    return [Step(Updates(kind[0], group, asm), group[0].node, ins, touched)]
