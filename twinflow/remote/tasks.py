"""Tasks of other processes: how they are found, and what is asked of them.

Note [Remote]: a session's target names its master. If that server lives in another
process, the session is a client of TensorFlow's MasterService there, which may be a
server of TensorFlow's as well: it gets the graph, and runs each step (remote.client).
A server of this process keeps such sessions of others in remote.master.

Where the master is here and a task of the cluster is not, a step is cut into parts by
task (remote.division). The master runs its own part as it runs any program, and asks
each other task, by WorkerService, to run its part; that imports the part as a graph
once (remote.worker). Tensors from and to the master go with these calls, those between
other tasks directly (Note [Rendezvous]); what a task owns (variables, queues) never
leaves it. Calls of one level go out together (Note [Lost parts]).

Every call of a server has a thread of its own while it lasts, so that one that waits at
a queue holds up nobody, and what waits is called off when its caller is gone.
"""

import time
from typing import Any

from twinflow.base import errors, logging
from twinflow.execute import servers
from twinflow.formats import protos
from twinflow.remote import service
from twinflow.remote.client import ClientSession
from twinflow.remote.division import divided  # noqa: F401 - servers.remote_tasks has it
from twinflow.remote.links import Link
from twinflow.remote.partial import partial  # noqa: F401 - and this

_MOMENT = 0.2  # seconds to wait for one of several tasks
_PATIENCE = 10.0  # seconds between two words on who is missing
_FAREWELL = 2.0  # seconds for a task to hear of the end of a session


def listen(task: Any) -> Any:
    """See service.listen."""
    return service.listen(task)


def reached(addresses: dict, limit: float) -> dict:
    """The tasks at addresses, of this process or others: {name: Task or Peer}.

    Args:
        addresses: {name: address}. limit: seconds to wait for them, or 0: as long as
            it takes.
    Raises:
        DeadlineExceededError: the limit passed.
    """
    start = said = time.monotonic()
    found: dict = {}
    peers: dict = {}
    while True:
        for name, address in addresses.items():
            if name in found:
                continue
            here = servers.task_at(address)
            if here is not None:
                found[name] = here
                continue
            if name not in peers:
                peers[name] = Peer(address, name)
            if peers[name].link.answers(_MOMENT):
                found[name] = peers[name]
        missing = [n for n in addresses if n not in found]
        if not missing:
            break
        now = time.monotonic()
        if limit and now - start > limit:
            for peer in peers.values():
                peer.link.close()
            raise errors.DeadlineExceededError(None, None, "Deadline Exceeded")
        if now - said > _PATIENCE:
            said = now
            for name in missing:
                text = "CreateSession still waiting for response from worker: %s"
                logging.info(text, name)
    for name, peer in peers.items():
        if found[name] is not peer:
            peer.link.close()
    return {name: found[name] for name in addresses}


class Peer:
    """A task of another process.

    Args:
        address: where it listens. name: of the task, or a target.
    """

    def __init__(self, address: str, name: str) -> None:
        target = name.startswith("grpc://")
        self.link = Link(address, name, pings=not target)
        self._known: set = set()  # the handles of sessions that it has

    def device_names(self, prefix: str) -> list[str]:
        """The names of its devices, below a task's name."""
        found = self._ask("GetStatus").device_attributes
        return [f"{prefix}/{d.name.rpartition('/')[2]}" for d in found]

    def clear(self, containers: Any) -> None:
        """Empty containers."""
        self._ask("CleanupAll", container=containers)

    def _ask(self, method: str, **fields: Any) -> Any:
        request = getattr(protos, f"{method}Request")(**fields)
        return self.link.call("WorkerService", method, request)

    # ------------------------------------------------------------------ parts
    def register(self, handle: str, graph_def: Any, isolated: bool) -> str:
        """Give the task a part of a session's graph; the handle of that."""
        if handle not in self._known:
            self._ask(
                "CreateWorkerSession", session_handle=handle,
                isolate_session_state=isolated,
            )  # fmt: skip
            self._known.add(handle)
        found = self._ask(
            "RegisterGraph", session_handle=handle, graph_def=graph_def,
            create_worker_session_called=True,
        )  # fmt: skip
        return found.graph_handle

    def forget(self, handle: str) -> None:
        """Tell the task that a session has ended, if it can be told; no more is asked
        of it for that session."""
        if handle in self._known:
            self._known.discard(handle)
            request = protos.DeleteWorkerSessionRequest(session_handle=handle)
            try:
                self.link.call(
                    "WorkerService", "DeleteWorkerSession", request, _FAREWELL
                )
            except errors.OpError as error:
                logging.debug("%s did not hear of an end: %s", self.link.whose, error)
        self.link.close()

    # ------------------------------------------------------------------ masters
    def new_session(self, graph: Any, config: Any) -> ClientSession:
        """A session of which this is the master."""
        return ClientSession(self.link, graph, config)

    def reset(self, containers: list, filters: list, limit: float) -> None:
        """Empty containers of its cluster."""
        request = protos.ResetRequest(container=containers, device_filters=filters)
        self.link.call("MasterService", "Reset", request, limit or None)
        self.link.close()
