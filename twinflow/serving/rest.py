"""TensorFlow Serving's REST interface, as an ASGI program.

There is one path with few forms: a router and objects around requests and responses
would take as long as a small model does.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf import json_format

from twinflow.base import errors, logging
from twinflow.formats.serving_protos import serving
from twinflow.serving import json_bodies
from twinflow.serving.messages import metadata_of
from twinflow.serving.servable import invalid
from twinflow.serving.service import Service, code_and_text
from twinflow.serving.statuses import statuses

_PATH = re.compile(
    r"/v1/models/(?P<name>[^/:]+)"
    r"(?:/versions/(?P<version>[0-9]{1,19})|/labels/(?P<label>[^/:]+))?"
    r"(?P<verb>:predict|:classify|:regress|/metadata|)"
)
_METRICS = "/monitoring/prometheus/metrics"
_JSON, _LATER = b"application/json", ((b"retry-after", b"1"),)
_TOO_LARGE = 413
_HTTP = {
    errors.CANCELLED: 499, errors.UNKNOWN: 500, errors.INVALID_ARGUMENT: 400,
    errors.DEADLINE_EXCEEDED: 504, errors.NOT_FOUND: 404, errors.ALREADY_EXISTS: 409,
    errors.PERMISSION_DENIED: 403, errors.RESOURCE_EXHAUSTED: 503,
    errors.FAILED_PRECONDITION: 412, errors.ABORTED: 409, errors.OUT_OF_RANGE: 400,
    errors.UNIMPLEMENTED: 501, errors.INTERNAL: 500, errors.UNAVAILABLE: 503,
    errors.DATA_LOSS: 500, errors.UNAUTHENTICATED: 401,
}  # fmt: skip


class TooLarge(errors.ResourceExhaustedError):
    """A body above the limit."""


class Gone(Exception):
    """The client has closed its connection."""


class Request(NamedTuple):
    """A request as ASGI has it.

    Args:
        method, path: as text, the path decoded. headers: pairs of bytes, the names in
            small letters. receive: gives the next message of the client.
    """

    method: str
    path: str
    headers: list
    receive: Callable

    def header(self, name: bytes, default: str) -> str:
        """The value of a header."""
        for known, value in self.headers:
            if known == name:
                return value.decode("latin-1")
        return default


class Response(NamedTuple):
    """What is sent back."""

    status: int
    body: bytes
    headers: tuple = ()
    kind: bytes = _JSON


class Rest:
    """The ASGI program of a service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Any, receive: Callable, send: Callable) -> None:
        """Answer a request."""
        path = scope["path"]
        request = Request(scope["method"], path, scope["headers"], receive)
        if path == _METRICS and request.method in ("GET", "HEAD"):
            metrics = self._service.metrics
            kind = metrics.content_type.encode()
            response = Response(200, metrics.text(), kind=kind)
        else:
            response = await self._answer(request)
        headers = [
            (b"content-type", response.kind),
            (b"content-length", b"%d" % len(response.body)), *response.headers,
        ]  # fmt: skip
        if self._service.draining:
            headers.append((b"connection", b"close"))
        start = "http.response.start"
        await send({"type": start, "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})

    async def _answer(self, request: Request) -> Response:
        found = _PATH.fullmatch(request.path)
        try:
            if found is None:
                raise _malformed(request)
            parts = found.groupdict()
            method = parts["verb"].lstrip(":/") or "status"
            with self._service.counted(parts["name"], method, "rest") as one:
                way = self._way(request, method)
                work = way(request, parts, one)
                return Response(200, await self._service.runs.within(work))
        except Gone:
            return Response(499, b"")
        except Exception as error:
            return self._failed(error)

    def _way(self, request: Request, method: str) -> Callable:
        """The function that answers a method."""
        wanted = "GET" if method in ("status", "metadata") else "POST"
        if request.method != wanted:
            raise _malformed(request)
        return getattr(self, f"_{method}")

    def _failed(self, error: Exception) -> Response:
        code, text = code_and_text(error)
        if code == errors.INTERNAL:
            logging.error("a request failed: %r", error, exc_info=error)
        status = _TOO_LARGE if isinstance(error, TooLarge) else _HTTP[code]
        body = json.dumps({"error": text}).encode()
        return Response(status, body, _LATER if status == 503 else ())

    # ---------------------------------------------------------------- requests
    async def _body(self, request: Request) -> bytes:
        """The body, as long as it is not too large."""
        if request.header(b"content-encoding", "identity") != "identity":
            raise errors.UnimplementedError(
                None, None, "Compressed bodies are not read: send it as it is."
            )
        most, parts, size = self._service.settings.max_bytes, [], 0
        length = request.header(b"content-length", "0")
        if not (length.isascii() and length.isdecimal()):
            raise invalid(f"content-length is {length!r}")
        if int(length[:20]) > most:
            raise _too_large(most)
        while True:
            message = await request.receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                raise _too_large(most)
            parts.append(part)
            if not message.get("more_body"):
                return b"".join(parts)

    def _held(self, parts: dict, one: Any) -> Any:
        number = None if parts["version"] is None else int(parts["version"])
        return self._service.version(one, parts["name"], number, parts["label"] or "")

    async def _predict(self, request: Request, parts: dict, one: Any) -> bytes:
        body, aside = await self._body(request), self._service.runs.aside
        with self._held(parts, one) as version:

            def read() -> tuple:
                found = json_bodies.read(body)
                signature = json_bodies.signature_of(found, version.servable)
                return signature, *json_bodies.predict_feeds(found, signature)

            signature, feeds, rows = await aside(len(body), read)
            outputs = await self._service.inference.predict(version, signature, feeds)
        size = 8 * sum(array.size for array in outputs.values())
        return await aside(size, json_bodies.predictions, outputs, rows)

    async def _examples(self, request: Request, version: Any) -> tuple:
        body = await self._body(request)

        def read() -> tuple:
            found = json_bodies.read(body)
            signature = json_bodies.signature_of(found, version.servable)
            return signature, json_bodies.examples(found)

        return await self._service.runs.aside(len(body), read)

    async def _classify(self, request: Request, parts: dict, one: Any) -> bytes:
        with self._held(parts, one) as version:
            signature, examples = await self._examples(request, version)
            classify = self._service.inference.classify
            return json_bodies.classified(await classify(version, signature, examples))

    async def _regress(self, request: Request, parts: dict, one: Any) -> bytes:
        with self._held(parts, one) as version:
            signature, examples = await self._examples(request, version)
            regress = self._service.inference.regress
            return json_bodies.regressed(await regress(version, signature, examples))

    # ------------------------------------------------------------------- models
    async def _status(self, request: Request, parts: dict, one: Any) -> bytes:
        number = None if parts["version"] is None else int(parts["version"])
        manager = self._service.manager
        found = statuses(manager, parts["name"], number, parts["label"] or "")
        return _as_json(found)

    async def _metadata(self, request: Request, parts: dict, one: Any) -> bytes:
        with self._held(parts, one) as version:
            response = metadata_of(version)
        signatures = serving["SignatureDefMap"].FromString(
            response.metadata["signature_def"].value
        )
        spec = json.loads(_as_json(response.model_spec))
        inside = {"signature_def": json.loads(_as_json(signatures))}
        return json.dumps({"model_spec": spec, "metadata": inside}, indent=1).encode()


def _as_json(message: Any) -> bytes:
    return json_format.MessageToJson(
        message, preserving_proto_field_name=True, indent=1,
        always_print_fields_with_no_presence=True,
    ).encode()  # fmt: skip


def _malformed(request: Request) -> errors.OpError:
    return invalid(f"Malformed request: {request.method} {request.path}")


def _too_large(most: int) -> TooLarge:
    return TooLarge(None, None, f"The body of a request may have {most} bytes at most.")
