# Made by `make stubs` from the table of the index.
from twinflow.contrib.quantize.quantize_graph import create_eval_graph as create_eval_graph
from twinflow.contrib.quantize.quantize_graph import create_training_graph as create_training_graph
from twinflow.contrib.quantize.quantize_graph import experimental_create_eval_graph as experimental_create_eval_graph
from twinflow.contrib.quantize.quantize_graph import experimental_create_training_graph as experimental_create_training_graph

__all__ = [
"create_eval_graph", "create_training_graph", "experimental_create_eval_graph",
"experimental_create_training_graph"
]
