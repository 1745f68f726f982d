"""The nodes of one GraphDef, made one after the other."""

import heapq
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base.frames import user_frames
from twinflow.base.op import Op
from twinflow.base.op_lookup import known_op
from twinflow.base.tensor import Tensor
from twinflow.base.versions import GRAPH_DEF_VERSION
from twinflow.formats import protos
from twinflow.formats.attr_values import to_proto
from twinflow.graph.graph_def import checks, made, newer, newer_built, old, revived
from twinflow.graph.graph_def.export import merge_versions
from twinflow.graph.graph_def.library_function import with_library
from twinflow.graph.graph_def.node_checks import NodeChecks
from twinflow.graph.graph_def.own import op_def
from twinflow.graph.graph_def.plain import PlainNodes

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.v1.recover import Whole


class Importer:
    """One import; see Note [Importing control flow] in graph.graph_def.import_def.

    Args:
        graph: where the nodes go. graph_def: the GraphDef. mapped: {name: tensor}, what
            is used in place of tensors of it. scope: a prefix of the names, with '/'.
        producer_op_list: see tf.import_graph_def.
    Attributes:
        nodes: {name in the GraphDef: Node}. outputs: {name in the GraphDef: tensors}.
        kinds: {op type: the type of the op of ours that is taken in its place}.
        current: the name of the NodeDef that was taken last.
    """

    def __init__(
        self, graph: "Graph", graph_def: Any, mapped: dict, scope: str,
        producer_op_list: Any = None,
    ) -> None:  # fmt: skip
        self.graph, self.scope = graph, scope
        self.graph_def = graph_def
        self.version = merge_versions(graph, graph_def.versions).producer
        self.is_newer = graph_def.versions.producer > GRAPH_DEF_VERSION
        self.mapped = {split(k): (k, v) for k, v in mapped.items()}
        self.used: set = set()
        self.nodes: dict = {}
        self.outputs: dict = {}
        self.kinds: dict = {}
        self.current, self.running = "", False
        self.beside: list = []  # (Node, names of those that it is beside)
        self.scopes = _scopes_of(graph)
        self.ops: dict = {}  # {op type: the Op}, once it is known to do
        self.functions: dict = {}  # of the library; see library_function.function_of
        self.plain = PlainNodes(self)
        ops = producer_op_list.op if producer_op_list is not None else ()
        self.producer = {op.name: op for op in ops}

    def run(self, units: "list[Whole]") -> None:
        """Make all nodes; `units` are NodeDefs and what stands for several of them."""
        checks.check_versions(self.graph_def.versions)
        checks.check_names(self.graph_def.node)
        self.graph.made_at = user_frames()
        try:
            self.running = True
            for unit in self._ordered(units):
                if isinstance(unit, protos.NodeDef):
                    self.add(unit)
                else:
                    unit.build(self)
            self._place()
        finally:
            self.graph.made_at = None

    def _ordered(self, units: "list[Whole]") -> Iterator[Any]:
        """The units, each after what it takes; the first of the list first."""
        owner = {n: i for i, u in enumerate(units) for n in _names(u)}
        before = [self._sources(i, unit, owner) for i, unit in enumerate(units)]
        if all(max(sources, default=-1) < i for i, sources in enumerate(before)):
            yield from units
        else:
            yield from self._sorted(units, before)

    def _sources(self, i: int, unit: Any, owner: dict[str, int]) -> Any:
        """The places of the units that a unit takes something from."""
        plain = isinstance(unit, protos.NodeDef)
        texts = unit.input if plain else unit.inputs
        sources = {self._source(unit, text, owner) for text in texts}
        sources.discard(None)
        if not plain:
            sources.discard(i)
        return sources

    def _sorted(self, units: Any, before: Any) -> Iterator[Any]:
        waits = [len(sources) for sources in before]
        users: dict = {}
        for i, sources in enumerate(before):
            for s in sources:
                users.setdefault(s, []).append(i)
        ready = [i for i, n in enumerate(waits) if not n]
        done = 0
        while ready:
            i = heapq.heappop(ready)
            done += 1
            yield units[i]
            for user in users.get(i, ()):
                waits[user] -= 1
                if not waits[user]:
                    heapq.heappush(ready, user)
        if done < len(units):
            raise ValueError(f"{len(units) - done} nodes in a cycle")

    def _source(self, unit: Any, text: str, owner: dict[str, int]) -> int | None:
        """The place of the unit that gives an input, or None if it is mapped."""
        name, _ = key = split(text)
        if key in self.mapped:
            return None
        if name not in owner:
            raise ValueError(f"Node '{_names(unit)[0]}': Unknown input node '{text}'")
        return owner[name]

    # ------------------------------------------------------------------ looking
    def is_mapped(self, text: str) -> bool:
        """Whether the input map says what an input of a NodeDef stands for."""
        return split(text) in self.mapped

    def tensor(self, text: str) -> Any:
        """The tensor that an input of a NodeDef stands for: mapped, or made before."""
        key = split(text)
        if key in self.mapped:
            self.used.add(self.mapped[key][0])
            return self.mapped[key][1]
        name, index = key
        return self.outputs[name][index]

    def has(self, text: str) -> bool:
        """Whether `tensor` knows what an input stands for."""
        name, index = key = split(text)
        return key in self.mapped or index < len(self.outputs.get(name, ()))

    def node(self, name: str) -> "Node":
        """The node that a control input stands for; None = nothing is waited for."""
        key = (name.removeprefix("^"), -1)
        if key in self.mapped:
            self.used.add(self.mapped[key][0])
            value = self.mapped[key][1]
            return getattr(value, "op", value)
        return self.nodes[key[0]]

    def put(self, name: str, tensors: list[Tensor]) -> None:
        """Let a name of the GraphDef stand for tensors that are there."""
        self.outputs[name] = list(tensors)
        self.nodes[name] = tensors[0].op if tensors else None

    def unused(self) -> list:
        """The names in the input map that nothing in the GraphDef has."""
        found = []
        for (name, index), (text, _) in sorted(self.mapped.items()):
            outputs = self.outputs.get(name)
            there = outputs is not None and index < len(outputs)
            if text not in self.used and not there:
                found.append(text if text.startswith("^") else f"{name}:{index}")
        return found

    def element(self, text: str) -> "GraphTensor":
        """What return_elements asks for: a node, or a tensor."""
        name, colon, index = text.partition(":")
        if colon and not index.isdigit():
            raise ValueError(f"Cannot convert {text!r} to a tensor name.")
        if colon and (name, int(index)) in self.mapped:
            return self.tensor(text)
        if name not in self.nodes:
            what = "tensor" if colon else "node"
            raise ValueError(f"Requested return {what} '{text}' not found in graph def")
        if not colon:
            return self.nodes[name]
        if int(index) >= len(self.outputs[name]):
            raise ValueError(
                f"Invalid return output {index} of node '{name}', which has "
                f"{len(self.outputs[name])} output(s)"
            )
        return self.outputs[name][int(index)]

    # ------------------------------------------------------------------ making
    def add(self, node_def: Any) -> "Node":
        """Make the node of a NodeDef at the current place; returns the Node."""
        replaced = old.replaced(newer.replaced(node_def), self.version)
        for part in replaced[:-1]:
            self._add(part)
        return self._add(replaced[-1])

    def _add(self, node_def: Any) -> "Node":
        self.current = node_def.name
        again = revived.revived(self, node_def)
        if again is not None:
            self._finish(again, revived.without_marks(node_def))
            return again
        if self.is_newer and node_def.op in newer_built.RULES:
            inputs = [self.input(node_def, t) for t in node_def.input if t[0] != "^"]
            built = newer_built.build(node_def, self.name(node_def.name), inputs)
            if built is not None:
                self._finish(built, node_def)
                return built
        op = self.ops.get(node_def.op) or self._known(node_def)
        made_plain = self.plain.add(node_def, op)
        if made_plain is not None:
            self._finish(made_plain, node_def)
            return made_plain
        name = self.name(node_def.name)
        node_checks = NodeChecks(node_def, op, name, self.scope, self.producer)
        attrs = node_checks.attrs()
        attrs = with_library(attrs, self.graph_def.library, self.functions)
        flat = [self.input(node_def, t) for t in node_def.input if t[0] != "^"]
        args = node_checks.args(flat, attrs)
        chosen = made.complete(self.graph, op, args, attrs, name)
        with self.graph.device(None):  # see _finish
            if (rule := made.rule_of(op)) is not None:
                rule(self.graph, name + "/", args, attrs)
            elif op.infer is None:
                self._declare(op, args, {**chosen, **attrs}, name)
            else:
                self.graph.run_op(op, args, chosen, name + "/")
        node = self.graph.by_name[name]
        self._finish(node, node_def)
        return node

    def _known(self, node_def: Any) -> Op:
        """The Op of a NodeDef. Raises tf.errors if there is none, or no longer."""
        op = known_op(self.kinds.get(node_def.op, node_def.op))
        checks.check_importable(op, node_def)
        old.check_removed(op_def(op), self.version)
        if node_def.op not in self.kinds:
            self.ops[node_def.op] = op
        return op

    def _declare(self, op: Op, args: list[Tensor], attrs: dict, name: str) -> None:
        """Make a node whose outputs are what its attributes say."""
        types = attrs.get("output_types", ())
        shapes = attrs.get("output_shapes") or (None,) * len(types)
        specs = list(zip(types, shapes, strict=True))
        self.graph.append_node(op, args, attrs, name + "/", specs)

    def name(self, name: str) -> str:
        """The name that a node gets: its own, with a number where that is taken."""
        found, count = self.scope + name, 0
        while found in self.graph.by_name or found in self.scopes:
            count += 1
            found = f"{self.scope}{name}_{count}"
        self.graph.used_names.setdefault(found.lower(), 1)
        return found

    def input(self, node_def: Any, text: str) -> "GraphTensor":
        name, index = key = split(text)
        if key in self.mapped:
            return self.tensor(text)
        outputs = self.outputs[name]
        if index >= len(outputs):
            raise ValueError(
                f"Node '{node_def.name}': Connecting to invalid output {index} of "
                f"source node {name} which has {len(outputs)} outputs"
            )
        return outputs[index]

    def _finish(self, node: "Node", node_def: Any) -> None:
        """Control inputs, device, shapes, and attributes beside the op's own."""
        inputs = node_def.input
        if inputs and inputs[-1].startswith("^"):
            before = [self.node(t) for t in inputs if t.startswith("^")]
            before = [n for n in before if n is not None]
            node.after = tuple(dict.fromkeys((*node.after, *before)))
            node.implied = node.implied.difference(before)
        given = node_def.attr
        marks = {k: given[k] for k in given if k[0] == "_"}
        shapes = marks.pop("_output_shapes", None)
        if shapes is not None:
            checks.merge_shapes(node, shapes.list.shape)
        node.device = node_def.device
        others: list = []
        if marks:
            others = self._colocate(node, node_def.name, marks)
            node.marks = {**(node.marks or {}), **marks}
        if others and self.running:
            self.beside.append((node, others))
        else:
            for scope in self.graph.device_scopes:
                node.device = scope(node)
        self.nodes[node_def.name] = node
        self.outputs[node_def.name] = node.outputs

    def _colocate(self, node: "Node", name: str, marks: dict[str, Any]) -> list[str]:
        """Name the nodes of `_class` as they are named here; returns the others."""
        groups = checks.colocated(marks.get("_class"))
        if groups:
            own = {group: self.nodes.get(group) for group in groups}
            own[name] = node
            found = {g: n.name if n else self.scope + g for g, n in own.items()}
            names = sorted(f"loc:@{found[g]}" for g in groups)
            del marks["_class"]
            marks["_class"] = to_proto(names, "list(string)")
        return [g for g in groups if g != name]

    def _place(self) -> None:
        """Give each node that is beside others the device of the first that has one."""
        for node, groups in self.beside:
            known = [self.nodes[g].device for g in groups if self.nodes.get(g)]
            if known:
                node.device = next(filter(None, known), "")


def _scopes_of(graph: "Graph") -> set[str]:
    """The scopes of all names; what was found for an earlier import is kept."""
    count, found = graph.state.get("scopes of names", (0, set()))
    if count > len(graph.nodes):  # some were taken back
        count, found = 0, set()
    for node in graph.nodes[count:]:
        found.update(_scopes(node.name))
    graph.state["scopes of names"] = len(graph.nodes), found
    return found


def _scopes(name: str) -> Iterator:
    """The scopes that the name of a node is in: a and a/b for a/b/c."""
    parts = name.split("/")
    return ("/".join(parts[:i]) for i in range(1, len(parts)))


def split(text: str) -> tuple:
    """The name and place of an input of a NodeDef; -1 for "^name"."""
    if ":" not in text:
        return (text, 0) if text[:1] != "^" else (text[1:], -1)
    if text[0] == "^":
        return text[1:], -1
    name, colon, index = text.rpartition(":")
    return (name, int(index)) if colon and index.isdigit() else (text, 0)


def _names(unit: Any) -> list[str]:
    return [unit.name] if isinstance(unit, protos.NodeDef) else list(unit.names)
