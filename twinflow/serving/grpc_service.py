"""TensorFlow Serving's gRPC interface, on grpc.aio."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import message

from twinflow.base import errors, logging
from twinflow.formats.serving_protos import health, serving
from twinflow.serving.inference import CLASSIFY, REGRESS
from twinflow.serving.messages import (
    check_fields,
    examples_of,
    feeds_of,
    metadata_of,
    put_classes,
    put_outputs,
    put_spec,
    put_values,
    signature_of,
)
from twinflow.serving.servable import invalid
from twinflow.serving.service import Service, code_and_text
from twinflow.serving.settings import Settings
from twinflow.serving.statuses import statuses

_CODES = {code.value[0]: code for code in grpc.StatusCode}
_PREDICTION = "tensorflow.serving.PredictionService"
_MODEL = "tensorflow.serving.ModelService"
_HEALTH = "grpc.health.v1.Health"
_WATCHES = 1.0  # seconds between looks of those who watch the health
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
        options = [
            ("grpc.max_receive_message_length", settings.max_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ]
        self._server = grpc.aio.server(options=options)
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
        await self._server.start()

    async def drain(self, end: float) -> None:
        """Take no further call, and wait for those that run until `end`."""
        await self._server.stop(max(end - time.monotonic(), 0))

    # ------------------------------------------------------------------ around
    def _unary(self, kind: str, method: str, work: Callable) -> Any:
        """The handler of a method that answers messages of a kind."""

        async def answer(content: bytes, context: Any) -> Any:
            try:
                request = serving[f"{kind}Request"].FromString(content)
            except message.DecodeError as error:
                text = f"The message is no {kind}Request: {error}"
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, text)
            response = serving[f"{kind}Response"]()
            try:
                with self._service.counted(_name_in(request), method, "grpc") as one:
                    done = work(request, response, one)
                    left = context.time_remaining()
                    await self._service.runs.within(done, left)
                return response.SerializeToString()
            except Exception as error:
                code, text = code_and_text(error)
                if code == errors.INTERNAL:
                    logging.error("a call failed: %r", error, exc_info=error)
                failure = code, text
            await context.abort(_CODES[failure[0]], failure[1])

        return grpc.unary_unary_rpc_method_handler(answer)

    def _held(self, spec: Any, one: Any) -> Any:
        if not spec.name:
            raise invalid("Missing ModelSpec")
        number = spec.version.value if spec.HasField("version") else None
        return self._service.version(one, spec.name, number, spec.version_label)

    # ----------------------------------------------------------------- inference
    async def _predict(self, request: Any, response: Any, one: Any) -> None:
        spec, service = request.model_spec, self._service
        with self._held(spec, one) as version:
            signature = signature_of(version.servable, spec.signature_name)
            size, most = request.ByteSize(), service.settings.max_bytes
            feeds = await service.runs.aside(size, feeds_of, request, most)
            wanted = tuple(dict.fromkeys(request.output_filter))
            predict = service.inference.predict
            outputs = await predict(version, signature, feeds, wanted)
            put_spec(response.model_spec, version, signature.name)
        size = sum(array.nbytes for array in outputs.values())
        await service.runs.aside(size, put_outputs, response, outputs, signature)

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

    async def _check(self, request: Any, context: Any) -> Any:
        found = self._health(request.service)
        if found == _UNKNOWN:
            text = f"no service {request.service!r}"
            await context.abort(grpc.StatusCode.NOT_FOUND, text)
        return health["HealthCheckResponse"](status=found)

    async def _watch(self, request: Any, context: Any) -> Any:
        last = None
        while last is None or not self._service.draining:
            found = self._health(request.service)
            if found != last:
                yield health["HealthCheckResponse"](status=found)
            last = found
            await asyncio.sleep(_WATCHES)


def _key(spec: Any) -> str:
    return spec.signature_name or "serving_default"


def _name_in(request: Any) -> str:
    """The model that a request is for."""
    fields = request.DESCRIPTOR.fields_by_name
    if "model_spec" in fields:
        return request.model_spec.name
    if "tasks" in fields and request.tasks:
        return request.tasks[0].model_spec.name
    return ""
