"""Collective ops in the interpreter: each member sees what all of its group are given.

Note [Groups]: the members of a collective op are nodes of one run, on devices that are
all this process. A program puts each of them after the inputs of all (graph.program),
so that none has to wait for another, and each computes the result from all the inputs.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.base.errors import invalid
from twinflow.execute.interpreter import Assembler, special_steps
from twinflow.graph.program import COLLECTIVE

if TYPE_CHECKING:
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program

_MERGE = {
    "Add": np.add, "Mul": np.multiply, "Min": np.minimum, "Max": np.maximum,
}  # fmt: skip


def _step(asm: Assembler, node: "Node", program: "Program") -> Callable:
    members = sorted(program.groups[node], key=lambda n: n.index)
    ins = [asm.slot(t, program) for t in program.of_group(members[0])]
    (out,) = (asm.place(t, program) for t in node.outputs)
    size = node.attrs["group_size"]

    def run(v: list) -> None:
        if len(members) != size:
            raise invalid(
                f"Collective op {node.name} is of a group of {size}, but this run has "
                f"{len(members)} of its members: fetch all of them at once"
            )
        if not ins:
            raise invalid(f"No member of the group of {node.name} sends a value")
        v[out] = _reduced([v[i] for i in ins], node.attrs)

    return run


def _reduced(values: list, attrs: dict) -> Any:
    """What a group gives: the one value that is sent, or all values as one."""
    if "merge_op" not in attrs:
        return values[0]
    shapes = {np.shape(value) for value in values}
    if len(shapes) > 1:
        raise invalid(f"The inputs of a collective op have different shapes: {shapes}")
    merge, total = _MERGE[attrs["merge_op"]], values[0]
    for value in values[1:]:
        total = merge(total, value)
    return _divided(total, len(values)) if attrs["final_op"] == "Div" else total


def _divided(total: Array, count: int) -> Array:
    kind = np.asarray(total).dtype
    whole = kind.kind in "iu"
    return (np.floor_divide if whole else np.divide)(total, kind.type(count))


for _kind in COLLECTIVE:
    special_steps[_kind] = _step
