"""What a notebook shows of graphs, their nodes and tensors; see Note [Cards]."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow import drawing
from twinflow.graph.picture.picture import picture_of_graph
from twinflow.graph.picture.text import summary
from twinflow.graph.picture.tree import VARIABLES, kind_text, place_text
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.drawing.cards import Markup
    from twinflow.graph.node import GraphTensor, Node

_MOST_NODES = 20_000  # of a graph that is drawn
_INPUTS = ("Placeholder", "PlaceholderWithDefault")


def graph_card(graph: Any) -> "Markup":
    """A Graph: a picture, inputs, variables, results, ops by type, what is nested."""
    return drawing.card(summary(graph), *graph_parts(graph))


def graph_parts(graph: Any) -> "list[Markup]":
    """What stands in the card of a graph."""
    nodes = list(graph.nodes)
    if not nodes:
        return []
    ends = list(_ends(graph, nodes))
    types = Counter(n.type for n in nodes)
    inner = list(_nested(nodes))
    return [
        drawing.folded("picture", *_drawn(graph, nodes), shown=True),
        _part("inputs, variables and results", ends, ("", "name", "kind", "line")),
        _part("ops by type", types.most_common(), ("op", "nodes"), (1,)),
        _part("loops, branches and functions", inner, ("op", "name", "holds", "nodes")),
    ]  # fmt: skip


def _part(title: str, rows: list, head: tuple, numbers: tuple = ()) -> "Markup":
    if not rows:
        return drawing.folded(title)
    found = drawing.table(rows, head, numbers, 40)
    return drawing.folded(f"{title} ({len(rows)})", found)


def _drawn(graph: Any, nodes: list) -> "Iterator[Markup]":
    if len(nodes) <= _MOST_NODES:
        yield drawing.Markup(picture_of_graph(graph).plain())


def _ends(graph: Any, nodes: list) -> Iterator[tuple]:
    for node in nodes:
        what = "variable" if node.type in VARIABLES else "input"
        if node.region is None and (node.type in _INPUTS or node.type in VARIABLES):
            kind = kind_text(node.outputs[0])
            yield what, node.name, kind, place_text(node, True)
    for t in getattr(graph, "outputs", ()):
        yield "result", t.name, kind_text(t), place_text(t.op, True)


def _nested(nodes: list) -> Iterator[tuple]:
    """(op, name, what it holds, how many nodes are in it) of control flow and calls."""
    inside = Counter(id(n.region) for n in nodes if n.region is not None)
    for node in nodes:
        for region in regions(node):
            yield node.type, node.name, region.label, inside[id(region)]
        called = getattr(node.extra, "graph", None)
        if called is not None:
            yield node.type, node.name, f"function {called.name}", len(called.nodes)


def tensor_card(tensor: "GraphTensor") -> "Markup":
    """A tensor of a graph: what gives it, from what, and where; nothing is run."""
    node = tensor.op
    return drawing.card(repr(tensor), drawing.table(_facts(node)))


def node_card(node: "Node") -> "Markup":
    """A node of a graph: its attributes, what it takes and gives, and its line."""
    gives = [(t.name, kind_text(t)) for t in node.outputs]
    return drawing.card(
        repr(node), drawing.table(_facts(node)),
        drawing.folded("results", drawing.table(gives), shown=True) if gives else "",
    )  # fmt: skip


def _facts(node: "Node") -> Iterator[tuple]:
    yield "op", f"{node.type} {node.name}"
    for t in node.inputs[:8]:
        yield "takes", f"{t.name}  {kind_text(t)}"
    if len(node.inputs) > 8:
        yield "", f"… and {len(node.inputs) - 8} more"
    if node.device:
        yield "device", node.device
    if place := place_text(node, True):
        yield "line", place
