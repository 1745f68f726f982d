# Made by `make stubs` from the table of the index.
from twinflow.contrib.tensor_forest import random_forest as random_forest
from twinflow.contrib.tensor_forest import tensor_forest as tensor_forest

__all__ = [
"random_forest", "tensor_forest"
]
