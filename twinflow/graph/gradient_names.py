"""The names of gradients: what TensorFlow calls the last node of each gradient.

The rules are written once for every mode and leave out what does nothing, such as
reshaping to the shape that is there; programs still find a gradient under its name,
which stands in the op's block (`grad_names`).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import Node


def name_of(node: Any, place: int) -> str | None:
    """What TensorFlow calls the gradient of input `place` of `node`, or None."""
    names = node.opdef.grad_names
    names = names(node) if callable(names) else names
    return names[place] if place < len(names) else None


def rename(graph: "Graph", node: "Node", name: str) -> None:
    """Give a node another name in its scope, if that is free."""
    full = node.name.rpartition("/")[0] + "/" + name
    if full in graph.by_name:
        return
    del graph.by_name[node.name]
    node.name = full
    graph.by_name[full] = node
    graph.used_names.setdefault(full.lower(), 1)
