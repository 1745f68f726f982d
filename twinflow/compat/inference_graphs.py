"""tensorflow.python.tools: strip_unused_lib and optimize_for_inference_lib."""

from twinflow.base import dtypes, files
from twinflow.compat.freeze_graph import read_message
from twinflow.formats import protos
from twinflow.formats.tensor_proto import make_ndarray
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


# ------------------------------------------------------------------ nodes of a GraphDef
def node_name_from_input(node_name):
    """The name of the node that an input of another one names."""
    return node_name.removeprefix("^").partition(":")[0]


def node_from_map(node_map, name):
    """The node that an input names, of {name: NodeDef}.

    Raises:
        ValueError: there is none.
    """
    found = node_map.get(node_name_from_input(name))
    if found is None:
        raise ValueError(f"No node named '{name}' found in map.")
    return found


def values_from_const(node_def):
    """The array of a Const.

    Raises:
        ValueError: it is another node.
    """
    if node_def.op != "Const":
        raise ValueError(
            f"Node named '{node_def.name}' should be a Const op for values_from_const."
        )
    return make_ndarray(node_def.attr["value"].tensor)


def scale_after_normalization(node):
    """Whether a node of batch normalisation multiplies by gamma."""
    fixed = node.op == "BatchNormWithGlobalNormalization"
    return node.attr["scale_after_normalization"].b if fixed else True


def ensure_graph_is_valid(graph_def):
    """Refuse a GraphDef in which names come twice, or inputs from nowhere.

    Raises:
        ValueError: it is so.
    """
    nodes: dict = {}
    for node in graph_def.node:
        if node.name in nodes:
            raise ValueError("Duplicate node names detected for ", node.name)
        nodes[node.name] = node
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in nodes:
                raise ValueError("Input for ", node.name, " not found: ", name)


def strip_unused_from_files(
    input_graph, input_binary, output_graph, output_binary, input_node_names,
    output_node_names, placeholder_type_enum,
):  # fmt: skip
    """`strip_unused` of a file into a file.

    Args:
        input_graph, output_graph: paths. input_binary, output_binary: whether they are
            binary, not text. input_node_names, output_node_names: with commas.
        placeholder_type_enum: the number of a DType.
    Returns:
        -1 and nothing done where the file or the names are missing.
    """
    if not files.Exists(input_graph):
        print(f"Input graph file '{input_graph}' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    graph = read_message(input_graph, protos.GraphDef, input_binary)
    names = (n.split(",") for n in (input_node_names, output_node_names))
    made = strip_unused(graph, *names, placeholder_type_enum)
    with files.GFile(output_graph, "wb" if output_binary else "w") as file:
        file.write(made.SerializeToString() if output_binary else str(made))
    print(f"{len(made.node)} ops in the final graph.")
    return None
