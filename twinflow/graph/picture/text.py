"""A graph as a text tree, folded by name scope."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.graph.picture.fold import fold
from twinflow.graph.picture.tree import (
    MOST_NUMBERS,
    VARIABLES,
    Item,
    Tree,
    kind_text,
    number_text,
    place_text,
)
from twinflow.graph.program import regions

MOST_LINES = 60
_WIDTH = 72  # where the user's lines begin, at the least


def tree_text(graph: Any, most: int = MOST_LINES) -> str:
    """The nodes of a graph, scopes as branches; what is too much is counted.

    Args:
        graph: a Graph. most: about how many lines there may be.
    """
    tree = Tree(graph)
    fold(tree, most)
    rows = [(summary(graph), "")]
    for item in tree.root.items:
        rows += _rows(item, 1, tree)
    width = min(_WIDTH, max(len(a) for a, b in rows if b or len(rows) == 1) + 2)
    return "\n".join(f"{a:<{width}}  {b}" if b else a for a, b in rows)


def summary(graph: Any) -> str:
    """How many nodes, variables and inputs a graph has, in a line."""
    nodes = graph.nodes
    variables = [n for n in nodes if "shape" in n.attrs and _is_variable(n)]
    inputs = sum(n.type == "Placeholder" and n.region is None for n in nodes)
    parts = [_number(len(nodes), "node")]
    if variables:
        shapes = [
            getattr(n.attrs["shape"], "tuple", n.attrs["shape"]) for n in variables
        ]
        known = [s for s in shapes if s is not None and None not in s]
        size = sum(int(np.prod(s, dtype=np.int64)) for s in known)
        parts.append(f"{_number(len(variables), 'variable')} of {size:,} numbers")
    if inputs:
        parts.append(_number(inputs, "input"))
    title = f"function {graph.name}" if getattr(graph, "name", None) else "graph"
    return f"{title}: {', '.join(parts)}"


def _is_variable(node: Any) -> bool:
    return node.type in VARIABLES


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}{'s'[: n != 1]}"


def _rows(item: Item, depth: int, tree: Tree) -> Iterator[tuple]:
    pad = "  " * depth
    if item.shown and item.items:
        where = place_text(item.node)
        yield f"{pad}{_title(item)}:", where
        for inner in item.items:
            yield from _rows(inner, depth + 1, tree)
    else:
        yield pad + _line(item, tree), place_text(item.node)


def _title(item: Item) -> str:
    if item.kind == "scope":
        return f"{item.name}/"
    node: Any = item.node
    if item.kind == "flow":
        return f"{item.name} = {node.type}"
    if item.kind == "call":
        return f"{item.name} = call of {node.attrs['f'].name}"
    return item.name or "ops of one line"


def _line(item: Item, tree: Tree) -> str:
    node: Any = item.node
    tensor: Any = item.tensor
    if item.kind == "output":
        return f"-> {item.name}: {_shown(tensor, item, tree)}"
    kind = kind_text(tensor)
    if item.items:
        inside = f"{_number(item.count, 'node')} inside"
        kind = kind and f" -> {kind}"
        return f"{_title(item)}  ({inside}){kind}"
    if item.kind == "constant":
        return f"{item.name} = Const: {kind}"
    if item.kind in ("variable", "input"):
        what = "variable" if item.kind == "variable" else "input"
        return f"{item.name} = {what}: {item.detail or kind}"
    args = ", ".join(_shown(t, item, tree) for t in node.inputs[:6])
    more = ", ..." if len(node.inputs) > 6 else ""
    found = f"{item.name} = {node.type}({args}{more})"
    return f"{found}: {kind}" if kind else found


def _shown(t: Any, user: Item, tree: Tree) -> str:
    """A tensor as those in the scope of its `user` call it."""
    node = t.op
    if node.type == "Const":
        small = node.attrs["value"].size <= MOST_NUMBERS
        return number_text(node) if small else f"<{kind_text(t)}>"
    item = tree.home.get(node)
    if item is None:
        return node.name
    owner = item.node
    if owner is not None and owner is not node and regions(owner):
        t = node.inputs[0]  # an Exit or a Merge behind it
    around = set(user.around())
    parts = [i.name for i in item.path() if i not in around and i.kind != "lines"]
    name = "/".join(parts)
    return f"{name}:{t.value_index}" if t.value_index else name
