"""Parts of a graph as GraphDefs: their nodes, and stand-ins for what they take."""

from collections.abc import Iterable, Iterator
from typing import Any

from twinflow.base import errors
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_proto
from twinflow.graph.graph_def import library
from twinflow.graph.graph_def.export import node_defs, versions
from twinflow.graph.program import regions
from twinflow.graph.v1.write import Writer
from twinflow.remote.worker import KEPT, RECEIVED, SENDER


class Slices:
    """The NodeDefs of one graph, for parts of it.

    Args:
        graph: the Graph, which must not grow meanwhile.
    """

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._writer = Writer(graph, node_defs)
        self._parts = {n: self._writer.parts(n) for n in graph.nodes}

    def text(self, t: Any) -> str:
        """How NodeDefs call a tensor."""
        return self._writer.ref(t, None, "")

    def name(self, t: Any) -> str:
        """The name of a tensor in a GraphDef, with its number."""
        text = self.text(t)
        return text if ":" in text else f"{text}:0"

    def graph_def(
        self, nodes: Iterable, feeds: Iterable, same: dict, awaited: dict
    ) -> Any:
        """The GraphDef of nodes.

        Args:
            nodes: the nodes. feeds: the tensors that are given to them; `stand_in` says
                what stands for each. same: {tensor: one that stands for it}.
            awaited: {tensor: the task that keeps it}.
        """
        found = protos.GraphDef(versions=versions(self._graph))
        texts = {self.text(t): self.text(s) for t, s in same.items()}
        for t in (*feeds, *awaited):
            texts[self.text(t)] = name = self.stand_in(t)
            node = _placeholder(name, t)
            if t in awaited:
                node.attr["tensor_name"].s = name.encode()
                node.attr[SENDER].s = awaited[t].encode()
            found.node.append(node)
        members = [m for n in nodes for m in _inside(n)]
        made = [d for n in members for d in self._parts[n]]
        names = {d.name for d in made} | {n.name for n in found.node}
        found.node.extend(_cut(d, names, texts) for d in made)
        library.fill(found.library, members, node_defs)
        for defined in self._graph._functions.values():
            library.add(found.library, defined)
        return found

    def sends(self, kept: Iterable) -> Iterator[Any]:
        """NodeDefs that say which tensors are kept for other tasks."""
        for t in kept:
            key = self.stand_in(t)
            found = protos.NodeDef(name=f".send/{key}", op=KEPT, input=[self.text(t)])
            found.attr["tensor_name"].s = key.encode()
            yield found

    def stand_in(self, t: Any) -> str:
        """The name of the placeholder of a tensor."""
        name, _, index = self.text(t).partition(":")
        return f"{RECEIVED}{name}/{index or 0}"


def slices_of(graph: Any) -> Slices:
    """The Slices of a graph as it is now."""
    size, found = graph.state.get("slices", (0, None))
    if found is None or size != len(graph.nodes):
        found = Slices(graph)
        graph.state["slices"] = len(graph.nodes), found
    return found


def name_of(t: Any) -> str:
    """The name of a tensor in the GraphDef of its graph."""
    return slices_of(t.graph).name(t) if regions(t.op) else t.name


def _inside(node: Any) -> Any:
    """A node and those in its regions."""
    yield node
    for r in regions(node):
        for n in node.graph.nodes[r.first : r.last]:
            if n.region is r:
                yield from _inside(n)


def _placeholder(name: str, t: Any) -> Any:
    found = protos.NodeDef(name=name, op="Placeholder")
    found.attr["dtype"].type = t.dtype.base_dtype.as_datatype_enum
    found.attr["shape"].shape.CopyFrom(shape_proto(t._shape))
    return found


def _cut(node_def: Any, names: set, texts: dict) -> Any:
    """A NodeDef that takes nothing from outside of its part."""
    found = protos.NodeDef()
    found.CopyFrom(node_def)
    found.device = ""
    found.attr.pop("_class", None)
    del found.input[:]
    for text in node_def.input:
        text = texts.get(text.removesuffix(":0"), text)
        name = text.removeprefix("^").partition(":")[0]
        if name in names:
            found.input.append(text)
        elif not text.startswith("^"):
            raise errors.InternalError(
                None, None, f"{node_def.name} takes {text} of another task."
            )
    return found
