"""The nodes of a GraphDef by their names, and who takes what."""

import collections
from collections.abc import Callable, Iterable
from typing import Any

from twinflow.formats import protos


def name_of(text: str) -> str:
    """The name of the node that an input names."""
    return text.removeprefix("^").partition(":")[0]


def by_name(graph_def: Any) -> dict[str, Any]:
    """{name: NodeDef}"""
    return {n.name: n for n in graph_def.node}


def users(graph_def: Any) -> dict[str, list]:
    """{name of a node: the NodeDefs that take from it or wait for it}"""
    found: dict[str, list] = collections.defaultdict(list)
    for node in graph_def.node:
        for name in dict.fromkeys(map(name_of, node.input)):
            found[name].append(node)
    return found


def with_nodes(graph_def: Any, nodes: Iterable) -> Any:
    """A GraphDef of other nodes, with the library and versions of one."""
    found = protos.GraphDef(library=graph_def.library, versions=graph_def.versions)
    found.node.extend(nodes)
    return found


def each(change: Callable) -> Callable:
    """The transform that changes copies of single nodes: `change(node, options)`."""

    def transform(graph_def: Any, inputs: Any, outputs: Any, options: Any) -> Any:
        found = with_nodes(graph_def, graph_def.node)
        for node in found.node:
            change(node, options)
        return found

    return transform


def needed(graph_def: Any, outputs: Iterable[str], stop: Iterable[str] = ()) -> set:
    """The names of what some nodes need; what those of `stop` take is not needed."""
    nodes, ends, seen = by_name(graph_def), set(stop), set()
    waiting = [name_of(o) for o in outputs]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in nodes:
            continue
        seen.add(name)
        if name not in ends:
            waiting += map(name_of, nodes[name].input)
    return seen


def redirected(nodes: Iterable, places: dict[str, str]) -> list:
    """Copies of nodes that take others: {text of an input: text that it becomes}.

    Control inputs follow the nodes of plain ones; those that come twice go.
    """
    found = []
    for node in nodes:
        made = protos.NodeDef()
        made.CopyFrom(node)
        texts = [_final(text, places) for text in node.input]
        data = [t for t in texts if t[0] != "^"]
        waits = dict.fromkeys(t for t in texts if t[0] == "^")
        made.input[:] = [*data, *waits]
        found.append(made)
    return found


def _final(text: str, places: dict[str, str]) -> str:
    """Where an input leads at last."""
    while True:
        if text[0] == "^":
            if text[1:] not in places:
                return text
            text = "^" + name_of(places[text[1:]])
            continue
        key = text.removesuffix(":0")
        if key not in places:
            return text
        text = places[key]
