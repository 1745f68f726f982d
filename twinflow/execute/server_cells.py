"""Where the cells of a session of a server are: with the tasks that own them."""

import secrets
import threading
from typing import TYPE_CHECKING, Any

from twinflow.base import devices, dtypes, errors
from twinflow.base.blocking import WaitingCell
from twinflow.base.state import Cell
from twinflow.execute import servers
from twinflow.execute.placement import covers
from twinflow.execute.servers import Task, name_of
from twinflow.execute.session_cells import Home, fresh
from twinflow.execute.session_config import device_names

if TYPE_CHECKING:
    from twinflow.base.dtypes import DType
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import Node

_CLOSED = "Step was cancelled by an explicit call to `Session::Close()`."
_keeping = threading.Lock()
_SHARED = ("Queue", "Table", "Accumulator", "Iterator", "Barrier", "Reader", "Boosted")


class ServerHome(Home):
    """The cells of a session of a server's target (Note [Servers]).

    Args:
        target: as "grpc://localhost:2222". graph: of the session. config: its
            ConfigProto, or None.
    Attributes:
        tasks: {name: Task}, those that the session sees; connecting finds them.
        own: the name of the server's own task.
        kept: {(kind, node name): cell}, what is the session's own, whatever graph.
        foreign: whether the graph came from another process, whose functions of Python
            are not here.
        cancelled: what its runs that wait fail with once it is closed.
    """

    def __init__(self, target: str, graph: "Graph", config: Any) -> None:
        super().__init__()
        self.owner = self
        self.handle = secrets.token_hex(8)
        self.cancelled: str | None = None
        self._target, self._graph, self._config = target, graph, config
        self._isolated = config is not None and bool(
            config.isolate_session_state or config.cluster_def.job
        )
        if not self._isolated:
            self.lock = servers.LOCK
        self.tasks: dict[str, Any] = {}
        self.own, self.foreign = "", False
        self.kept: dict = {}
        self.calls: dict = {}
        self._nodes: dict[Any, Node] = {}
        self._seen = 0

    def connect(self, session: Any) -> None:
        """Find the tasks, when a session first runs; see `servers.tasks_of`."""
        if self.tasks or self.client is not None:
            return
        limit = limit_of(self._config)
        master = servers.master_of(self._target, limit)
        if not servers.is_here(master):
            self.client = master.new_session(self._graph, self._config)
            return
        cluster = self._cluster(master)
        keep = filters_of(self._config)
        wanted = {n: a for n, a in cluster.items() if n == self.own or keep(n)}
        self.tasks = dict(sorted(servers.tasks_of(wanted, limit).items()))
        master.sessions.add(session)

    def plan(self, session: Any, flat: tuple, feeds: tuple) -> Any:
        """See Home."""
        self.connect(session)
        if self.client is not None:
            return self.client.plan(flat, feeds)
        session._check_places()
        if not self.foreign and all(map(servers.is_here, self.tasks.values())):
            return None
        return servers.remote_tasks().divided(session, self, flat, feeds)

    def partial(self, session: Any, fetches: list, feeds: list) -> Any:
        """See Home."""
        if not self.foreign and all(map(servers.is_here, self.tasks.values())):
            return None
        session._check_places()
        return servers.remote_tasks().partial(session, self, fetches, feeds)

    def _cluster(self, master: Task) -> dict[str, str]:
        """The addresses of the tasks by name; also notes the own one."""
        given = getattr(self._config, "cluster_def", None)
        if given is None or not given.job:
            self.own = name_of(master.job, master.index)
            return {name_of(*k): a for k, a in master.cluster.items()}
        found = {
            name_of(job.name, i): a for job in given.job for i, a in job.tasks.items()
        }
        own = [n for n, a in found.items() if a.endswith(f":{master.port}")]
        if not own:
            raise errors.invalid(
                "The master (current machine) is not included in the provided "
                f"cluster_def. {given}"
            )
        self.own = own[0]
        return found

    def device_names(self) -> list[str]:
        """The devices of all tasks, by name."""
        if self.client is not None:
            return [d.name for d in self.client.devices()]
        return [
            name for prefix, task in self.tasks.items()
            for name in (
                device_names(task.config, prefix) if servers.is_here(task)
                else task.device_names(prefix)
            )
        ]  # fmt: skip

    # ------------------------------------------------------------------ cells
    def _new(self, template: Any) -> Any:
        node = self._node_of(template)
        if node is None:
            return fresh(template)
        name = None if self._isolated else shared_name(node)
        if name is None:
            own = _kind(node), node.name
            with _keeping:
                if own not in self.kept:
                    self.kept[own] = fresh(template)
                return self.kept[own]
        task = self.tasks[self.place(node.device)]
        container = node.attrs.get("container") or task.job
        with task.naming:
            key = container, _kind(node), name
            found = task.resources.get(key)
            if found is None:
                found = task.resources[key] = fresh(template)
            elif type(found) is Cell:
                _check(found, template, node)
        return found

    def place(self, device: str) -> str:
        """The name of the task that a node with this device is placed on."""
        asked = devices.DeviceSpec.from_string(device)
        asked.device_type = asked.device_index = None
        spec = devices.DeviceSpec.from_string
        return next((n for n in self.tasks if covers(asked, spec(n))), self.own)

    def _node_of(self, template: Any) -> "Node | None":
        """The node that makes a cell of the graph."""
        nodes = self._graph.nodes
        for node in nodes[self._seen :]:
            for key in {"cell", *_cells(node)}:
                if isinstance(node.attrs.get(key), Cell):
                    self._nodes.setdefault(node.attrs[key], node)
        self._seen = len(nodes)
        return self._nodes.get(template)

    def lost(self) -> errors.OpError:
        """See Home."""
        text = f"Session {self.handle} is not found."
        return errors.AbortedError(None, None, text)

    def close(self) -> None:
        """Let go of the cells; the waiting runs of this session fail."""
        self.cancelled = _CLOSED
        for call in list(self.calls):
            call.cancel()
        if self.client is not None:
            self.client.close()
        for peer in self.tasks.values():
            if not servers.is_here(peer):
                peer.forget(self.handle)
        super().close()
        self._nodes.clear()
        self._seen = 0

    def _call_off(self, cell: Any) -> None:
        if isinstance(cell, WaitingCell):
            cell.cancel_of(self)


