# Made by `make stubs` from the table of the index.
from twinflow.contrib.nccl.collectives import all_max as all_max
from twinflow.contrib.nccl.collectives import all_min as all_min
from twinflow.contrib.nccl.collectives import all_prod as all_prod
from twinflow.contrib.nccl.collectives import all_sum as all_sum
from twinflow.contrib.nccl.collectives import broadcast as broadcast
from twinflow.contrib.nccl.collectives import reduce_sum as reduce_sum

__all__ = [
"all_max", "all_min", "all_prod", "all_sum", "broadcast", "reduce_sum"
]
