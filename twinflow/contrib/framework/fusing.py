"""tf.contrib.framework.fuse_op: one node in place of a part of a GraphDef."""

from collections.abc import Iterable
from typing import Any

from twinflow.formats import protos


def fuse_op(
    graph_def: Any, input_nodes: list[str], output_nodes: list[str],
    output_dtypes: list[Any], output_quantized: bool, op_name: str, op_type: str,
) -> Any:  # fmt: skip
    """A GraphDef in which one node stands for what lies between others.

    Args:
        graph_def: the GraphDef. input_nodes: the names of the nodes that the new one
            takes. output_nodes: those that take an output of it each; what they took
            before is left out.
        output_dtypes: the type of each output, as a number.
        output_quantized: what the attribute `_output_quantized` says.
        op_name, op_type: of the new node.
    Returns:
        The new GraphDef.
    Raises:
        TypeError: `graph_def` is none.
    """
    if not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    nodes = {n.name: n for n in graph_def.node}
    before, gone = _behind(nodes, input_nodes), _behind(nodes, output_nodes)
    found = protos.GraphDef()
    found.node.extend(n for n in graph_def.node if n.name in before)
    fused = found.node.add(name=op_name, op=op_type, input=input_nodes)
    fused.attr["_output_types"].list.type.extend(output_dtypes)
    fused.attr["_output_quantized"].b = output_quantized
    for i, name in enumerate(output_nodes):
        node = found.node.add()
        node.CopyFrom(nodes[name])
        node.input[:] = [f"{op_name}:{i}" if i else op_name]
    found.node.extend(n for n in graph_def.node if n.name not in before | gone)
    found.library.CopyFrom(graph_def.library)
    found.versions.CopyFrom(graph_def.versions)
    return found


def _behind(nodes: dict, names: Iterable[str]) -> set[str]:
    """The names of nodes, and of all that they are computed from."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            inputs = (text.removeprefix("^") for text in nodes[name].input)
            waiting += [text.partition(":")[0] for text in inputs]
    return seen
