"""Nodes as NodeDefs: op types, inputs and attributes as TensorFlow 1.12 has them."""

from typing import TYPE_CHECKING, Any

from twinflow.base.op_defs import NO_DEFAULT, Arg, OpDef, find
from twinflow.base.versions import GRAPH_DEF_VERSION
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_proto, to_proto
from twinflow.graph.graph_def import library
from twinflow.graph.graph_def.own import op_def
from twinflow.graph.graph_def.parts import Parts
from twinflow.graph.v1.write import Writer

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor, Node


def graph_def(graph: Any, add_shapes: bool = False) -> Any:
    """The GraphDef of a graph; see Graph.as_graph_def."""
    proto = protos.GraphDef()
    proto.versions.CopyFrom(versions(graph))
    writer = Writer(graph, node_defs)
    for node in graph.nodes:
        parts = writer.parts(node)
        proto.node.extend(parts)
        if add_shapes and node.outputs and parts and parts[-1].name == node.name:
            shapes = [shape_proto(t._shape) for t in node.outputs]
            proto.node[-1].attr["_output_shapes"].list.shape.extend(shapes)
    library.fill(proto.library, graph.nodes, node_defs)
    for defined in graph._functions.values():
        library.add(proto.library, defined)
    if proto.library.function:
        proto.versions.min_consumer = _WITH_FUNCTIONS
    return proto


_WITH_FUNCTIONS = 12  # the first version of TensorFlow's GraphDefs that has a library


def versions(graph: Any) -> Any:
    """The VersionDef of what a graph is written as."""
    return graph.state.get("versions") or protos.VersionDef(producer=GRAPH_DEF_VERSION)


def merge_versions(graph: "Graph", found: Any) -> Any:
    """Remember that a graph holds what came from a GraphDef of these versions.

    Args:
        found: the VersionDef. The oldest counts: what is written must fit all nodes.
    """
    merged = protos.VersionDef()
    merged.CopyFrom(found)
    if graph.nodes:
        own = versions(graph)
        merged.producer = min(own.producer, found.producer)
        merged.min_consumer = max(own.min_consumer, found.min_consumer)
    graph.state["versions"] = merged
    return merged


def node_defs(node: "Node") -> list:
    """The NodeDefs of a node: one, or those that the op's `export` adds."""
    if node.opdef.export:
        parts = Parts(node_def(node, False), node)
        node.opdef.export(parts)
        if parts.made:
            return parts.made
    return [node_def(node)]


def node_def(node: Any, with_attrs: bool = True) -> Any:
    """The NodeDef of a node: its type, inputs, device and all attributes."""
    found: Any = None
    if library.definition_of(node) is not None:  # whose OpDef is the signature
        with_attrs, kind = False, node.type
    else:
        found = _op_def(node)
        kind = found.name
    if library.is_call_with_effects(node):  # which have an op of their own
        kind = "StatefulPartitionedCall"
    proto = protos.NodeDef(name=node.name, op=kind, device=node.device)
    proto.input.extend(map(input_name, node.inputs))
    proto.input.extend(f"^{n.name}" for n in node.control_inputs)
    if with_attrs:
        _put(proto, node, found)
    for name, value in (node.marks or {}).items():
        proto.attr[name].CopyFrom(value)
    return proto


def _op_def(node: Any) -> OpDef:
    engine = node.opdef.engine
    several = engine != node.type != "SymbolicGradient"  # a call with more outputs
    return find(engine) if several else op_def(node.opdef)


def input_name(t: "GraphTensor") -> str:
    """How a NodeDef calls a tensor that it takes."""
    return f"{t.op.name}:{t.value_index}" if t.value_index else t.op.name


def _put(proto: Any, node: "Node", found: OpDef) -> None:
    """The attributes of an OpDef."""
    known = {**_by_tensors(node, found), **known_attrs(node)}
    for attr in found.attrs.values():
        value = known.get(attr.name)
        if value is None and attr.type != "shape":
            value = attr.default
        if value is not NO_DEFAULT:
            proto.attr[attr.name].CopyFrom(to_proto(value, attr.type))


def known_attrs(node: "Node") -> dict:
    """The attributes that a node keeps, and what a handle knows by its cell."""
    if node.type == "SymbolicGradient":
        return node.attrs
    if called := library.functions_of(node):
        return {"f": library.name_of(*called)}
    if node.type != "VarHandleOp":
        return node.attrs
    cell = node.attrs["cell"]
    return {
        **node.attrs, "dtype": cell.dtype, "shape": cell.shape,
        "shared_name": cell.name,
    }  # fmt: skip


def _by_tensors(node: "Node", found: OpDef) -> dict:
    """The types and numbers of the inputs and outputs: {attribute: value}."""
    values: dict = {}
    for arg, given in zip(found.inputs, node.args(), strict=True):
        _note(values, arg, given if type(given) is list else [given])
    rest = list(node.outputs)
    for place, arg in enumerate(found.outputs):
        count = _count(node, found, arg, len(rest) - len(found.outputs) + place + 1)
        _note(values, arg, rest[:count])
        rest = rest[count:]
    return values


def _count(node: "Node", found: OpDef, arg: Arg, room: int) -> int:
    """How many tensors an output is."""
    if not arg.number_attr and not arg.list_attr:
        return 1
    several = [a for a in found.outputs if a.number_attr or a.list_attr]
    known = node.attrs.get(arg.number_attr or arg.list_attr)
    if known is not None and len(several) > 1:
        return known if arg.number_attr else len(known)
    return room


def _note(values: Any, arg: Any, tensors: Any) -> None:
    if arg.list_attr:
        types = tuple(t.dtype.base_dtype for t in tensors)
        values.setdefault(arg.list_attr, types)
    if arg.number_attr:
        values.setdefault(arg.number_attr, len(tensors))
    if arg.type_attr and tensors:
        values.setdefault(arg.type_attr, tensors[0].dtype.base_dtype)
