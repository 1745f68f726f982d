"""tensorflow.python.framework.ops.Operation, which programs may call to make one."""

from twinflow.base.tensor import Composite
from twinflow.formats.protos import NodeDef
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.create import create_op
from twinflow.graph.node import GraphTensor, Node


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
        if not isinstance(g, Graph):
            raise TypeError(f"g needs to be a Graph: {g}")
        _check_inputs(node_def.name, inputs or [], input_types)
        waits = [_waited_for(x) for x in control_inputs or ()]
        name = f"{node_def.name}/" if node_def.name else ""
        with g.as_default(), g.control_dependencies(waits):
            node = create_op(g, node_def.op, inputs or [], name, node_def.attr)
        node.device = node_def.device or node.device
        if original_op is not None:
            node.original = original_op
        return node


def _check_inputs(name, inputs, wanted):
    for t in inputs:
        if not isinstance(t, GraphTensor):
            raise TypeError(f"input needs to be a Tensor: {t}")
    found = [t.dtype.base_dtype for t in inputs]
    if wanted is not None and not (
        len(found) == len(wanted)
        and all(t.is_compatible_with(x) for t, x in zip(found, wanted, strict=True))
    ):
        raise TypeError(
            f"In op '{name}', input types ({found}) are not compatible with expected "
            f"types ({wanted})"
        )


def _waited_for(x):
    if not isinstance(x, Node | GraphTensor | Composite):
        raise TypeError(
            f"Control input must be an Operation, a Tensor, or IndexedSlices: {x}"
        )
    return getattr(x, "op", x)


class Operation(metaclass=_Nodes):
    """A node: `Operation(node_def, graph, inputs, output_types, control_inputs)`."""
