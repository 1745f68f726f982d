# Made by `make stubs` from the table of the index.
from twinflow.graph.graph_def.import_def import import_graph_def as import_graph_def
from twinflow.graph.graph_def.surgery import convert_variables_to_constants as convert_variables_to_constants
from twinflow.graph.graph_def.surgery import extract_sub_graph as extract_sub_graph
from twinflow.graph.graph_def.surgery import must_run_on_cpu as must_run_on_cpu
from twinflow.graph.graph_def.surgery import remove_training_nodes as remove_training_nodes
from twinflow.graph.graph_def.surgery import tensor_shape_from_node_def_name as tensor_shape_from_node_def_name

__all__ = [
"import_graph_def", "convert_variables_to_constants", "extract_sub_graph",
"must_run_on_cpu", "remove_training_nodes", "tensor_shape_from_node_def_name"
]
