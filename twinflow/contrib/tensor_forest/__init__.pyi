# Made by `make stubs` from the table of the index.
from twinflow.contrib.tensor_forest import data_ops as data_ops
from twinflow.contrib.tensor_forest import eval_metrics as eval_metrics
from twinflow.contrib.tensor_forest import model_ops as model_ops
from twinflow.contrib.tensor_forest import proto as proto
from twinflow.contrib.tensor_forest import random_forest as random_forest
from twinflow.contrib.tensor_forest import stats_ops as stats_ops
from twinflow.contrib.tensor_forest import tensor_forest as tensor_forest
from twinflow.contrib.tensor_forest import tensor_forest_ops as tensor_forest_ops

__all__ = [
"data_ops", "eval_metrics", "model_ops", "proto", "random_forest", "stats_ops",
"tensor_forest", "tensor_forest_ops"
]
