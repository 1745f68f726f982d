"""How long values live in the interpreter.

Note [Lifetimes]: a value is let go of by the last step that reads it, or by the one
that made it where none does; so a graph needs no more memory at a time than the same
program run eagerly. Kept are fetches, what is known before the run, and, inside a
region or a cluster, what belongs outside. A step with steps inside (a branch, a loop, a
call, a cluster) is told which of the values outside nothing reads after it: the last
step inside that reads one lets go of it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Assembler, Step
    from twinflow.graph.program import Program


def set_frees(steps: "list[Step]", values: list, kept: Any) -> None:
    """Say for each step which slots nothing reads after it.

    Args:
        steps: in the order in which they run.
        values: the list of values before the run: what is there stays.
        kept: the slots whose values have to outlive the steps.
    """
    needed = {*kept, *(i for i, value in enumerate(values) if value is not None)}
    for step in reversed(steps):
        step.frees = tuple(s for s in dict.fromkeys(step.touched) if s not in needed)
        needed.update(step.frees)
        if step.inner is not None:
            step.inner(step.frees)


class RegionRun:
    """The steps of a region, run with the list of values of the program around it.

    Args:
        asm: the Assembler. body: the Program of the region.
        steps: its steps. results: the slots whose values it gives.
    Attributes:
        outer: the slots that belong to the program around it. own: those of its results
            that it makes.
    """

    def __init__(
        self, asm: "Assembler", body: "Program", steps: "list", results: list
    ) -> None:
        self.steps, self.values, self.results = steps, asm.values, results
        slots = asm.slots
        self.outer = {slots[t] for t in body.outer_inputs() if t in slots}
        known = {s for s in results if asm.values[s] is not None}
        self.own = [s for s in results if s not in self.outer | known]
        self.let_go(())

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Note which slots around the region nothing reads after it."""
        kept = self.outer.difference(dying).union(self.results)
        set_frees(self.steps, self.values, kept)


def clear(values: list, slots: Sequence) -> None:
    """Let go of the values at `slots`."""
    for slot in slots:
        values[slot] = None
