# Made by `make stubs` from the table of the index.
from twinflow.contrib.tensor_forest.proto import fertile_stats_pb2 as fertile_stats_pb2
from twinflow.contrib.tensor_forest.proto import tensor_forest_params_pb2 as tensor_forest_params_pb2

__all__ = [
"fertile_stats_pb2", "tensor_forest_params_pb2"
]
