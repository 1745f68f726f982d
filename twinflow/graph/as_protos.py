"""Graphs, nodes and shapes as protocol buffers, which are loaded at first use."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.graph import graph_def
from twinflow.graph.pictured import Pictured


class GraphAsProto(Pictured):
    """What a Graph has of GraphDefs."""

    __slots__ = ()
    nodes: list[Any]

    def as_graph_def(self, from_version: Any = None, add_shapes: bool = False) -> Any:
        """The nodes as a GraphDef, which TensorFlow 1.12 reads.

        Args:
            from_version: accepted; TensorFlow 1.12 gives all nodes, too.
            add_shapes: note the shapes of the outputs as `_output_shapes`.
        Example:
            graph = tf.Graph()
            with graph.as_default(): tf.constant(1)
            graph.as_graph_def().node[0].op  # "Const"
        """
        return graph_def.graph_def(self, add_shapes)

    def _as_graph_def(
        self, from_version: Any = None, add_shapes: bool = False
    ) -> tuple:
        return self.as_graph_def(from_version, add_shapes), len(self.nodes)

    def create_op(
        self, op_type: Any, inputs: Any, dtypes: Any, input_types: Any = None,
        name: str | None = None, attrs: Any = None, op_def: Any = None,
        compute_shapes: Any = True, compute_device: Any = True,
    ) -> Any:  # fmt: skip
        """A node of an op type that is given by name.

        Args:
            op_type: as in OpDefs, such as "MatMul". inputs: a list of tensors.
            dtypes, input_types, op_def, compute_shapes, compute_device: accepted: the
                OpDef says what they are.
            name: of the node; the op type if not given. attrs: dict to AttrValues.
        Raises:
            TypeError: an input is no tensor. ValueError: inputs or attributes are not
            those of the OpDef.
        """
        return graph_def.create_op(self, op_type, inputs, name, attrs)

    @property
    def graph_def_versions(self) -> Any:
        """The VersionDef of GraphDefs that are written here."""
        return graph_def.versions(self)


class NodeAsProto:
    """What a Node has of NodeDefs and OpDefs."""

    __slots__ = ()

    @property
    def node_def(self) -> Any:
        """The NodeDef: type, inputs, device and all attributes of the OpDef."""
        return graph_def.node_def(self)

    @property
    def op_def(self) -> Any:
        """The OpDef of TensorFlow 1.12 for the type of the node."""
        return graph_def.op_def(self)

    def get_attr(self, name: str) -> Any:
        """An attribute of the NodeDef: bytes, numbers, DTypes or messages.

        Raises:
            ValueError: there is none of this name.
        """
        return graph_def.get_attr(self, name)

    def _set_attr(self, attr_name: str, attr_value: Any) -> None:
        graph_def.set_attr(self, attr_name, attr_value)

    def colocation_groups(self) -> list[bytes]:
        """The names, as b"loc:@name", of the nodes it shares a device with."""
        return graph_def.colocation_groups(self)

    def __str__(self) -> str:
        return graph_def.text(self)


def _as_proto(self: Any) -> Any:
    """The TensorShapeProto."""
    return graph_def.shape_proto(self)


TensorShape.as_proto = _as_proto  # type: ignore[attr-defined]  # see above
