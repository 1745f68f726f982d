"""Programs as plain data: their nodes, regions, and the graphs of functions they call.

A GraphDef has control flow and calls in another form, and so the names and the order of
other nodes; here each node is what it was, and what ran is what runs again.
"""

import bisect
from typing import Any

from twinflow.base import errors
from twinflow.capsules.lines import Lines
from twinflow.capsules.values import Packer
from twinflow.graph.node import Node
from twinflow.graph.program import Program, regions, walk

_CALLED = ("f", "outputs")  # attributes of calls, which are told apart


class ProgramWriter:
    """Writes programs.

    Args:
        packer: takes values. lines: takes frames.
    Attributes:
        graphs: what was told of each graph; filled by `finish`.
    """

    def __init__(self, packer: Packer, lines: Lines) -> None:
        self.packer, self.lines = packer, lines
        self.graphs: list[dict] = []
        self._wanted: dict = {}  # {graph: {node: whether it is whole}}
        self._called: dict = {}  # {node: (graph, fetches) that it calls}
        self._owned: dict = {}  # {graph: its Regions}
        self._places: dict = {}  # {graph: {node: its number}}

    # ------------------------------------------------------------------ collecting
    def program(self, program: Program) -> dict:
        """Note what a program needs; returns its arguments, to be put by `arguments`.

        They are those of graph.program.build.
        """
        graph, fetches, targets, feeds, effects = program.unchanged.args  # type: ignore[attr-defined]
        known = self._wanted.setdefault(graph, {})
        for part in walk(program.unchanged()):
            self._add(graph, part.nodes)
        for t in (*feeds, *(f for f in fetches if f is not None)):
            known.setdefault(t.op, False)
        for node in targets:
            self._add(graph, [node])
        return dict(
            graph=graph, fetches=fetches, targets=targets, feeds=feeds, effects=effects
        )

    def _add(self, graph: Any, nodes: Any) -> None:
        known = self._wanted[graph]
        for node in nodes:
            if known.get(node):
                continue
            known[node] = True
            for t in node.inputs:
                known.setdefault(t.op, False)
            for region in regions(node):
                self._owned.setdefault(graph, []).append(region)
                self._add(graph, graph.nodes[region.first : region.last])
                for t in (*region.params, *region.results):
                    if t is not None:
                        known.setdefault(t.op, False)
            if hasattr(node.extra, "program"):
                self._called[node] = self._function(node)

    def _function(self, node: Node) -> dict | None:
        try:
            return self.program(node.extra.program(node))
        except (errors.OpError, LookupError):  # no such gradient: it says so if it runs
            return None

    # ------------------------------------------------------------------ writing
    def finish(self) -> None:
        """Number the nodes, and tell of all graphs."""
        for graph, known in self._wanted.items():
            listed = sorted(known, key=lambda n: n.index)
            self._places[graph] = {n: i for i, n in enumerate(listed)}
        order = list(self._wanted)
        self._numbers = {graph: i for i, graph in enumerate(order)}
        self.graphs = [self._graph(g) for g in order]

    def arguments(self, told: dict) -> dict:
        """The arguments of a program as plain data."""
        graph = told["graph"]
        places = self._places[graph]
        return {
            "graph": self._numbers[graph],
            "fetches": [self.tensor(t) for t in told["fetches"]],
            "targets": [places[n] for n in told["targets"]],
            "feeds": [self.tensor(t) for t in told["feeds"]],
            "effects": bool(told["effects"]),
        }

    def node(self, node: Node) -> list[int] | None:
        """[graph, number] of a node that was written."""
        place = self._places.get(node.graph, {}).get(node)
        return None if place is None else [self._numbers[node.graph], place]

    def tensor(self, t: Any) -> list[int] | None:
        """[node, output] of a tensor."""
        if t is None:
            return None
        return [self._places[t.op.graph][t.op], t.value_index]

    def _graph(self, graph: Any) -> dict:
        owned = self._owned.get(graph, [])
        places = {r: i for i, r in enumerate(owned)}
        indices = [n.index for n in self._places[graph]]
        nodes = [
            self._node(n, self._wanted[graph][n], places) for n in self._places[graph]
        ]
        return {
            "name": str(getattr(graph, "name", "") or ""),
            "function": bool(graph.is_function),
            "rewired": bool(graph.state.get("rewired")),
            "nodes": nodes,
            "regions": [self._region(r, places, indices) for r in owned],
        }

    def _region(self, region: Any, places: dict, indices: list[int]) -> dict:
        return {
            "label": region.label,
            "parent": places.get(region.parent),
            "owner": self._places[region.owner.graph][region.owner],
            "params": [self.tensor(t) for t in region.params],
            "results": [self.tensor(t) for t in region.results],
            "first": bisect.bisect_left(indices, region.first),
            "last": bisect.bisect_left(indices, region.last),
        }

    def _node(self, node: Node, whole: bool, places: dict) -> dict:
        value = self.packer.value
        told: dict = {
            "name": node.name,
            "op": node.type,
            "out": [[value(t.dtype), value(t._shape)] for t in node.outputs],
            "frames": self.lines.packed(node.frames),
        }
        if node.region in places:
            told["region"] = places[node.region]
        if not whole:  # its outputs are given: it never runs
            return {**told, "op": "Placeholder", "stub": True}
        origin = node._original_op
        if origin is not None:
            told["forward"] = self.lines.packed(origin.frames)
        home = self._places[node.graph]
        after = [n for n in node.after if n in home]
        told.update(
            inputs=[self.tensor(t) for t in node.inputs], counts=node.counts,
            attrs={k: self._attr(v) for k, v in self._attrs(node).items()},
            types={k: value(v) for k, v in (node.types or {}).items()},
            after=[home[n] for n in after],
            implied=[home[n] for n in after if n in node.implied],
            device=node.device or "",
        )  # fmt: skip
        if node.opdef.engine != node.type:
            told["engine"] = node.opdef.engine
        extra = self._extra(node, places)
        return told if extra is None else {**told, "extra": extra}

    def _attrs(self, node: Node) -> dict:
        hidden = _CALLED if node in self._called else ()
        return {k: v for k, v in node.attrs.items() if k not in hidden}

    def _attr(self, value: Any) -> Any:
        told = self.packer.value
        if hasattr(value, "initialized"):  # a cell of the graph
            return self.packer.cell(value, of_graph=True)
        return told(value)

    def _extra(self, node: Node, places: dict) -> dict | None:
        if node in self._called:
            called = self._called[node]
            return {"call": None if called is None else self._call(called)}
        found = regions(node)
        if not found:
            return None
        told: dict = {"regions": [places[r] for r in found]}
        if node.type == "While":
            extra = node.extra
            told["saved"] = [self.tensor(t) for t in extra.saved]
            told["trips"] = None if extra.trips is None else extra.trips.value_index
            told["capacity"] = extra.capacity
        return told

    def _call(self, called: dict) -> dict:
        places = self._places[called["graph"]]
        return {
            "graph": self._numbers[called["graph"]],
            "outputs": [self.tensor(t) for t in called["fetches"]],
            "inputs": [[places[t.op], t.value_index] for t in called["feeds"]],
        }
