"""tensorflow.python.framework.ops.Operation, which programs may call to make one."""

import re

from twinflow.formats.protos import NodeDef
from twinflow.graph.graph_def.create import create_op
from twinflow.graph.node import Node

_VALID = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")


class _Nodes(type):
    """The class of the nodes of this house, which makes one of a NodeDef."""

    def __instancecheck__(cls, value):
        return isinstance(value, Node)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, Node)

    def __getattr__(cls, name):
        return getattr(Node, name)

    def __dir__(cls):
        return dir(Node)

    def __call__(
        cls, node_def, g, inputs=None, output_types=None, control_inputs=None,
        input_types=None, original_op=None, op_def=None,
    ):  # fmt: skip
        if not isinstance(node_def, NodeDef):
            raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
        if inputs is not None and not isinstance(inputs, list):
            raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
        name = node_def.name
        if not _VALID.match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        with g.as_default(), g.control_dependencies(control_inputs or []):
            node = create_op(g, node_def.op, inputs or [], f"{name}/", node_def.attr)
        node.device = node_def.device or node.device
        if original_op is not None:
            node.original = original_op
        return node


class Operation(metaclass=_Nodes):
    """A node: `Operation(node_def, graph, inputs, output_types, control_inputs)`."""
