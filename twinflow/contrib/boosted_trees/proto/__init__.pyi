# Made by `make stubs` from the table of the index.
from twinflow.contrib.boosted_trees.proto import learner_pb2 as learner_pb2
from twinflow.contrib.boosted_trees.proto import quantiles_pb2 as quantiles_pb2
from twinflow.contrib.boosted_trees.proto import split_info_pb2 as split_info_pb2
from twinflow.contrib.boosted_trees.proto import tree_config_pb2 as tree_config_pb2

__all__ = [
"learner_pb2", "quantiles_pb2", "split_info_pb2", "tree_config_pb2"
]
