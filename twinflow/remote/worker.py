"""The worker's part of a server: parts of steps that masters have (Note [Remote])."""

import secrets
from typing import Any

from twinflow.base import errors
from twinflow.execute.servers import name_of
from twinflow.remote import rendezvous, steps, tensors
from twinflow.remote.imported import config_for, session_of
from twinflow.remote.links import Link

KEPT = "_Send"  # the type of the nodes that say what is kept for other tasks
SENDER = "_send_device"  # the attribute that says which task keeps a tensor
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
        self._parts: dict = {}  # {handle: _Part}
        self._steps: dict = {}
        self._links: dict = {}  # {name of a task: Link}

    def register(self, graph_def: Any) -> str:
        """The handle of a part of the graph."""
        own = name_of(self._task.job, self._task.index)
        part = _Part(graph_def)
        part.session = session_of(
            f"grpc://localhost:{self._task.port}", graph_def,
            config_for(own, self._isolated), self.handle, self._kept,
        )  # fmt: skip
        part.ends = _ends(part.session.graph)
        handle = secrets.token_hex(8)
        self._parts[handle] = part
        return handle

    def deregister(self, handle: str) -> None:
        """Forget a part."""
        self._part(handle)
        del self._parts[handle]

    def run(self, request: Any, response: Any, step: Any) -> None:
        """Run a part and fill in the response."""
        part = self._part(request.graph_handle)
        session, kept = part.session, list(part.kept)
        self._steps[step] = session
        try:
            feeds = self._feeds(request, part, step)
            fetches = [*request.recv_key, *kept]
            taken = {name.partition(":")[0] for name in fetches}
            targets = [n for n in part.ends if n not in taken]
            values: list = []
            if fetches or targets:
                values = steps.run(session, step, fetches, targets, feeds)
        finally:
            del self._steps[step]
        count = len(request.recv_key)
        for name, value in zip(fetches[:count], values):
            self._give(request, response, name, value, session)
        for name, value in zip(kept, values[count:]):
            dtype = session.graph.as_graph_element(name).dtype
            self._keep(request, part.kept[name], value, dtype)

    def _give(
        self, request: Any, response: Any, name: str, value: Any, session: Any
    ) -> None:
        """Put a value into the response, or keep it where it is large."""
        dtype = session.graph.as_graph_element(name).dtype
        if rendezvous.is_large(value):
            self._keep(request, name, value, dtype)
            response.recv.add(name=name + rendezvous.LARGE)
        else:
            tensors.put(response.recv, name, value, dtype)

    def _keep(self, request: Any, key: str, value: Any, dtype: Any) -> None:
        kept = self._task.rendezvous
        kept.put(request.step_id, key, value, dtype, self.handle)

    def _feeds(self, request: Any, part: "_Part", step: Any) -> dict:
        """{name: array}: what came with the request, and what other tasks keep."""
        found, awaited = {}, dict(part.awaited)
        for sent in request.send:
            if sent.name.endswith(rendezvous.LARGE):
                name = sent.name.removesuffix(rendezvous.LARGE)
                master = sent.tensor.string_val[0].decode()
                awaited[name] = name, master
            else:
                found[sent.name] = tensors.array_of(sent.tensor, sent.name)
        calls = part.session._home.calls
        for name, (key, place) in awaited.items():
            ours: list = []

            def note(call: Any, ours: list = ours) -> None:
                ours.append(call)
                calls[call] = step

            try:
                link = self._link(place)
                found[name] = rendezvous.fetched(link, request.step_id, key, note)
            finally:
                for call in ours:
                    calls.pop(call, None)
        return found

    def _link(self, place: str) -> Link:
        """To another task of the cluster."""
        if place not in self._links:
            tasks = {name_of(*k): a for k, a in self._task.cluster.items()}
            if place not in tasks:
                raise errors.invalid(f"{place} is no task of this cluster.")
            self._links[place] = Link(tasks[place], place, pings=True)
        return self._links[place]

    def _part(self, handle: str) -> "_Part":
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
        for part in list(self._parts.values()):
            part.session.close()
        self._task.rendezvous.forget_session(self.handle)
        for link in list(self._links.values()):
            link.close()


class _Part:
    """A part of a graph, whose GraphDef says too what is kept and awaited.

    Attributes:
        session: the Session. ends: names of nodes that always run.
        kept: {tensor: key}. awaited: {tensor: (key, name of the task that keeps it)}.
    """

    session: Any
    ends: list

    def __init__(self, graph_def: Any) -> None:
        self.kept: dict = {}
        self.awaited: dict = {}
        plain = []
        for node in graph_def.node:
            key = node.attr["tensor_name"].s.decode() if node.attr else ""
            if node.op == KEPT and len(node.input) == 1:
                self.kept[_full(node.input[0])] = key
                continue
            if SENDER in node.attr:
                place = node.attr.pop(SENDER).s.decode()
                self.awaited[f"{node.name}:0"] = key, place
            node.attr.pop("tensor_name", None)
            plain.append(node)
        if len(plain) < len(graph_def.node):
            rest = [type(n).FromString(n.SerializeToString()) for n in plain]
            del graph_def.node[:]
            graph_def.node.extend(rest)


def _full(name: str) -> str:
    return name if ":" in name else f"{name}:0"


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
