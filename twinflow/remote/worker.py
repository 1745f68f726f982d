"""The worker's part of a server: parts of steps that masters have (Note [Remote])."""

import secrets
from typing import Any

from twinflow.base import errors
from twinflow.execute.servers import name_of
from twinflow.remote import steps, tensors
from twinflow.remote.imported import config_for, session_of

RECEIVED = ".recv/"  # what the nodes are called that stand for tensors of other parts


class WorkerSession:
    """What a session of a master has at this task.

    Args:
        task: the Task. request: the CreateWorkerSessionRequest.
    """

    def __init__(self, task: Any, request: Any) -> None:
        self.handle = request.session_handle
        self._task, self._isolated = task, request.isolate_session_state
        self._kept: dict = {}
        self._parts: dict = {}  # {handle: (Session, names of nodes that always run)}
        self._steps: dict = {}

    def register(self, graph_def: Any) -> str:
        """The handle of a part of the graph."""
        own = name_of(self._task.job, self._task.index)
        session = session_of(
            f"grpc://localhost:{self._task.port}", graph_def,
            config_for(own, self._isolated), self.handle, self._kept,
        )  # fmt: skip
        handle = secrets.token_hex(8)
        self._parts[handle] = session, _ends(session.graph)
        return handle

    def deregister(self, handle: str) -> None:
        """Forget a part."""
        self._part(handle)
        del self._parts[handle]

    def run(self, request: Any, response: Any, step: Any) -> None:
        """Run a part and fill in the response."""
        session, ends = self._part(request.graph_handle)
        feeds = tensors.arrays(request.send)
        fetches = list(request.recv_key)
        taken = {name.partition(":")[0] for name in fetches}
        targets = [n for n in ends if n not in taken]
        self._steps[step] = session
        try:
            if fetches or targets:
                values = steps.run(session, step, fetches, targets, feeds)
            else:
                values = []
        finally:
            del self._steps[step]
        for name, value in zip(fetches, values):
            dtype = session.graph.as_graph_element(name).dtype
            tensors.put(response.recv, name, value, dtype)

    def _part(self, handle: str) -> tuple:
        found = self._parts.get(handle)
        if found is None:
            text = f"Graph handle is not found: {handle}."
            text = f"{text} Possibly, this worker just restarted."
            raise errors.AbortedError(None, None, text)
        return found

    def cancel(self, step: Any, text: str) -> None:
        """Call off what a step waits for."""
        session = self._steps.get(step)
        if session is not None:
            step.cancel(session._home, text)

    def close(self) -> None:
        """End the steps, and forget what the session has made."""
        for step in list(self._steps):
            self.cancel(step, "Step was cancelled: the session of its master ended.")
        for session, _ in list(self._parts.values()):
            session.close()


def gone(task: Any, handle: str) -> errors.OpError:
    """The error of a session that this task does not know."""
    name = name_of(task.job, task.index)
    return errors.AbortedError(
        None, None,
        f"Session handle is not found: {handle}. Possibly this worker ({name}) just "
        "restarted.",
    )  # fmt: skip


def _ends(graph: Any) -> list:
    """The names of the nodes that nothing else needs."""
    needed: set = set()
    for node in graph.nodes:
        needed.update(t.op for t in node.inputs)
        needed.update(node.after)
    return [
        n.name for n in graph.nodes
        if n not in needed and n.region is None and not n.name.startswith(RECEIVED)
    ]  # fmt: skip
