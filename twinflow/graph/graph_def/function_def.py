"""The FunctionDef of a graph, in the names that TensorFlow's own writers choose.

Note [Names in FunctionDefs]: outputs take the names of their nodes first, then come the
inputs, then the nodes; who finds a name taken gets a number.
"""

import base64
import hashlib
import itertools
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from twinflow.base import errors
from twinflow.base.op_defs import find
from twinflow.formats import protos
from twinflow.graph.graph_def import library
from twinflow.graph.graph_def.export import node_defs
from twinflow.graph.v1.write import Writer

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor, Node


class _Names:
    """Names of which none comes twice."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.nodes: dict[str, str] = {}

    def unique(self, name: str) -> str:
        tries = itertools.chain([name], (f"{name}_{i}" for i in itertools.count()))
        found = next(n for n in tries if n not in self.used)
        self.used.add(found)
        return found

    def plain(self, name: str) -> str:
        """For an argument: small letters, of which the first is one."""
        small = re.sub(r"[^a-z0-9_]", "_", name.lower())
        return self.unique(re.sub(r"^[^a-z]+", "", small) or "unknown")

    def node(self, name: str) -> str:
        if name not in self.nodes:
            self.nodes[name] = self.unique(name)
        return self.nodes[name]


def function_def(
    graph: "Graph", name: str, inputs: list, outputs: list, out_names: Any = (),
    base_name: str | None = None,
) -> Any:  # fmt: skip
    """The FunctionDef of the whole of a graph.

    Args:
        name: of the function; if it is empty, `base_name` and a hash of the function.
        inputs, outputs: tensors of the graph. out_names: what the outputs are called.
    Raises:
        InvalidArgumentError: there are not as many names as outputs.
    """
    if out_names and len(out_names) != len(outputs):
        raise errors.InvalidArgumentError(
            None, None, "output names must be either empty or equal in size to "
            f"outputs. output names size = {len(out_names)} outputs size = "
            f"{len(outputs)}",
        )  # fmt: skip
    proto, names = protos.FunctionDef(), _Names()
    signature = proto.signature
    signature.is_stateful = bool(stateful_nodes(graph.nodes))
    for i, t in enumerate(outputs):
        found = out_names[i] if out_names else names.plain(t.op.name)
        signature.output_arg.add(name=found, type=_kind(t))
    args = {}
    for t in inputs:
        args[t.op.name] = names.plain(t.op.name)
        signature.input_arg.add(name=args[t.op.name], type=_kind(t))
    inside = [n for n in graph.nodes if n.name not in args]
    _fill(proto, graph, inside, outputs, args, names.node)
    signature.name = name or f"{base_name}_{_hash(proto)}"
    return proto


def _kind(t: "GraphTensor") -> int:
    return t.dtype.base_dtype.as_datatype_enum


def _fill(
    proto: Any, graph: Any, nodes: Any, outputs: Any, args: dict, rename: Callable
) -> None:
    """The nodes, and where the outputs come from."""
    writer = Writer(graph, node_defs)
    made = [part for node in nodes for part in writer.parts(node)]
    signatures = called_signatures(graph)
    known = {n.name: (rename(n.name), n) for n in made}

    def text(source: str) -> str:
        if source.startswith("^"):
            name = source[1:]
            return "^" + (args[name] if name in args else known[name][0])
        name, _, index = source.partition(":")
        if name in args:
            return args[name]
        found, node = known[name]
        return found + library.output_of(node, int(index or 0), signatures)

    for part in made:
        copy = proto.node_def.add()
        copy.CopyFrom(part)
        copy.name = known[part.name][0]
        copy.input[:] = [text(source) for source in part.input]
    for arg, t in zip(proto.signature.output_arg, outputs, strict=True):
        proto.ret[arg.name] = text(writer.ref(t, None, ""))


def called_signatures(graph: "Graph") -> dict:
    """{op type: the OpDef message} of the functions that nodes of a graph call."""
    called = (library.definition_of(n) for n in graph.nodes)
    return {d.name: d.definition.signature for d in called if d is not None}


def stateful_nodes(nodes: "Iterable[Node]") -> "list[Node]":
    """Those whose ops TensorFlow says to be stateful."""
    return [n for n in nodes if _is_stateful(n)]


def _is_stateful(node: "Node") -> bool:
    called = library.definition_of(node)
    if called is not None:
        return called.definition.signature.is_stateful
    found = find(node.type)
    if found is None:
        return node.opdef.stateful
    return "stateful" in found.flags or library.is_call_with_effects(node)


def _hash(proto: Any) -> str:
    """Eleven letters and digits that say what a function does."""
    digest = hashlib.sha256(proto.SerializeToString(deterministic=True)).digest()
    text = base64.b64encode(digest).decode()
    return re.sub(r"[^A-Za-z0-9]", "", text)[:11]


def graph_to_function_def(
    graph: "Graph", operations: "list[Node]", inputs: list, outputs: list,
    out_names: list[str] | None = None,
) -> Any:  # fmt: skip
    """The FunctionDef, without a name, of some operations of a graph.

    Args:
        operations: what the function consists of. inputs, outputs: tensors.
        out_names: what the outputs are called; by their nodes if not given.
    Raises:
        ValueError: there are not as many names as outputs, or a name comes twice.
    """
    if out_names and len(out_names) != len(outputs):
        raise ValueError(
            f"Length of out_names ({len(out_names)}) does not match number of outputs "
            f"({len(outputs)}): {', '.join(out_names)}"
        )
    if out_names and len(set(out_names)) < len(out_names):
        raise ValueError(f"Must not have duplicates in out_names: {out_names}")
    proto = protos.FunctionDef()
    proto.signature.name = "_"
    used: set[str] = set()
    proto.signature.input_arg.extend(_arg(t, None, used) for t in inputs)
    places = dict(zip(inputs, proto.signature.input_arg, strict=True))
    for i, t in enumerate(outputs):
        name = out_names[i] if out_names else None
        proto.signature.output_arg.append(_arg(t, name, used))
    args = {
        f"{t.op.name}:{t.value_index}".removesuffix(":0"): a.name
        for t, a in places.items()
    }
    given = {t.op for t in inputs}
    inside = [node for node in operations if node not in given]
    _fill_plain(proto, graph, inside, outputs, args)
    return proto


def _fill_plain(proto: Any, graph: Any, nodes: Any, outputs: Any, args: dict) -> None:
    writer, signatures = Writer(graph, node_defs), called_signatures(graph)
    made = {p.name: p for node in nodes for p in writer.parts(node)}

    def text(source: str) -> str:
        name, _, index = source.partition(":")
        if source in args or source.startswith("^") or name not in made:
            return args.get(source, source)
        return name + library.output_of(made[name], int(index or 0), signatures)

    for part in made.values():
        part.input[:] = [text(source) for source in part.input]
        proto.node_def.append(part)
    for arg, t in zip(proto.signature.output_arg, outputs, strict=True):
        proto.ret[arg.name] = text(writer.ref(t, None, ""))


def _arg(t: "GraphTensor", name: str | None, used: set[str]) -> Any:
    arg = protos.OpDef.ArgDef(type=_kind(t), is_ref=t.dtype._is_ref_dtype)
    if name is None:
        plain = t.name.removesuffix(":0").replace(":", "_o")
        tries = itertools.chain([plain], (f"{plain}_U{i}" for i in itertools.count()))
        name = next(n for n in tries if n not in used)
        used.add(name)
    arg.name = name
    return arg