def _cells(node: "Node") -> tuple:
    """The attributes of a node that hold its cells."""
    found: Any = node.opdef.cell or ()
    return (found,) if isinstance(found, str) else tuple(found)


def _kind(node: "Node") -> str:
    """What cells must have in common that share a name."""
    return node.type.removesuffix("V2") if "Queue" not in node.type else "Queue"


def shared_name(node: "Node") -> str | None:
    """The name of what a node makes among those of its container; None = its own."""
    attrs, kind = node.attrs, _kind(node)
    if kind in ("Variable", "VarHandleOp") or attrs.get("use_node_name_sharing"):
        return attrs.get("shared_name") or node.name
    if any(part in kind for part in _SHARED):
        return attrs.get("shared_name") or None
    return None


def _check(found: Cell, template: Cell, node: "Node") -> None:
    """Raise where a variable of this name has another dtype; one without a value takes
    the shape that is asked for now."""
    if found.dtype is not template.dtype:
        asked, there = template.dtype, found.dtype
        raise _of_another_type(asked, there, node)
    if not found.initialized:
        found.shape = template.shape


def _of_another_type(asked: "DType", there: "DType", node: "Node") -> errors.OpError:
    if node.type == "VarHandleOp":
        return errors.InvalidArgumentError(
            None, node,
            "Trying to read variable with wrong dtype. Expected "
            f"{dtypes.cpp_name(asked)} got {dtypes.cpp_name(there)}",
        )  # fmt: skip
    return errors.InternalError(
        None, node,
        f"Output 0 of type {dtypes.cpp_name(there)}_ref does not match declared output "
        f"type {dtypes.cpp_name(asked)}_ref for node {node.name}",
    )  # fmt: skip


def limit_of(config: Any) -> float:
    """The seconds that a session may take to find its servers, or 0."""
    return getattr(config, "operation_timeout_in_ms", 0) / 1000


def filters_of(config: Any) -> Any:
    """Whether a ConfigProto lets its session see a task, by the name of that."""
    spec = devices.DeviceSpec.from_string
    wanted = [spec(f) for f in getattr(config, "device_filters", ())]
    return lambda name: not wanted or any(covers(w, spec(name)) for w in wanted)
