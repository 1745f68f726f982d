"""The master's part of a server: sessions of other processes (Note [Remote])."""

import secrets
import threading
from typing import Any

from twinflow.base import errors
from twinflow.execute import servers
from twinflow.execute.server_cells import filters_of
from twinflow.execute.session_config import checked
from twinflow.formats import protos
from twinflow.remote import steps, tensors
from twinflow.remote.imported import session_of


class MasterSession:
    """A session that another process has at a server of this one.

    Args:
        target: of the server. request: the CreateSessionRequest.
    Attributes:
        handle: how the other process calls it. version: how often the graph has grown.
    """

    def __init__(self, target: str, request: Any) -> None:
        self.handle = secrets.token_hex(8)
        self.version = 0
        self._target, self._config = target, checked(request.config)
        self._graph_def = protos.GraphDef()
        self._growing = threading.Lock()
        self._kept: dict = {}
        self._steps: set = set()
        self._callables: dict = {}
        self._older: list = []
        self.session = self._made(request.graph_def)

    def _made(self, graph_def: Any) -> Any:
        """The session of the graph as it is with more nodes."""
        whole = protos.GraphDef()
        whole.CopyFrom(self._graph_def)
        whole.node.extend(graph_def.node)
        whole.versions.CopyFrom(graph_def.versions)
        _join_libraries(whole.library, graph_def.library)
        found = session_of(self._target, whole, self._config, self.handle, self._kept)
        self._graph_def = whole
        return found

    def extend(self, request: Any) -> int:
        """Add nodes to the graph; returns its new version.

        Raises:
            AbortedError: the other process knows another version.
        """
        with self._growing:
            if request.current_graph_version != self.version:
                raise errors.AbortedError(
                    None, None,
                    f"Current version is {self.version}, but caller expected "
                    f"{request.current_graph_version}.",
                )  # fmt: skip
            if request.graph_def.node or request.graph_def.library.function:
                new = self._made(request.graph_def)
                self._older.append(self.session)
                self.session = new
            self.version += 1
            return self.version

    def run(self, request: Any, response: Any, step: Any) -> None:
        """Run a step and fill in its response."""
        self._check()
        feeds = tensors.arrays(request.feed)
        session = self.session
        if request.partial_run_handle:
            values = _go_on(session, request, feeds)
        else:
            options = request.options if request.HasField("options") else None
            metadata = None if options is None else response.metadata
            with _Running(self, step):
                values = steps.run(
                    session, step, list(request.fetch), list(request.target), feeds,
                    options, metadata,
                )  # fmt: skip
        for name, value in zip(request.fetch, values):
            dtype = session.graph.as_graph_element(_full(name)).dtype
            tensors.put(response.tensor, name, value, dtype)

    def set_up(self, request: Any) -> str:
        """The handle of a run in several steps."""
        self._check()
        fetches = [*map(_full, request.fetch), *request.target]
        return self.session.partial_run_setup(fetches, list(map(_full, request.feed)))

    # ------------------------------------------------------------------ callables
    def keep_callable(self, options: Any) -> int:
        """The number of a CallableOptions."""
        number = len(self._callables)
        self._callables[number] = protos.CallableOptions.FromString(
            options.SerializeToString()
        )
        return number

    def call(self, request: Any, response: Any, step: Any) -> None:
        """Run what `keep_callable` got."""
        self._check()
        options = self._callables.get(request.handle)
        if options is None:
            raise errors.invalid(f"No such callable handle: {request.handle}")
        if len(request.feed) != len(options.feed):
            raise errors.invalid(
                f"The callable takes {len(options.feed)} tensors, and got "
                f"{len(request.feed)}."
            )
        feeds = dict(zip(options.feed, map(_array, request.feed)))
        session = self.session
        with _Running(self, step):
            for c in options.tensor_connection:
                taken = steps.run(session, step, [c.from_tensor], [], feeds)
                feeds[c.to_tensor] = taken[0]
            values = steps.run(
                session, step, list(options.fetch), list(options.target), feeds,
                options.run_options, response.metadata,
            )  # fmt: skip
        for name, value in zip(options.fetch, values):
            dtype = session.graph.as_graph_element(_full(name)).dtype
            response.fetch.append(tensors.as_message(value, dtype, name))

    def release(self, number: int) -> None:
        """Forget a callable."""
        if self._callables.pop(number, None) is None:
            raise errors.invalid(f"No such callable handle: {number}")

    # ------------------------------------------------------------------ life
    def _check(self) -> None:
        if self.session._closed:
            raise gone(self.handle)

    def cancel(self, step: Any, text: str) -> None:
        """Call off what a step waits for."""
        for session in [*self._older, self.session]:
            step.cancel(session._home, text)

    def close(self) -> None:
        """End the session, and its steps."""
        text = "Step was cancelled by an explicit call to `Session::Close()`."
        for step in list(self._steps):
            self.cancel(step, text)
        for session in [*self._older, self.session]:
            session.close()


class _Running:
    """The block of a step of a session."""

    def __init__(self, master: MasterSession, step: Any) -> None:
        self._steps, self._step = master._steps, step

    def __enter__(self) -> None:
        self._steps.add(self._step)

    def __exit__(self, *exc: Any) -> None:
        self._steps.discard(self._step)


def gone(handle: str) -> errors.OpError:
    """The error of a session that is not there, or no longer."""
    return errors.AbortedError(None, None, f"Session {handle} is not found.")


def reset(task: Any, request: Any) -> None:
    """Empty containers of the tasks of a cluster."""
    config = protos.ConfigProto(device_filters=request.device_filters)
    filters = filters_of(config), list(request.device_filters)
    target = f"grpc://localhost:{task.port}"
    servers.reset(target, list(request.container), filters, 0)


def _go_on(session: Any, request: Any, feeds: dict) -> list:
    fetches = [*map(_full, request.fetch), *request.target]
    given = {_full(n): a for n, a in feeds.items()}
    found = session.partial_run(request.partial_run_handle, fetches, given)
    return found[: len(request.fetch)]


def _full(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _array(proto: Any) -> Any:
    return tensors.array_of(proto, "of a callable")


def _join_libraries(whole: Any, more: Any) -> None:
    known = {f.signature.name for f in whole.function}
    whole.function.extend(f for f in more.function if f.signature.name not in known)
    slopes = {g.function_name for g in whole.gradient}
    whole.gradient.extend(g for g in more.gradient if g.function_name not in slopes)
