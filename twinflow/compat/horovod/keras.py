"""`import horovod.keras as hvd`: what Horovod 0.15 to 0.18 have there."""

from typing import Any

import numpy as np

from twinflow.base import processes
from twinflow.base.annotations import Array
from twinflow.compat.horovod import callbacks
from twinflow.compat.horovod.compression import Compression
from twinflow.compat.horovod.keras_optimizers import DistributedOptimizer, load_model
from twinflow.compat.horovod.state import (
    init,
    local_rank,
    local_size,
    mpi_threads_supported,
    rank,
    shutdown,
    size,
)
from twinflow.compat.horovod.values import check_root
from twinflow.compat.horovod.variables import (
    broadcast_global_variables as _variables_op,
)
from twinflow.keras.backend import sessions

__all__ = [
    "Compression", "DistributedOptimizer", "allgather", "allreduce", "broadcast",
    "broadcast_global_variables", "callbacks", "init", "load_model", "local_rank",
    "local_size", "mpi_threads_supported", "rank", "shutdown", "size",
]  # fmt: skip


def broadcast_global_variables(root_rank: int) -> None:
    """Give all variables of Keras's graph the values of one process, now."""
    sessions.get_session().run(_variables_op(root_rank))


def allreduce(value: Any, name: str | None = None, average: bool = True) -> Array:
    """The mean, or sum, of a value over all processes, now.

    Args:
        value: an array, number or list, of the same shape everywhere.
        name: the same in all processes.
        average: whether to divide by the number of processes.
    """
    value = _array(value)
    if size() > 1:
        (value,) = processes.current().all_reduce([value], names=_names(name))
    if not average:
        return value
    return value // size() if value.dtype.kind in "iu" else value / size()


def allgather(value: Any, name: str | None = None) -> Array:
    """The values of all processes joined along the first axis, now.

    Args:
        value: an array or list; processes may differ in the number of rows.
        name: the same in all processes.
    """
    value = _array(value)
    if value.ndim == 0:
        raise ValueError("hvd.allgather joins along the first axis: give [x], not x")
    if size() == 1:
        return value
    return np.concatenate(processes.current().all_gather(value, _names(name)))


def broadcast(value: Any, root_rank: int, name: str | None = None) -> Array:
    """The value of one process, in all of them, now.

    Args:
        value: an array, number or list, of the same shape everywhere.
        root_rank: whose. name: the same in all processes.
    """
    check_root(root_rank)
    value = _array(value)
    if size() == 1:
        return value
    return processes.current().broadcast([value], root_rank, _names(name))[0]


def _names(name: str | None) -> list[str]:
    return [name] if name else []


def _array(value: Any) -> Array:
    """A value as Keras would make a constant of it: Python's floats as float32."""
    if hasattr(value, "dtype"):
        return np.asarray(value)
    found = np.asarray(value)
    return found.astype(np.float32) if found.dtype == np.float64 else found
