"""TensorFlow Serving's gRPC interface, on grpcio.

Note [Threads of gRPC]: each call has a thread. A quick prediction is made in it; all
else waits there for the event loop, where requests of both interfaces meet. grpc.aio
would save these threads, but it takes twice as long for a quick prediction.
"""

import asyncio
import contextlib
import inspect
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
from google.protobuf import message

from twinflow.base import errors, logging
from twinflow.formats.serving_protos import health, serving
from twinflow.serving.calls_ahead import ask_ahead
from twinflow.serving.inference import CLASSIFY, REGRESS
from twinflow.serving.messages import (
    check_fields,
    examples_of,
    feeds_of,
    metadata_of,
    predicted,
    put_classes,
    put_spec,
    put_values,
    signature_of,
)
from twinflow.serving.servable import invalid
from twinflow.serving.service import Service, code_and_text
from twinflow.serving.settings import Settings
from twinflow.serving.statuses import statuses
from twinflow.serving.threads import Threads

_CODES = {code.value[0]: code for code in grpc.StatusCode}
_PREDICTION = "tensorflow.serving.PredictionService"
_MODEL = "tensorflow.serving.ModelService"
_HEALTH = "grpc.health.v1.Health"
_WATCHES = 1.0  # seconds between looks of those who watch the health
_WATCHERS = 64  # at the same time; each takes a thread
_HEARD = 0.05  # seconds for clients to hear of the end
_THREADS = 10  # beside those that wait
_SERVING, _NOT_SERVING, _UNKNOWN = 1, 2, 3


