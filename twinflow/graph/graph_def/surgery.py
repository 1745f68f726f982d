"""tf.graph_util: GraphDefs cut out, frozen and cleaned."""

import re
from typing import Any

import numpy as np

from twinflow.base import dtypes, logging
from twinflow.base.errors import UsageError
from twinflow.formats import protos
from twinflow.formats.tensor_proto import make_tensor_proto
from twinflow.graph.node import Node

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_ON_CPU = frozenset((
    "Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub",
    "ScatterUpdate", "TruncatedNormal", "Variable", "VariableV2",
))  # fmt: skip
_HOST_TYPES = (dtypes.string.as_datatype_enum, dtypes.int32.as_datatype_enum)
_INT32_ON_CPU = {"DynamicStitch": "T", "ParallelDynamicStitch": "T", "Cast": "SrcT"}


def must_run_on_cpu(node: Any, pin_variables_on_cpu: Any = False) -> Any:
    """Whether TensorFlow's accelerators have no kernel for a node.

    Args:
        node: an Operation or a NodeDef. pin_variables_on_cpu: count variables as well.
    """
    node_def = node.node_def if isinstance(node, Node) else node
    if not isinstance(node_def, protos.NodeDef):
        raise TypeError(f"node_def must be a NodeDef proto, but got {type(node_def)}")
    if pin_variables_on_cpu and node_def.op in _ON_CPU:
        return True
    if node_def.op == "Const":
        return node_def.attr["dtype"].type in _HOST_TYPES
    attr = _INT32_ON_CPU.get(node_def.op)
    return attr is not None and node_def.attr[attr].type == _HOST_TYPES[1]


def tensor_shape_from_node_def_name(graph: Any, input_name: Any) -> Any:
    """The shape of the tensor that a NodeDef calls `input_name`."""
    name = input_name if ":" in input_name else input_name + ":0"
    return graph.get_tensor_by_name(name).get_shape()


