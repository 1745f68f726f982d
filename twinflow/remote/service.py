"""The services of a server: what comes in by gRPC, and what goes out.

Note [Hostile messages]: a message that is no protocol buffer, or of another type, ends
its own call with an error, and so does whatever else a call raises; the server goes on.
What runs is what a GraphDef says, which may read and write files, as in TensorFlow:
let nobody reach the port whom you would not let run programs.
"""

from typing import Any

import grpc

from twinflow.base import errors, logging
from twinflow.execute import servers
from twinflow.execute.session_config import device_names
from twinflow.formats import protos
from twinflow.remote import master, worker
from twinflow.remote.links import SIZES, code_and_text
from twinflow.remote.rendezvous import Rendezvous
from twinflow.remote.steps import RemoteStep
from twinflow.remote.threads import Threads

_CODES = {code.value[0]: code for code in grpc.StatusCode}
_OPTIONS = [
    *SIZES,
    ("grpc.so_reuseport", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 1000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_ping_strikes", 0),
]


def listen(task: Any) -> Any:
    """Let other processes reach a task at its port; returns what listens.

    Raises:
        UnknownError: the port is taken.
    """
    task.rendezvous = Rendezvous()
    found = grpc.server(Threads(), options=_OPTIONS)
    handlers = [Masters(task).handler(), Workers(task).handler()]
    found.add_generic_rpc_handlers(handlers)
    try:
        port = found.add_insecure_port(f"0.0.0.0:{task.port}")
    except RuntimeError:
        port = 0
    if port != task.port:
        raise errors.UnknownError(None, None, "Could not start gRPC server")
    found.start()
    return found


class _Service:
    """The methods of a service: `Name(request, response, context)`."""

    name = ""

    def __init__(self, task: Any) -> None:
        self.task = task
        self.sessions: dict = {}

    def handler(self) -> Any:
        """What grpc calls."""
        names = [n for n in vars(type(self)) if n[0].isupper()]
        return grpc.method_handlers_generic_handler(
            f"tensorflow.{self.name}", {n: self._method(n) for n in names}
        )

    def _method(self, name: str) -> Any:
        method = getattr(self, name)
        asked = getattr(protos, f"{name}Request")
        given = getattr(protos, f"{name}Response")

        def answer(data: bytes, context: Any) -> bytes:
            request, response = asked(), given()
            try:
                _parse(request, data)
                method(request, response, context)
                return response.SerializeToString()
            except Exception as error:
                return _refused(error, request, given, context)

        return grpc.unary_unary_rpc_method_handler(answer)

    def step(self, session: Any, context: Any) -> RemoteStep:
        """A step that ends with its call."""
        found = RemoteStep()
        text = "Step was cancelled: its caller is gone."
        if not context.add_callback(lambda: session.cancel(found, text)):
            found.cancelled = text
        return found

    def reports(self) -> Any:
        """The devices of the task, as messages."""
        prefix = servers.name_of(self.task.job, self.task.index)
        for name in device_names(self.task.config, prefix):
            kind = name.split(":")[-2]
            yield protos.DeviceAttributes(
                name=name, device_type=kind, memory_limit=1 << 28,
                incarnation=id(self.task) & (1 << 63) - 1,
            )  # fmt: skip


def _parse(request: Any, data: bytes) -> None:
    try:
        request.ParseFromString(data)
    except Exception:
        name = type(request).__name__
        raise errors.invalid(
            f"Could not parse the request: {len(data)} bytes are no {name}."
        ) from None


def _refused(error: Exception, request: Any, given: Any, context: Any) -> bytes:
    """The answer of a call that failed."""
    code, text = code_and_text(error)
    if code == errors.INTERNAL and not isinstance(error, errors.OpError):
        logging.error("A call of another process failed: %s", text)
    if getattr(request, "store_errors_in_response_body", False):
        return given(status_code=code, status_error_message=text).SerializeToString()
    context.abort(_CODES[code], text[:_LONGEST])
    raise error  # abort does so before


_LONGEST = 3072  # what fits into the headers of an answer


# ---------------------------------------------------------------------- masters
class Masters(_Service):
    """tensorflow.MasterService."""

    name = "MasterService"

    def session(self, request: Any) -> Any:
        """The session of a request."""
        found = self.sessions.get(request.session_handle)
        if found is None:
            raise master.gone(request.session_handle)
        return found

    def CreateSession(self, request: Any, response: Any, context: Any) -> None:
        """A session with a graph."""
        target = f"grpc://localhost:{self.task.port}"
        found = master.MasterSession(target, request)
        self.sessions[found.handle] = found
        response.session_handle, response.graph_version = found.handle, found.version

    def ExtendSession(self, request: Any, response: Any, context: Any) -> None:
        """More nodes for a graph."""
        response.new_graph_version = self.session(request).extend(request)

    def PartialRunSetup(self, request: Any, response: Any, context: Any) -> None:
        """A run in several steps."""
        response.partial_run_handle = self.session(request).set_up(request)

    def RunStep(self, request: Any, response: Any, context: Any) -> None:
        """A run."""
        found = self.session(request)
        found.run(request, response, self.step(found, context))

    def CloseSession(self, request: Any, response: Any, context: Any) -> None:
        """The end of a session."""
        self.session(request).close()
        del self.sessions[request.session_handle]

    def ListDevices(self, request: Any, response: Any, context: Any) -> None:
        """The devices that a session sees, or this task's own."""
        if not request.session_handle:
            response.local_device.extend(self.reports())
            return
        own = servers.name_of(self.task.job, self.task.index)
        for d in self.session(request).session.list_devices():
            here = d.name.startswith(own + "/")
            field = response.local_device if here else response.remote_device
            field.add(
                name=d.name, device_type=d.device_type, incarnation=d.incarnation,
                memory_limit=d.memory_limit_bytes,
            )  # fmt: skip

    def Reset(self, request: Any, response: Any, context: Any) -> None:
        """Empty containers; all sessions of this server end."""
        for handle in list(self.sessions):
            self.sessions.pop(handle).close()
        master.reset(self.task, request)

    def MakeCallable(self, request: Any, response: Any, context: Any) -> None:
        """A run whose fetches and feeds are said once."""
        response.handle = self.session(request).keep_callable(request.options)

    def RunCallable(self, request: Any, response: Any, context: Any) -> None:
        """Such a run."""
        found = self.session(request)
        found.call(request, response, self.step(found, context))

    def ReleaseCallable(self, request: Any, response: Any, context: Any) -> None:
        """The end of such runs."""
        self.session(request).release(request.handle)


# ---------------------------------------------------------------------- workers
class Workers(_Service):
    """tensorflow.WorkerService, as far as masters of this package ask."""

    name = "WorkerService"

    def session(self, request: Any) -> Any:
        """The session of a request."""
        found = self.sessions.get(request.session_handle)
        if found is None:
            raise worker.gone(self.task, request.session_handle)
        return found

    def GetStatus(self, request: Any, response: Any, context: Any) -> None:
        """The devices of this task."""
        response.device_attributes.extend(self.reports())

    def CreateWorkerSession(self, request: Any, response: Any, context: Any) -> None:
        """A session of a master, unless it is known."""
        if request.session_handle not in self.sessions:
            found = worker.WorkerSession(self.task, request)
            self.sessions[request.session_handle] = found

    def DeleteWorkerSession(self, request: Any, response: Any, context: Any) -> None:
        """The end of such a session."""
        self.session(request).close()
        del self.sessions[request.session_handle]

    def RegisterGraph(self, request: Any, response: Any, context: Any) -> None:
        """A part of a graph."""
        response.graph_handle = self.session(request).register(request.graph_def)

    def DeregisterGraph(self, request: Any, response: Any, context: Any) -> None:
        """The end of a part."""
        self.session(request).deregister(request.graph_handle)

    def RunGraph(self, request: Any, response: Any, context: Any) -> None:
        """One run of a part."""
        found = self.session(request)
        found.run(request, response, self.step(found, context))

    def RecvTensor(self, request: Any, response: Any, context: Any) -> None:
        """A tensor that is kept here, or a piece of it."""
        self.task.rendezvous.answer(request, response)

    def CleanupGraph(self, request: Any, response: Any, context: Any) -> None:
        """The end of a step that kept something here."""
        self.task.rendezvous.forget(request.step_id)

    def CleanupAll(self, request: Any, response: Any, context: Any) -> None:
        """Empty containers."""
        self.task.clear(request.container)
