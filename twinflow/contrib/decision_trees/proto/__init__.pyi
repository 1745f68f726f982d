# Made by `make stubs` from the table of the index.
from twinflow.contrib.decision_trees.proto import generic_tree_model_extensions_pb2 as generic_tree_model_extensions_pb2
from twinflow.contrib.decision_trees.proto import generic_tree_model_pb2 as generic_tree_model_pb2

__all__ = [
"generic_tree_model_extensions_pb2", "generic_tree_model_pb2"
]
