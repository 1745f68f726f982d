"""What must be computed alike in all processes that train in step.

Note [In step]: each process has its own copies of the variables, which stay the same
because all of them get the same bits (Note [Processes]) and then do the same. But
compiled and interpreted numbers agree to rounding only, and each process would change
over when its own timing says so: the copies would drift apart, by a bit at a time. So
what writes variables with values that processes gave each other is compiled at its
first call, in all of them. What comes before, each from its own data, may differ.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from twinflow.base import processes

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program

_GIVEN = frozenset((
    "TwinProcessReduce", "TwinProcessGather", "TwinProcessBroadcast",
    "TwinProcessBroadcastGrad", "TwinProcessShare",
))  # fmt: skip


def given_by_processes(program: "Program") -> frozenset:
    """The tensors that depend on what processes give each other."""
    nodes = program.nodes
    if processes.size() == 1 or not any(n.type in _GIVEN for n in nodes):
        return frozenset()
    found: set = set()
    for node in nodes:
        given = any(program.resolve(t) in found for t in node.inputs)
        if given or node.type in _GIVEN:
            found.update(node.outputs)
    return frozenset(found)


def is_in_step(
    nodes: "Iterable[Node]", inputs: "Iterable[GraphTensor]", given: frozenset
) -> bool:
    """Whether a cluster with such inputs writes variables in step with others."""
    if given.isdisjoint(inputs):
        return False
    return any(n.opdef.step and n.opdef.writes_cell for n in nodes)
