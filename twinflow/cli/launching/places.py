"""Which processes are started here, and what their environment tells them."""

import json
import os
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple

from twinflow.cli.launching.schedulers import told
from twinflow.distribute.environment import COORDINATOR, RANK, SIZE

PORT = 20117  # of the first process, where several hosts are named and no port
_LOOPBACK = "127.0.0.1"
_THREADS = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "PJRT_NPROC"
_BY_ANOTHER = {"OPENBLAS_NUM_THREADS": "OMP_NUM_THREADS",
               "MKL_NUM_THREADS": "OMP_NUM_THREADS", "PJRT_NPROC": "NPROC"}  # fmt: skip


class Places(NamedTuple):
    """Which of how many processes run here.

    Args:
        size: how many there are on all hosts. ranks: those of this host.
        hosts: the host of each rank, where known.
        host, port: where the first one is reached; the port is None for a free one.
        local: (the number of the first on this host, how many are there).
    """

    size: int
    ranks: range
    hosts: list
    host: str
    port: int | None
    local: tuple[int, int]

    @property
    def all_here(self) -> bool:
        """Whether no other host takes part."""
        return len(self.ranks) == self.size


def places_of(options: Any, env: Mapping[str, str] = os.environ) -> Places:
    """What the options, or the scheduler, say.

    Args:
        options: with count, hosts, rank_offset and coordinator.
        env: the environment.
    Raises:
        ValueError: they say too little, or do not fit together.
    """
    if options.hosts:
        return _of_hosts(options)
    if options.rank_offset is not None:
        raise ValueError("--rank-offset needs --hosts HOST:COUNT,HOST:COUNT...")
    if options.count is not None:
        host, port = _address(options.coordinator, _LOOPBACK, None)
        n = options.count
        return Places(n, range(n), [host] * n, host, port, (0, n))
    return _of_scheduler(options, env)


def _of_hosts(options: Any) -> Places:
    if options.count is not None:
        raise ValueError("--hosts says how many processes there are; leave out -n")
    parts = [_host(text) for text in options.hosts.split(",")]
    names = [name for name, count in parts for _ in range(count)]
    offset = options.rank_offset
    if offset is None:
        offset = _own_offset(parts)
    starts = {sum(n for _, n in parts[:i]): n for i, (_, n) in enumerate(parts)}
    if offset not in starts:
        raise ValueError(
            f"--rank-offset is the number of a host's first process, one of "
            f"{', '.join(map(str, starts))}; got {offset}"
        )
    host, port = _address(options.coordinator, names[0], PORT)
    count = starts[offset]
    ranks = range(offset, offset + count)
    return Places(len(names), ranks, names, host, port, (0, count))


def _host(text: str) -> tuple[str, int]:
    name, _, count = text.strip().rpartition(":")
    if not name or not count.isdigit() or not int(count):
        raise ValueError(f"--hosts takes HOST:COUNT,HOST:COUNT...; got {text!r}")
    return name, int(count)


def _own_offset(parts: list) -> int:
    own = {socket.gethostname(), socket.gethostname().partition(".")[0]}
    here = [i for i, (name, _) in enumerate(parts) if name in own]
    if len(here) != 1:
        raise ValueError(
            f"which of {', '.join(name for name, _ in parts)} is this host? Say the "
            "number of its first process: --rank-offset"
        )
    return sum(n for _, n in parts[: here[0]])


def _address(text: str | None, host: str, port: int | None) -> tuple[str, int | None]:
    """(host, port) of HOST:PORT, or those given."""
    if not text:
        return host, port
    host, _, number = text.rpartition(":")
    if not host or not number.isdigit() or not 0 < int(number) < 65536:
        raise ValueError(f"--coordinator takes HOST:PORT, got {text!r}")
    return host, int(number)


def _of_scheduler(options: Any, env: Mapping[str, str]) -> Places:
    known = told(env)
    if known is None:
        raise ValueError(
            "how many processes? Say -n COUNT or --hosts; without them, SLURM, "
            "Open MPI, Kubernetes or TWINFLOW_RANK must say which process this is"
        )
    if known.size is None:
        raise ValueError(f"{known.name} does not say how many there are: TWINFLOW_SIZE")
    if not known.rank < known.size:
        raise ValueError(f"{known.name}: no process {known.rank} of {known.size}")
    address = options.coordinator or env.get(COORDINATOR)
    if not address and known.host is None and known.size > 1:
        raise ValueError(
            f"{known.name} does not say where the first process is: --coordinator "
            "HOST:PORT, or TWINFLOW_COORDINATOR"
        )
    host, port = _address(address, known.host or _LOOPBACK, known.port)
    here = known.local_size or (known.size if host == _LOOPBACK else 1)
    local = (known.local_rank or 0, here)
    ranks = range(known.rank, known.rank + 1)
    return Places(known.size, ranks, [host] * known.size, host, port, local)


def environments(places: Places, attempt: int = 0) -> list[dict[str, str]]:
    """The environment of each process that is started here.

    Args:
        places: all of them. attempt: how often they have been started before; they
            meet at a port of their own each time.
    """
    ports = _ports(places, attempt)
    addresses = [f"{h}:{p}" for h, p in zip(places.hosts, ports, strict=True)]
    addresses[0] = f"{places.host}:{ports[0]}"
    shared = {**os.environ, **_threads(places.local[1]), "PYTHONUNBUFFERED": "1"}
    first, here = places.local
    found = []
    for i, rank in enumerate(places.ranks):
        own = {
            COORDINATOR: addresses[0], SIZE: str(places.size), RANK: str(rank),
            "TWINFLOW_LOCAL_RANK": str(first + i), "TWINFLOW_LOCAL_SIZE": str(here),
        }  # fmt: skip
        if places.size > 1:
            task = {"type": "worker", "index": rank}
            config = {"cluster": {"worker": addresses}, "task": task}
            own["TF_CONFIG"] = json.dumps(config)
        found.append({**shared, **own})
    return found


def _ports(places: Places, attempt: int) -> list[int]:
    """A port for each process; other hosts must come to the same ones."""
    if places.port is not None:
        first = places.port + attempt
        others = range(first + 1000, first + 999 + places.size)
        return [first, *(1024 + (port - 1024) % (65536 - 1024) for port in others)]
    sockets = [socket.socket() for _ in range(places.size)]
    for s in sockets:
        s.bind((places.host, 0))
    found = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return found


def _threads(here: int) -> dict[str, str]:
    """The cores of this host shared out, where the user has not chosen."""
    if here < 2:
        return {}
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    share = str(max(1, cores // here))
    return {
        name: share for name in _THREADS
        if not {name, _BY_ANOTHER.get(name, name)} & set(os.environ)
    }  # fmt: skip
