"""What schedulers tell the processes that they start: how many there are, and which."""

import os
import re
import socket
from collections.abc import Mapping
from typing import NamedTuple

_PORTS = 20000, 12000  # the first one, and how many: below those of outgoing calls


class Told(NamedTuple):
    """What is known of this process; None where the scheduler does not say.

    Args:
        name: of the scheduler. size: how many processes. rank: which.
        local_rank, local_size: among those of this host.
        host: of the first process. key: a number that the processes of one job share.
    """

    name: str
    size: int | None
    rank: int
    local_rank: int | None = None
    local_size: int | None = None
    host: str | None = None
    key: int = 0

    @property
    def port(self) -> int:
        """The port of the first process, where none was chosen."""
        first, count = _PORTS
        return first + self.key % count


def told(env: Mapping[str, str] = os.environ) -> Told | None:
    """What the scheduler has told this process, if one has started it."""
    for name, read in _READERS.items():
        if name in env:
            return read(env)
    return None


def _twinflow(env: Mapping[str, str]) -> Told:
    return Told(
        "TWINFLOW_RANK", _number(env, "TWINFLOW_SIZE"), int(env["TWINFLOW_RANK"]),
        _number(env, "TWINFLOW_LOCAL_RANK"), _number(env, "TWINFLOW_LOCAL_SIZE"),
    )  # fmt: skip


def _slurm(env: Mapping[str, str]) -> Told:
    nodes = env.get("SLURM_STEP_NODELIST") or env.get("SLURM_JOB_NODELIST") or ""
    size = _number(env, "SLURM_STEP_NUM_TASKS") or _number(env, "SLURM_NTASKS")
    job, step = _number(env, "SLURM_JOB_ID"), _number(env, "SLURM_STEP_ID")
    here = env.get("SLURM_STEP_TASKS_PER_NODE", "").partition("(")[0]
    return Told(
        "SLURM", size, int(env["SLURM_PROCID"]), _number(env, "SLURM_LOCALID"),
        int(here) if here.isdigit() else None, first_node(nodes),
        64 * (job or 0) + (step or 0),
    )  # fmt: skip


def _open_mpi(env: Mapping[str, str]) -> Told:
    prefix = "OMPI_COMM_WORLD_"
    size, here = _number(env, f"{prefix}SIZE"), _number(env, f"{prefix}LOCAL_SIZE")
    job = env.get("OMPI_MCA_ess_base_jobid") or env.get("PMIX_NAMESPACE") or ""
    digits = re.sub(r"\D", "", job)
    return Told(
        "Open MPI", size, int(env[f"{prefix}RANK"]),
        _number(env, f"{prefix}LOCAL_RANK"), here,
        "127.0.0.1" if size == here else None, int(digits or os.getppid()),
    )  # fmt: skip


def _kubernetes(env: Mapping[str, str]) -> Told:
    index, name = int(env["JOB_COMPLETION_INDEX"]), env.get("HOSTNAME", "")
    host, whole = None, socket.getfqdn(name) if name else ""
    if name.endswith(f"-{index}") and whole.startswith(f"{name}."):
        job = name.removesuffix(f"-{index}")
        host = f"{job}-0{whole.removeprefix(name)}"  # in the domain of the service
    return Told("Kubernetes", _number(env, "TWINFLOW_SIZE"), index, 0, 1, host)


_READERS = {
    "TWINFLOW_RANK": _twinflow,
    "OMPI_COMM_WORLD_RANK": _open_mpi,
    "SLURM_PROCID": _slurm,
    "JOB_COMPLETION_INDEX": _kubernetes,
}


def _number(env: Mapping[str, str], name: str) -> int | None:
    text = env.get(name, "")
    return int(text) if text.isdigit() else None


def first_node(nodes: str) -> str | None:
    """The first name of a list as SLURM writes it: "gpu[03-05,9],cpu1"."""
    found = re.match(r"([^,\[]+)(?:\[(\w+)[^\]]*\]([^,]*))?", nodes)
    return None if found is None else "".join(part or "" for part in found.groups())
