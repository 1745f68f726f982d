# Made by `make stubs` from the table of the index.
from twinflow.contrib.util import loader as loader
from twinflow.graph.graph_def.meta_export import ops_used_by_graph_def as ops_used_by_graph_def
from twinflow.graph.graph_def.meta_export import stripped_op_list_for_graph as stripped_op_list_for_graph
from twinflow.formats.tensor_proto import make_tensor_proto as make_tensor_proto
from twinflow.formats.tensor_proto import make_ndarray as make_ndarray
from twinflow.compat.door.shapes import constant_value as constant_value

__all__ = [
"loader", "ops_used_by_graph_def", "stripped_op_list_for_graph", "make_tensor_proto",
"make_ndarray", "constant_value"
]
