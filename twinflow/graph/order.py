"""Control dependencies: what the nodes of a block wait for.

Note [Control edges]: a node keeps everything that its blocks name in `after`, for the
passes may take away the inputs through which it would have to wait. `implied` are those
that its inputs wait for anyway: programs and GraphDefs see the rest.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinflow.graph.node import Node


class ControlScope:
    """One `control_dependencies` block of a graph.

    Attributes:
        nodes: what its nodes wait for. made: the nodes made in it so far.
    """

    __slots__ = ("made", "nodes")

    def __init__(self, nodes: Any) -> None:
        self.nodes = nodes
        self.made: set = set()


def order_of(node: "Node", scopes: tuple[ControlScope, ...]) -> Any:
    """(all nodes that `node` waits for, those implied by its inputs).

    Args:
        node: a new node. scopes: the ControlScopes around it, the outermost first.
    """
    inputs = {t.op for t in node.inputs}
    after: dict = {}
    shown: set = set()
    for scope in scopes:
        after.update(dict.fromkeys(scope.nodes))
        if scope.made.isdisjoint(inputs):
            shown.update(n for n in scope.nodes if n not in inputs)
        scope.made.add(node)
    return tuple(after), frozenset(n for n in after if n not in shown)
