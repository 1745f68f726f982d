# Made by `make stubs` from the table of the index.
from twinflow.contrib.copy_graph.copying import copy_op_to_graph as copy_op_to_graph
from twinflow.contrib.copy_graph.copying import copy_variable_to_graph as copy_variable_to_graph
from twinflow.contrib.copy_graph.copying import get_copied_op as get_copied_op

__all__ = [
"copy_op_to_graph", "copy_variable_to_graph", "get_copied_op"
]