def extract_sub_graph(graph_def: Any, dest_nodes: Any) -> Any:
    """The nodes of a GraphDef that some nodes need, themselves included.

    Args:
        graph_def: a GraphDef. dest_nodes: a list of names.
    Raises:
        TypeError: one of them is none. AssertionError: there is no node of a name.
    Example:
        with tf.Graph().as_default() as graph:
            one, two = tf.constant(1, name="one"), tf.constant(2, name="two")
        cut = tf.graph_util.extract_sub_graph(graph.as_graph_def(), ["two"])
        [node.name for node in cut.node]  # ["two"]
    """
    if not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {n.name: n for n in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise UsageError(f"{name} is not in graph")
    kept, todo = set(), list(dest_nodes)
    while todo:
        name = todo.pop()
        if name not in kept:
            kept.add(name)
            todo += [i.removeprefix("^").partition(":")[0] for i in nodes[name].input]
    out = protos.GraphDef()
    out.node.extend(n for n in graph_def.node if n.name in kept)
    out.library.CopyFrom(graph_def.library)
    out.versions.CopyFrom(graph_def.versions)
    return out


def convert_variables_to_constants(
    sess: Any, input_graph_def: Any, output_node_names: Any,
    variable_names_whitelist: Any = None, variable_names_blacklist: Any = None,
) -> Any:  # fmt: skip
    """A GraphDef whose variables are constants: their values in a session.

    Args:
        sess: the Session. input_graph_def: the GraphDef of its graph.
        output_node_names: the names of the nodes that are wanted.
        variable_names_whitelist: convert only variables of these names.
        variable_names_blacklist: keep variables of these names.
    Returns:
        A GraphDef of what the wanted nodes need.
    Example:
        y = tf.add(tf.get_variable("v", initializer=2.), 3., name="y")
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            frozen = tf.graph_util.convert_variables_to_constants(
                sess, sess.graph.as_graph_def(), ["y"])
    """
    cut = extract_sub_graph(input_graph_def, output_node_names)
    only, never = variable_names_whitelist, variable_names_blacklist or ()
    found = {
        n.name: "/Read/ReadVariableOp:0" if n.op == "VarHandleOp" else ":0"
        for n in cut.node
        if n.op in _VARIABLES and n.name not in never and (not only or n.name in only)
    }
    values = sess.run([name + end for name, end in found.items()]) if found else []
    constants = dict(zip(found, values, strict=True))
    logging.info("Froze %d variables.", len(constants))
    carried = _carried(cut, constants)
    out = protos.GraphDef()
    for node in cut.node:
        out.node.append(_frozen(node, constants, carried))
    out.library.CopyFrom(cut.library)
    logging.info("Converted %d variables to const ops.", len(constants))
    return out


def _carried(graph_def: Any, constants: dict[str, np.generic]) -> dict:
    """{name of a node that gives a converted variable, as it is: the variable's}.

    Handles go through Switch and Enter into branches and loops.
    """
    found = {name: name for name in constants}
    size = -1
    while size != len(found):
        size = len(found)
        for node in graph_def.node:
            source = node.input[0].partition(":")[0] if node.input else ""
            kind = node.attr["T"].type if "T" in node.attr else 0
            is_handle = kind == dtypes.resource.as_datatype_enum
            if source in found and node.op in _CARRIERS and is_handle:
                found[node.name] = found[source]
    return found


_CARRIERS = ("Switch", "Enter", "Identity")


def _frozen(node: Any, constants: dict[str, np.generic], carried: dict) -> Any:
    """A NodeDef that reads constants where it read variables."""
    of = node.input[0].partition(":")[0] if node.input else ""
    if node.name in constants:
        return _constant(node, constants[node.name])
    if node.name in carried:
        value = np.asarray(constants[carried[node.name]])
        new = protos.NodeDef()
        new.CopyFrom(node)
        new.attr["T"].type = dtypes.from_numpy(value.dtype).as_datatype_enum
        return new
    if of not in carried or node.op not in _READS:
        return node
    kind, renamed = _READS[node.op]
    new = protos.NodeDef(name=node.name, op=kind, input=node.input, device=node.device)
    for name, attr in node.attr.items():
        if name in renamed or name.startswith("_"):
            new.attr[renamed.get(name, name)].CopyFrom(attr)
    return new


_READS = {  # what an op on a handle is on the value: its type and attributes
    "ReadVariableOp": ("Identity", {"dtype": "T"}),
    "ResourceGather": (
        "Gather",
        {"dtype": "Tparams", "Tindices": "Tindices",
         "validate_indices": "validate_indices"},
    ),
    "VariableShape": ("Shape", {"out_type": "out_type"}),
}  # fmt: skip


def _constant(node: Any, value: np.generic) -> Any:
    new = protos.NodeDef(name=node.name, op="Const")
    dtype = node.attr["dtype"]
    new.attr["dtype"].CopyFrom(dtype)
    tensor = make_tensor_proto(value, dtype.type, value.shape)
    new.attr["value"].tensor.CopyFrom(tensor)
    return new


def remove_training_nodes(input_graph: Any, protected_nodes: Any = None) -> Any:
    """A GraphDef without CheckNumerics and Identity nodes, which inference needs not.

    Args:
        input_graph: a GraphDef. protected_nodes: names of nodes to keep.
    """
    protected = set(protected_nodes or ())
    gone = {n.name for n in input_graph.node if n.op == "CheckNumerics"} - protected
    nodes = []
    for node in input_graph.node:
        if node.name not in gone:
            nodes.append(_with_inputs(
                node, [i for i in node.input if i.removeprefix("^") not in gone]
            ))  # fmt: skip
    waiting = {n.name for n in nodes if any("^" in i for i in n.input)}
    waited_for = {i[1:] for n in nodes for i in n.input if i.startswith("^")}
    spliced = {
        n.name: n.input[0]
        for n in nodes
        if n.op == "Identity" and n.name not in protected | waiting | waited_for
    }
    out = protos.GraphDef()
    for node in nodes:
        if node.name not in spliced:
            inputs = [_past(i, spliced) for i in node.input]
            out.node.append(_with_inputs(node, inputs))
    return out


def _with_inputs(node: Any, inputs: Any) -> Any:
    new = protos.NodeDef()
    new.CopyFrom(node)
    del new.input[:]
    new.input.extend(inputs)
    return new


def _past(text: str, spliced: Any) -> Any:
    """What an input is once the nodes in between are left out."""
    while re.sub(r"^\^", "", text) in spliced:
        text = spliced[re.sub(r"^\^", "", text)]
    return text
