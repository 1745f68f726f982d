# Made by `make stubs` from the table of the index.
from twinflow.contrib.boosted_trees import estimator_batch as estimator_batch
from twinflow.contrib.boosted_trees import proto as proto

__all__ = [
"estimator_batch", "proto"
]