class GrpcService:
    """The services of a port, which is bound at once and answers after `start`.

    Args:
        service: the Service. settings: the Settings.
        reload: whether clients may say which models are served.
    Raises:
        OSError: the port is taken.
    """

    def __init__(self, service: Service, settings: Settings, reload: bool) -> None:
        self._service, self._reload = service, reload
        self._reloading = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._watchers = threading.BoundedSemaphore(_WATCHERS)
        self._closing, self._let_go = threading.Event(), threading.Event()
        options = [
            ("grpc.max_receive_message_length", settings.max_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ]
        self._threads = Threads(_THREADS, "serving-grpc")
        self._server = grpc.server(self._threads, options=options)
        self._server.add_generic_rpc_handlers(self._handlers())
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        try:
            self.port = self._server.add_insecure_port(f"{host}:{settings.grpc_port}")
        except RuntimeError as error:
            raise OSError(
                f"cannot listen at {host}:{settings.grpc_port} for gRPC: {error}"
            ) from None

    def _handlers(self) -> tuple:
        prediction = {
            "Predict": self._unary("Predict", "predict", self._predict),
            "Classify": self._unary("Classification", "classify", self._classify),
            "Regress": self._unary("Regression", "regress", self._regress),
            "MultiInference": self._unary("MultiInference", "multi", self._multi),
            "GetModelMetadata": self._unary(
                "GetModelMetadata", "metadata", self._metadata
            ),
        }
        model = {
            "GetModelStatus": self._unary("GetModelStatus", "status", self._status),
            "HandleReloadConfigRequest": self._unary(
                "ReloadConfig", "reload", self._configure
            ),
        }
        asks = dict(
            request_deserializer=health["HealthCheckRequest"].FromString,
            response_serializer=health["HealthCheckResponse"].SerializeToString,
        )
        checks = {
            "Check": grpc.unary_unary_rpc_method_handler(self._check, **asks),
            "Watch": grpc.unary_stream_rpc_method_handler(self._watch, **asks),
        }
        return tuple(
            grpc.method_handlers_generic_handler(name, handlers)
            for name, handlers in (
                (_PREDICTION, prediction), (_MODEL, model), (_HEALTH, checks)
            )
        )  # fmt: skip

    async def start(self) -> None:
        """Answer."""
        self._server.start()
        ask_ahead(self._server)

    async def drain(self, end: float) -> None:
        """Take no further call, and wait for those that run until `end`.

        Answers are held back until the clients have heard that this server ends: one
        that has its answer would begin the next call, which is lost if it arrives
        between the two (Note [Calls ahead]).
        """
        self._closing.set()
        await asyncio.sleep(_HEARD)
        stopped = self._server.stop(max(end - time.monotonic(), 0))
        await asyncio.sleep(_HEARD)
        self._let_go.set()
        await self._loop.run_in_executor(None, stopped.wait)
        self._threads.shutdown()

    # ------------------------------------------------------------------ around
    def _unary(self, kind: str, method: str, work: Callable) -> Any:
        """The handler of a method that answers messages of a kind.

        Args:
            work: called with the request, the response to fill, what is counted and
                the context; a coroutine function without the last, on the event loop.
        """
        ask, give = serving[f"{kind}Request"], serving[f"{kind}Response"]
        named = _name_of(ask)
        if inspect.iscoroutinefunction(work):
            slow = work

            def work(*args: Any) -> None:
                self._finish(args[-1], slow, *args[:-1])

        def answer(content: bytes, context: Any) -> Any:
            try:
                request, response = ask.FromString(content), give()
            except message.DecodeError as error:
                text = f"The message is no {kind}Request: {error}"
                context.abort(grpc.StatusCode.INVALID_ARGUMENT, text)
            try:
                with self._service.counted(named(request), method, "grpc") as one:
                    found = work(request, response, one, context)
                found = response.SerializeToString() if found is None else found
                if self._closing.is_set():
                    self._let_go.wait()
                return found
            except Exception as error:
                code, text = code_and_text(error)
                if code == errors.INTERNAL:
                    logging.error("a call failed: %r", error, exc_info=error)
            context.abort(_CODES[code], text)

        return grpc.unary_unary_rpc_method_handler(answer)

    def _finish(self, context: Any, work: Callable, *args: Any) -> None:
        """Wait for `work(*args)` on the event loop, as long as the client does."""
        left = context.time_remaining()

        async def within() -> None:
            await self._service.runs.within(work(*args), left)

        done = asyncio.run_coroutine_threadsafe(within(), self._loop)
        if not context.add_callback(done.cancel):
            done.cancel()
        with self._threads.waiting():
            done.result()

    @contextlib.contextmanager
    def _held(self, spec: Any, one: Any) -> Iterator[Any]:
        """A block that holds the version that a ModelSpec is for."""
        if not spec.name:
            raise invalid("Missing ModelSpec")
        number = spec.version.value if spec.HasField("version") else None
        manager = self._service.manager
        version = manager.held(spec.name, number, spec.version_label)
        one.version = version.number
        try:
            yield version
        finally:
            version.release()

    # ----------------------------------------------------------------- inference
    def _predict(self, request: Any, response: Any, one: Any, context: Any) -> bytes:
        spec, service, inference = (
            request.model_spec, self._service, self._service.inference
        )  # fmt: skip
        with self._held(spec, one) as version:
            signature = signature_of(version.servable, spec.signature_name)
            feeds = feeds_of(request, service.settings.max_bytes)
            names = tuple(request.output_filter)
            if inference.is_quick(version, signature, feeds):
                wanted = inference.accepted(signature, feeds, names)
                with service.runs.places:
                    outputs = version.servable.run(signature, feeds, wanted)
            else:
                outputs = {}
                self._finish(
                    context, self._predicted, version, signature, feeds, names, outputs
                )
            return predicted(version, signature, outputs)

    async def _predicted(
        self, version: Any, signature: Any, feeds: Any, names: tuple, outputs: dict
    ) -> None:
        predict = self._service.inference.predict
        outputs.update(await predict(version, signature, feeds, names))

    async def _classify(self, request: Any, response: Any, one: Any) -> None:
        with self._held(request.model_spec, one) as version:
            await self._infer(version, request.model_spec, request.input, CLASSIFY,
                              response.result)  # fmt: skip
            put_spec(response.model_spec, version, _key(request.model_spec))

    async def _regress(self, request: Any, response: Any, one: Any) -> None:
        with self._held(request.model_spec, one) as version:
            await self._infer(version, request.model_spec, request.input, REGRESS,
                              response.result)  # fmt: skip
            put_spec(response.model_spec, version, _key(request.model_spec))

    async def _infer(
        self, version: Any, spec: Any, given: Any, method: str, result: Any
    ) -> None:
        """Fill the result of a classification or a regression."""
        signature = signature_of(version.servable, spec.signature_name)
        runs, inference = self._service.runs, self._service.inference
        examples = list(await runs.aside(given.ByteSize(), examples_of, given))
        if method == CLASSIFY:
            put_classes(result, await inference.classify(version, signature, examples))
        else:
            put_values(result, await inference.regress(version, signature, examples))

    async def _multi(self, request: Any, response: Any, one: Any) -> None:
        if not request.tasks:
            raise invalid("Inference request must have at least one task.")
        first = request.tasks[0].model_spec
        keys = [_key(task.model_spec) for task in request.tasks]
        if len(set(keys)) < len(keys):
            raise invalid("Duplicate evaluation of signature in the tasks.")
        with self._held(first, one) as version:
            for task in request.tasks:
                if task.model_spec.name != first.name:
                    raise invalid("All tasks must have the same model name.")
                if task.method_name not in (CLASSIFY, REGRESS):
                    raise errors.UnimplementedError(
                        None, None, f"Unsupported signature method_name: "
                        f"{task.method_name}",
                    )  # fmt: skip
                found = response.results.add()
                kind = (
                    "classification" if task.method_name == CLASSIFY else "regression"
                )
                result = getattr(found, f"{kind}_result")
                result.SetInParent()
                await self._infer(
                    version, task.model_spec, request.input, task.method_name, result
                )
                put_spec(found.model_spec, version, _key(task.model_spec))

    # -------------------------------------------------------------------- models
    async def _metadata(self, request: Any, response: Any, one: Any) -> None:
        check_fields(request.metadata_field)
        with self._held(request.model_spec, one) as version:
            response.CopyFrom(metadata_of(version))

    async def _status(self, request: Any, response: Any, one: Any) -> None:
        spec = request.model_spec
        number = spec.version.value if spec.HasField("version") else None
        manager = self._service.manager
        response.CopyFrom(statuses(manager, spec.name, number, spec.version_label))

    async def _configure(self, request: Any, response: Any, one: Any) -> None:
        if not self._reload:
            raise errors.PermissionDeniedError(
                None, None,
                "This server listens beyond its own machine, and was not started with "
                "--reload-config: clients may not say which models it serves.",
            )  # fmt: skip
        loop, manager = asyncio.get_running_loop(), self._service.manager
        async with self._reloading:
            await loop.run_in_executor(None, manager.configure, request.config)
        response.status.SetInParent()

    # -------------------------------------------------------------------- health
    def _health(self, name: str) -> int:
        """Of the server as a whole (""), of a service of it, or of a model."""
        manager, known = self._service.manager, ("", _PREDICTION, _MODEL)
        if name not in known and name not in manager.names():
            return _UNKNOWN
        some = [name] if name not in known else manager.names()
        fine = all(manager.model(n).available() for n in some)
        return _SERVING if fine and not self._service.draining else _NOT_SERVING

    def _check(self, request: Any, context: Any) -> Any:
        found = self._health(request.service)
        if found == _UNKNOWN:
            text = f"no service {request.service!r}"
            context.abort(grpc.StatusCode.NOT_FOUND, text)
        return health["HealthCheckResponse"](status=found)

    def _watch(self, request: Any, context: Any) -> Iterator[Any]:
        if not self._watchers.acquire(blocking=False):
            text = f"{_WATCHERS} clients watch the health already; use Check."
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, text)
        try:
            last = None
            while context.is_active():
                found = self._health(request.service)
                if found != last:
                    yield health["HealthCheckResponse"](status=found)
                last = found
                with self._threads.waiting():
                    ends = self._closing.wait(_WATCHES)
                if ends and last == _NOT_SERVING:
                    return
        finally:
            self._watchers.release()


def _key(spec: Any) -> str:
    return spec.signature_name or "serving_default"


def _name_of(kind: Any) -> Callable[[Any], str]:
    """A function that says which model a request is for."""
    fields = kind.DESCRIPTOR.fields_by_name
    if "model_spec" in fields:
        return lambda request: request.model_spec.name
    if "tasks" in fields:
        return lambda request: request.tasks[0].model_spec.name if request.tasks else ""
    return lambda request: ""
