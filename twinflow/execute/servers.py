"""The servers of this process: the tasks of clusters, and what each of them owns.

Note [Servers]: a server is one task of a cluster. Where all tasks that a session sees
live in this process, its graph runs as every session's does, here and at once; what a
server adds is where cells are (execute.server_cells). A variable, or a queue, table or
iterator with a `shared_name`, belongs to the task that its node is placed on, under its
container and its name: sessions of any server of the cluster, and of other graphs, find
it there, until `Session.reset` empties the container. Everything else (queues without a
shared name, random streams) is the session's own, and so is all of it with
`isolate_session_state`, or where the ConfigProto names the cluster. A part of a name
that a node leaves open is filled as TensorFlow does: the first task by name.

Tasks in other processes are reached through gRPC, where grpcio is installed: see Note
[Remote] in remote.tasks. Without it nobody listens at the port of a server, which it
keeps so that no other process takes it, and such tasks are refused after a while.
"""

import importlib.util
import socket
import threading
import time
import weakref
from collections.abc import Iterable
from typing import Any, NoReturn

from twinflow.base import errors
from twinflow.base.blocking import WaitingCell
from twinflow.base.state import Cell

_PATIENCE = 10.0  # seconds in which other threads may start their servers
_HERE = ("localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0", "")

LOCK = threading.RLock()  # of all cells of servers (Note [Threads])
_started = threading.Condition()
_tasks: "dict[int, Task]" = {}  # by port


class Task:
    """One task of a cluster, from the making of its server on.

    Args:
        job, index: which task it is. cluster: {(job, index): address}.
        config: the ConfigProto of the server: how many devices it has.
    Attributes:
        port: where it is found. sessions: those of its target.
        rendezvous: what it keeps for tasks of other processes; None if it does not
            listen.
        resources: {(container, kind, name): Cell}; `naming` guards it.
    """

    def __init__(self, job: str, index: int, cluster: dict, config: Any) -> None:
        self.job, self.index, self.config = job, index, config
        self._kept: Any = _bound(_port(cluster[job, index]))
        self.port = self._kept.getsockname()[1]
        weakref.finalize(self, self._kept.detach).atexit = False  # it stays open
        self.listening: Any = None
        self.rendezvous: Any = None
        own = {(job, index): f"localhost:{self.port}"}
        self.cluster = {**cluster, **own}
        self.resources: dict = {}
        self.naming = threading.Lock()
        self.sessions: weakref.WeakSet = weakref.WeakSet()

    def start(self) -> None:
        """Let sessions find it, those of other processes too."""
        with _started:
            if _tasks.get(self.port) is self:
                return
            _tasks[self.port] = self
            _started.notify_all()
        remote = remote_tasks()
        if remote is not None:
            self._kept.close()
            self.listening = remote.listen(self)

    def clear(self, containers: Iterable[str]) -> None:
        """Empty containers; the one of its own without any."""
        names = set(containers) or {self.job}
        with self.naming:
            gone = {k: c for k, c in self.resources.items() if k[0] in names}
            for key in [k for k, cell in gone.items() if type(cell) is not Cell]:
                del self.resources[key]
        with LOCK:
            for cell in gone.values():
                if type(cell) is Cell:  # older sessions look at it
                    cell.clear()
                elif isinstance(cell, WaitingCell):
                    cell.cancel()


def _port(address: str) -> int:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise errors.invalid(f'Could not parse port for local server from "{address}".')
    return int(port)


def _bound(port: int) -> socket.socket:
    """A socket that keeps a port; any that is free for 0."""
    found = socket.socket()
    if port:  # a server that is started again may follow at once
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(("", port))
    except OSError as error:
        found.close()
        text = "Could not start gRPC server"
        raise errors.UnknownError(None, None, text) from error
    return found


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    sockets = [_bound(0) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def name_of(job: str, index: int) -> str:
    """The first part of the names of a task's devices."""
    return f"/job:{job}/replica:0/task:{index}"


# ---------------------------------------------------------------------- finding
def remote_tasks() -> Any:
    """The module that reaches tasks of other processes; None without grpcio."""
    if importlib.util.find_spec("grpc") is None:
        return None
    from twinflow.remote import tasks

    return tasks


def master_of(target: str, limit: float) -> Any:
    """The task whose server a target names; see `tasks_of`.

    Args:
        target: as "grpc://localhost:2222". limit: seconds to wait, or 0.
    """
    return tasks_of({target: target.removeprefix("grpc://")}, limit)[target]


def tasks_of(addresses: dict, limit: float) -> dict:
    """The tasks at addresses: {name: Task, or what stands for one of another process}.

    Raises:
        DeadlineExceededError: there was a limit, and it passed.
        UnimplementedError: one is in another process, and grpcio is not installed.
    """
    remote = remote_tasks()
    if remote is None:
        return _tasks_here(addresses, limit)
    return remote.reached(addresses, limit)


def task_at(address: str) -> Task | None:
    """The task of this process at an address, if there is one."""
    return _tasks.get(_port_here(address))


def is_here(task: Any) -> bool:
    """Whether a task of `tasks_of` is in this process."""
    return type(task) is Task


def _tasks_here(addresses: dict, limit: float) -> dict:
    ports = {name: _port_here(a) for name, a in addresses.items()}
    end = time.monotonic() + (limit or _PATIENCE)
    with _started:
        while True:
            missing = [n for n, port in ports.items() if port not in _tasks]
            if not missing:
                return {name: _tasks[port] for name, port in ports.items()}
            hopeless = all(not ports[n] for n in missing) and not limit
            left = 0 if hopeless else end - time.monotonic()
            if left <= 0:
                break
            _started.wait(left)
    if limit:
        raise errors.DeadlineExceededError(None, None, "Deadline Exceeded")
    _refuse(missing[0], addresses[missing[0]])


def _port_here(address: str) -> int:
    """The port of an address of this machine; 0 for others."""
    host, _, port = address.rpartition(":")
    here = host in _HERE or host == socket.gethostname()
    return int(port) if here and port.isdecimal() else 0


def _refuse(name: str, address: str) -> NoReturn:
    where = name if address in name else f"{name} ({address})"
    raise errors.UnimplementedError(
        None, None,
        f"No server was started in this process for {where}. Servers of other "
        "processes are reached through gRPC: pip install 'twinflow[cluster]'.",
    )  # fmt: skip


def wait_for(task: Task) -> None:
    """Wait for ever; see `tasks_of` for what it raises where tasks are missing."""
    if task.listening is None:
        tasks_of({name_of(*k): a for k, a in task.cluster.items()}, 0)
    threading.Event().wait()


def reset(target: str, containers: list, config: Any, limit: float) -> None:
    """Empty containers of all tasks of a cluster, and end the sessions of a server.

    Args:
        target: of the server. containers: their names. limit: see `tasks_of`.
        config: the function that says which tasks, by their names, and the filters.
    """
    master = master_of(target, limit)
    wanted, filters = config
    if not is_here(master):
        master.reset(containers, filters, limit)
        return
    for session in list(master.sessions):
        session._abort()
    names = {name_of(*k): a for k, a in master.cluster.items()}
    found = tasks_of({n: a for n, a in names.items() if wanted(n)}, limit)
    for task in found.values():
        task.clear(containers)
