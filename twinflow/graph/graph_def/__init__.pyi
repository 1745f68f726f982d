# Made by `make stubs` from the table of the index.
from twinflow.graph.graph_def.create import create_op as create_op
from twinflow.graph.graph_def.export import node_def as node_def
from twinflow.graph.graph_def.export import graph_def as graph_def
from twinflow.graph.graph_def.export import versions as versions
from twinflow.graph.graph_def.attributes import get_attr as get_attr
from twinflow.graph.graph_def.attributes import set_attr as set_attr
from twinflow.graph.graph_def.attributes import op_def as op_def
from twinflow.graph.graph_def.attributes import colocation_groups as colocation_groups
from twinflow.graph.graph_def.attributes import text as text
from twinflow.formats.attr_values import shape_proto as shape_proto

__all__ = [
"create_op", "node_def", "graph_def", "versions", "get_attr", "set_attr", "op_def",
"colocation_groups", "text", "shape_proto"
]
