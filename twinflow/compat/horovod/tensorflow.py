"""`import horovod.tensorflow as hvd`: what Horovod 0.15 to 0.18 have there."""

from twinflow.compat.horovod.compression import Compression
from twinflow.compat.horovod.optimizers import (
    DistributedGradientTape,
    DistributedOptimizer,
)
from twinflow.compat.horovod.state import (
    init,
    local_rank,
    local_size,
    mpi_threads_supported,
    rank,
    shutdown,
    size,
)
from twinflow.compat.horovod.values import allgather, allreduce, broadcast
from twinflow.compat.horovod.variables import (
    BroadcastGlobalVariablesHook,
    broadcast_global_variables,
    broadcast_variables,
)

__all__ = [
    "BroadcastGlobalVariablesHook", "Compression", "DistributedGradientTape",
    "DistributedOptimizer", "allgather", "allreduce", "broadcast",
    "broadcast_global_variables", "broadcast_variables", "init", "local_rank",
    "local_size", "mpi_threads_supported", "rank", "shutdown", "size",
]  # fmt: skip
