"""A look at a whole graph: what is not used, never runs, or is never taken."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from twinflow.base import nest
from twinflow.base.tensor import ResourceHandle
from twinflow.execute.graph_warnings import updates_of
from twinflow.graph import static
from twinflow.graph.explained_gradient import start_of, with_gradient
from twinflow.graph.node import Node
from twinflow.graph.picture.tree import place_text
from twinflow.graph.program import regions
from twinflow.graph.regions import captured
from twinflow.ops.variables.collections import GraphKeys


class Finding(NamedTuple):
    """One thing that looks wrong: its kind, the node, the user's line, what it is."""

    kind: str
    name: str
    line: str
    text: str


class GraphReport:
    """What looks wrong in a graph; `print` shows it. `findings`: a list of Finding."""

    def __init__(self, findings: list[Finding], nodes: int) -> None:
        self.findings, self.nodes = findings, nodes

    def __str__(self) -> str:
        if not self.findings:
            return f"graph of {self.nodes} nodes: nothing looks wrong"
        rows = [f"graph of {self.nodes} nodes: {len(self.findings)} findings"]
        rows += [f"  {f.kind}: {f.name!r} ({f.line}) {f.text}" for f in self.findings]
        return "\n".join(rows)

    __repr__ = __str__


def look(graph: Any, fetches: Any = None) -> GraphReport:
    """Look at a graph.

    Args:
        fetches: what is run (tensors, operations); with them also what these need not.
    """
    ends = [] if fetches is None else [_node(f) for f in nest.flatten(fetches)]
    needed = _needed(graph, ends)
    found = [
        *_unused_variables(graph), *_unread_placeholders(graph), *_dead_branches(graph),
        *(_missed_updates(graph, needed) if ends else ()),
        *_without_gradient(graph, fetches),
    ]  # fmt: skip
    return GraphReport(found, len(graph.nodes))


def _node(fetch: Any) -> Any:
    if isinstance(fetch, ResourceHandle):
        fetch = fetch.handle if hasattr(fetch, "handle") else fetch
    return fetch if isinstance(fetch, Node) else fetch.op


def _needed(graph: Any, ends: list) -> set:
    """The nodes that run for `ends`, by inputs, control edges and regions."""
    found, stack = set(), list(ends)
    while stack:
        node = stack.pop()
        if node in found:
            continue
        found.add(node)
        stack += [t.op for t in (*node.inputs, *captured(node))]
        stack += node.after
        for r in regions(node):
            stack += [n for n in graph.nodes[r.first : r.last] if n.region is r]
    return found


def _finding(kind: str, node: Any, text: str) -> Finding:
    return Finding(kind, node.name, place_text(node), text)


def _users(graph: Any) -> dict:
    found: dict = {}
    for n in graph.nodes:
        for t in n.inputs:
            found.setdefault(t.op, []).append(n)
    return found


def _unused_variables(graph: Any) -> Iterator[Finding]:
    users = _users(graph)
    for node in graph.nodes:
        if node.type not in ("VarHandleOp", "VariableV2", "Variable"):
            continue
        if not any(_reads(n, node, users) for n in users.get(node, ())):
            yield _finding("unused variable", node, "is made and never used")


def _reads(user: Any, variable: Any, users: dict) -> bool:
    """Whether a node uses a variable for more than to initialize or save it."""
    own = user.name.startswith(variable.name + "/")
    if user.type == "NoOp" or user.name.startswith("save"):
        return False
    if own and user.type in ("Identity", "ReadVariableOp"):
        return any(not u.name.startswith("save") for u in users.get(user, ()))
    return not own


def _unread_placeholders(graph: Any) -> Iterator[Finding]:
    users = _users(graph)
    for node in graph.nodes:
        if node.type == "Placeholder" and node not in users:
            yield _finding("unused placeholder", node, "is fed for nobody")


def _dead_branches(graph: Any) -> Iterator[Finding]:
    for node in graph.nodes:
        if node.type != "If" or node._original_op is not None:
            continue
        value = static.constant_value(node.inputs[0])
        if value is not None:
            side = "false" if bool(value) else "true"
            yield _finding(
                "dead branch", node, f"the predicate is always {bool(value)}: the "
                f"branch for {side} never runs",
            )  # fmt: skip


def _missed_updates(graph: Any, needed: set) -> Iterator[Finding]:
    for node in dict.fromkeys(updates_of(graph)):
        if node not in needed:
            yield _finding(
                "update never runs", node, "is among UPDATE_OPS, and what is run does "
                "not depend on it; make the training op with "
                "tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS))",
            )  # fmt: skip


def _without_gradient(graph: Any, fetches: Any) -> Iterator[Finding]:
    losses = [
        t for t in nest.flatten([] if fetches is None else fetches)
        if hasattr(t, "dtype") and t.dtype.is_floating and hasattr(t, "value_index")
    ]  # fmt: skip
    losses += graph.collections.get(GraphKeys.LOSSES, ())
    variables = graph.collections.get(GraphKeys.TRAINABLE_VARIABLES, ())
    reached = with_gradient(losses)
    for v in variables if losses else ():
        if start_of(v) not in reached:
            node = v.op if hasattr(v, "op") else v.handle.op
            yield _finding(
                "no gradient", node, "is trainable, and no gradient goes from the loss "
                "to it: tf.explain(loss, variable) says why",
            )  # fmt: skip
