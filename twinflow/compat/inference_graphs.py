"""tensorflow.python.tools: strip_unused_lib and optimize_for_inference_lib."""

from twinflow.base import dtypes
from twinflow.formats import protos
from twinflow.graph.graph_def.surgery import extract_sub_graph, remove_training_nodes


def strip_unused(
    input_graph_def, input_node_names, output_node_names, placeholder_type_enum
):
    """The part of a GraphDef between some nodes, which become placeholders, and others.

    Args:
        input_graph_def: the GraphDef.
        input_node_names, output_node_names: lists of names of nodes.
        placeholder_type_enum: the number of the placeholders' DType, or a list.
    Raises:
        ValueError: a name is that of a tensor. KeyError: there is no node of a name.
    """
    for name in input_node_names:
        if ":" in name:
            raise ValueError(
                f"Name '{name}' appears to refer to a Tensor, not a Operation."
            )
    missing = set(input_node_names) - {n.name for n in input_graph_def.node}
    if missing:
        raise KeyError(f"The following input nodes were not found: {missing}\n")
    types = placeholder_type_enum
    if not isinstance(types, list):
        types = [types] * len(input_node_names)
    kinds = dict(zip(input_node_names, types, strict=True))
    out = protos.GraphDef()
    for node in input_graph_def.node:
        found = node if node.name not in kinds else _placeholder(node, kinds[node.name])
        out.node.append(found)
    return extract_sub_graph(out, output_node_names)


def _placeholder(node, kind):
    """A placeholder in the place of a node."""
    new = protos.NodeDef(name=node.name, op="Placeholder")
    new.attr["dtype"].type = dtypes.as_dtype(kind).as_datatype_enum
    for name in ("_output_shapes", "shape"):
        if name in node.attr:
            new.attr[name].CopyFrom(node.attr[name])
    return new


def optimize_for_inference(
    input_graph_def, input_node_names, output_node_names, placeholder_type_enum
):
    """The part of a frozen GraphDef that inference needs; see `strip_unused`.

    Folding and fusing are left to the plan that runs it.
    """
    cut = strip_unused(
        input_graph_def, input_node_names, output_node_names, placeholder_type_enum
    )
    return remove_training_nodes(cut, output_node_names)
