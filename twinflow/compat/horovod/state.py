"""The processes as Horovod names them: init, size, rank, and those of one host."""

import os
import socket
from typing import Any

import numpy as np

from twinflow.base import processes
from twinflow.base.errors import UnimplementedError
from twinflow.distribute import environment

_LOCAL = "TWINFLOW_LOCAL_RANK", "TWINFLOW_LOCAL_SIZE"
_NAME = 64  # bytes of a host's name that are compared
_local: tuple[int, int] | None = None  # (rank, size) on this host; None before `init`


def init(comm: Any = None) -> None:
    """Join the other processes.

    They are those that `twinflow launch` or TF_CONFIG names. TF_CONFIG is forgotten:
    an Estimator is to train as in a process of its own.

    Args:
        comm: must be left out: all processes take part.
    Raises:
        UnimplementedError: some processes are named.
        DeadlineExceededError: not all came.
        FailedPreconditionError: this process has joined others already.
    """
    global _local
    if comm:
        raise UnimplementedError(
            None, None,
            f"hvd.init takes no part of the processes, got comm={comm!r}; all that "
            "`twinflow launch` starts take part: leave it out.",
        )  # fmt: skip
    if _local is not None:
        return
    environment.join(environment.place_now())
    if processes.size() > 1:
        os.environ.pop("TF_CONFIG", None)
    _local = _on_this_host()


def _on_this_host() -> tuple[int, int]:
    rank, size = (os.environ.get(name, "") for name in _LOCAL)
    if rank.isdigit() and size.isdigit():
        return int(rank), int(size)
    group = processes.current()
    if group is None or group.size == 1:
        return 0, 1
    own = np.zeros(_NAME, np.uint8)
    name = socket.gethostname().encode()[:_NAME]
    own[: len(name)] = np.frombuffer(name, np.uint8)
    names = [row.tobytes() for row in group.all_gather(own)]
    here = [i for i, other in enumerate(names) if other == names[group.rank]]
    return here.index(group.rank), len(here)


def shutdown() -> None:
    """Leave the other processes; what they compute together ends."""
    global _local
    if _local is not None and processes.current() is not None:
        processes.current().leave()
    _local = None


def size() -> int:
    """How many processes there are.

    Raises:
        ValueError: before `init`, as the others of this module.
    """
    _begun()
    return processes.size()


def rank() -> int:
    """The number of this process, from 0."""
    _begun()
    return processes.rank()


def local_size() -> int:
    """How many processes there are on this host."""
    return _begun()[1]


def local_rank() -> int:
    """The number of this process on its host, from 0."""
    return _begun()[0]


def mpi_threads_supported() -> bool:
    """Whether MPI may be used from several threads: False, there is no MPI."""
    _begun()
    return False


def _begun() -> tuple[int, int]:
    if _local is None:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    return _local
