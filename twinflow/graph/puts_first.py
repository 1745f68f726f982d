"""What a run puts into queues comes before what it takes out of them.

A run is one thread, where TensorFlow's has many: what waits for a queue must not keep
from running what fills it, or what fails and so ends the run.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twinflow.graph.node import Node

_TAKES = frozenset((
    "QueueDequeue", "QueueDequeueMany", "QueueDequeueUpTo", "BarrierTakeMany",
    "AccumulatorTakeGradient", "SparseAccumulatorTakeGradient", "Unstage", "StagePeek",
    "MapUnstage", "MapUnstageNoKey", "MapPeek", "OrderedMapUnstage",
    "OrderedMapUnstageNoKey", "OrderedMapPeek",
))  # fmt: skip
_PUTS = frozenset((
    "QueueEnqueue", "QueueEnqueueMany", "QueueClose", "BarrierInsertMany",
    "BarrierClose", "AccumulatorApplyGradient", "SparseAccumulatorApplyGradient",
    "Stage", "MapStage", "OrderedMapStage", "Assert", "CheckNumerics",
))  # fmt: skip


def _is_of(node: "Node", kinds: frozenset) -> bool:
    return node.type.removesuffix("V2") in kinds


def puts_first(nodes: "list[Node]", needs: "dict[Node, list]") -> "list[Node]":
    """Nodes that run in this order, with each put before the takes that it does not
    wait for.

    Args:
        needs: the nodes that come before a node.
    """
    first = next((i for i, n in enumerate(nodes) if _is_of(n, _TAKES)), None)
    if first is None:
        return nodes
    behind: set = set()  # a take
    ahead: set = set()
    for node in nodes[first:]:
        if _is_of(node, _TAKES) or not behind.isdisjoint(needs[node]):
            behind.add(node)
        elif _is_of(node, _PUTS):
            ahead.add(node)
    if not ahead:
        return nodes
    for node in reversed(nodes[first:]):
        if node in ahead:
            ahead.update(needs[node])
    rest = nodes[first:]
    moved = [n for n in rest if n in ahead]
    return [*nodes[:first], *moved, *(n for n in rest if n not in ahead)]
