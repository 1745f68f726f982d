"""Sessions whose master is in another process: clients of its MasterService."""

import threading
from typing import Any

from twinflow.base import blocking, errors, logging
from twinflow.execute.session_config import limit_of
from twinflow.formats import protos
from twinflow.graph.node import Node
from twinflow.remote import tensors
from twinflow.remote.links import Link, at_home, error_of
from twinflow.remote.slices import name_of

_FAREWELL = 2.0  # seconds for a master to hear of the end of a session


class ClientSession:
    """A session at a master of another process.

    Args:
        link: to the master. graph: the Graph. config: the ConfigProto, or None.
    """

    def __init__(self, link: Link, graph: Any, config: Any) -> None:
        self._link, self._graph, self._config = link, graph, config
        self._sent: set = set()  # names of the nodes that the master has
        self._functions: set = set()
        self._size = -1  # of the graph when it was sent
        self._handle, self._version = "", 0
        self._sending = threading.Lock()
        self._running: dict = {}
        self.cancelled: str | None = None

    # ------------------------------------------------------------------ graph
    def _send_graph(self) -> None:
        """Let the master have all nodes."""
        with self._sending:
            if self._size == len(self._graph.nodes):
                return
            size, new = len(self._graph.nodes), self._new_nodes()
            if not self._handle:
                self._create(new)
            elif new.node:
                request = protos.ExtendSessionRequest(
                    session_handle=self._handle, graph_def=new,
                    current_graph_version=self._version,
                )  # fmt: skip
                found = self._call("ExtendSession", request)
                self._version = found.new_graph_version
            self._sent.update(n.name for n in new.node)
            self._functions.update(f.signature.name for f in new.library.function)
            self._size = size

    def _create(self, graph_def: Any) -> None:
        request = protos.CreateSessionRequest(graph_def=graph_def, config=self._config)
        found = self._call("CreateSession", request)
        self._handle, self._version = found.session_handle, found.graph_version

    def _new_nodes(self) -> Any:
        """The GraphDef of what the master does not know."""
        whole = self._graph.as_graph_def()
        nodes = [n for n in whole.node if n.name not in self._sent]
        known = self._functions
        functions = [f for f in whole.library.function if f.signature.name not in known]
        found = protos.GraphDef(node=nodes, versions=whole.versions)
        found.library.function.extend(functions)
        slopes = whole.library.gradient
        found.library.gradient.extend(g for g in slopes if g.function_name not in known)
        return found

    # ------------------------------------------------------------------ steps
    def plan(self, flat: tuple, feeds: tuple) -> "RemoteRun":
        """What runs a step."""
        self._send_graph()
        return RemoteRun(self, flat, feeds)

    def step(self, request: Any, limit: int) -> Any:
        """The response of a RunStepRequest.

        Args:
            limit: milliseconds that the caller allows, or 0.
        """
        self._send_graph()
        request.session_handle = self._handle
        request.store_errors_in_response_body = True
        if limit and not request.options.timeout_in_ms:
            request.options.timeout_in_ms = limit
        response = self._call("RunStep", request)
        if response.status_code:
            found = error_of(response.status_code, response.status_error_message)
            raise at_home(found, self._graph)
        return response

    def _call(self, method: str, request: Any) -> Any:
        with blocking.owned(self):
            call = self._link.start("MasterService", method, request, blocking.left())
            self._running[call] = None
            try:
                return self._link.result(call)
            except errors.OpError as error:
                raise at_home(error, self._graph) from None
            finally:
                del self._running[call]

    # ------------------------------------------------------------------ runs in steps
    def set_up(self, fetches: list, feeds: list) -> str:
        """The handle of a run in several steps; all by name."""
        self._send_graph()
        request = protos.PartialRunSetupRequest(
            session_handle=self._handle, feed=feeds,
            fetch=[f for f in fetches if ":" in f],
            target=[f for f in fetches if ":" not in f],
        )  # fmt: skip
        return self._call("PartialRunSetup", request).partial_run_handle

    def go_on(self, handle: str, flat: list, pairs: list) -> list:
        """The values of fetches of such a run."""
        run = RemoteRun(self, tuple(flat), tuple(t for t, _ in pairs))
        request = run.request([a for _, a in pairs])
        request.partial_run_handle = handle
        values = iter(run.values(self.step(request, 0)))
        return [None if isinstance(f, Node) else next(values) for f in flat]

    # ------------------------------------------------------------------ life
    def devices(self) -> list:
        """The DeviceAttributes of the devices that the master sees."""
        self._send_graph()
        request = protos.ListDevicesRequest(session_handle=self._handle)
        found = self._call("ListDevices", request)
        return [*found.local_device, *found.remote_device]

    def close(self) -> None:
        """End the session at its master, if it can be told."""
        text = "Step was cancelled by an explicit call to `Session::Close()`."
        self.cancelled = text
        if self._handle:
            request = protos.CloseSessionRequest(session_handle=self._handle)
            self._handle = ""
            try:
                self._link.call("MasterService", "CloseSession", request, _FAREWELL)
            except errors.OpError as error:
                logging.debug("%s did not hear of an end: %s", self._link.whose, error)
        for call in list(self._running):
            call.cancel()
        self._link.close()


class RemoteRun:
    """A run at a master of another process; stands for a Plan.

    Args:
        client: the ClientSession. flat: tensors and nodes. feeds: tensors.
    """

    given: set
    refused: Any

    def __init__(self, client: ClientSession, flat: tuple, feeds: tuple) -> None:
        self._client, self._feeds = client, feeds
        self._fetches = [f for f in flat if not isinstance(f, Node)]
        self._names = [name_of(f) for f in self._fetches]
        self._targets = [f.name for f in flat if isinstance(f, Node)]

    def request(self, arrays: list) -> Any:
        """The RunStepRequest for the values of the feeds."""
        found = protos.RunStepRequest(
            fetch=dict.fromkeys(self._names), target=self._targets
        )
        for t, array in zip(self._feeds, arrays):
            tensors.put(found.feed, name_of(t), array, t.dtype)
        return found

    def values(self, response: Any) -> list:
        """The arrays of a RunStepResponse."""
        found = tensors.arrays(response.tensor)
        return [tensors.own(found[name]) for name in self._names]

    def use_up(self, arrays: list) -> list:
        """The values of the fetches."""
        return self.observed(arrays, None, None)

    run = use_up

    def observed(self, arrays: list, options: Any, metadata: Any) -> list:
        """The same with RunOptions, and a RunMetadata that is filled in."""
        request = self.request(arrays)
        if options is not None:
            request.options.MergeFromString(options.SerializeToString())
        limit = limit_of(options, self._client._config)
        response = self._client.step(request, limit)
        if metadata is not None:
            metadata.ParseFromString(response.metadata.SerializeToString())
        return self.values(response)
