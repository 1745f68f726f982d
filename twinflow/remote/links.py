"""Calls of services in other processes, and their errors."""

import re
from typing import Any

import grpc

from twinflow.base import blocking, errors, frames
from twinflow.formats import protos

_MOST_BYTES = (1 << 31) - 1  # what a protocol buffer can be
SIZES = [
    ("grpc.max_receive_message_length", _MOST_BYTES),
    ("grpc.max_send_message_length", _MOST_BYTES),
]
_OPTIONS = [
    *SIZES,
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
]
_ALIVE = [  # a machine that is gone does not close its connections
    ("grpc.keepalive_time_ms", 10000),
    ("grpc.keepalive_timeout_ms", 10000),
    ("grpc.http2.ping_timeout_ms", 30000),
    ("grpc.http2.max_pings_without_data", 0),
]
_NODE = re.compile(r"\[\[(?:Node: )?\{\{node ([^}\s]+)\}\}")
_PLACED = re.compile(r"\[\[node (\S+) \(defined at [^)]*\)")


class Link:
    """A connection to a server, made anew where it breaks.

    Args:
        address: as "localhost:2222". whose: the name of its task, for errors.
        pings: whether silence for long means that the machine is gone; servers of
            TensorFlow take pings for an attack.
    """

    def __init__(self, address: str, whose: str, pings: bool) -> None:
        self.address, self.whose = address, whose
        options = _OPTIONS + (_ALIVE if pings else [])
        self._channel = grpc.insecure_channel(address, options)

    def answers(self, seconds: float) -> bool:
        """Whether somebody listens there."""
        try:
            grpc.channel_ready_future(self._channel).result(seconds)
        except grpc.FutureTimeoutError:
            return False
        return True

    def call(
        self, service: str, name: str, request: Any, limit: float | None = None
    ) -> Any:
        """The response of a service.

        Args:
            service: "MasterService" or "WorkerService". name: of the method.
            request: its message. limit: seconds to wait, or None.
        Raises:
            tf.errors.OpError: what the other side raised, or that it is gone.
        """
        return self.result(self.start(service, name, request, limit))

    def start(
        self, service: str, name: str, request: Any, limit: float | None = None
    ) -> Any:
        """The future of a response, for `result`."""
        method = self._channel.unary_unary(
            f"/tensorflow.{service}/{name}",
            request_serializer=_bytes_of,
            response_deserializer=getattr(protos, f"{name}Response").FromString,
        )
        return method.future(request, timeout=limit)

    def result(self, future: Any) -> Any:
        """The response that a future is for; see `call`."""
        try:
            return future.result()
        except grpc.FutureCancelledError:
            raise self._cancelled() from None
        except grpc.RpcError as error:
            raise self._error(error) from None

    def _cancelled(self) -> errors.OpError:
        text = getattr(blocking.owner_now(), "cancelled", None)
        return errors.CancelledError(None, None, text or "Operation was cancelled")

    def _error(self, error: Any) -> errors.OpError:
        """The error of TensorFlow for one of gRPC."""
        code, text = error.code().value[0], error.details() or error.code().name
        if code == errors.CANCELLED and text == "Locally cancelled by application!":
            return self._cancelled()
        if code == errors.UNAVAILABLE:
            text = f"{text} ({self.whose}, {self.address})"
        return error_of(code, text)

    def close(self) -> None:
        """End the connection."""
        self._channel.close()


def _bytes_of(message: Any) -> bytes:
    try:
        return message.SerializeToString()
    except ValueError as error:  # more than a protocol buffer can hold
        raise errors.invalid(
            f"A {type(message).__name__} does not fit into one message of at most "
            f"2 GB: {error}. Send less in one step."
        ) from None


# ---------------------------------------------------------------------- errors
def error_of(code: int, text: str) -> errors.OpError:
    """The error of a code and a message that came from another process."""
    try:
        kind: Any = errors.exception_type_from_error_code(code)
    except KeyError:
        kind = errors.UnknownError
    found = kind(None, None, text)
    found.located = True
    return found


def _kind_of(error: errors.OpError) -> Any:
    return type(error)


def at_home(error: errors.OpError, graph: Any) -> errors.OpError:
    """An error of another process as one of the node of `graph` that it names."""
    found = _NODE.search(error.message)
    if found is None or found[1] not in graph.by_name:
        return error
    node, kind = graph.by_name[found[1]], _kind_of(error)
    where = frames.format_frame(node.frames[0]) if node.frames else "unknown"
    named = f"[[node {node.name} (defined at {where})"
    text = error.message[: found.start()] + named + error.message[found.end() :]
    placed = kind(None, node, text)
    placed.located = True
    return placed


def code_and_text(error: Exception) -> tuple[int, str]:
    """What of an error goes to another process, which knows no lines of this one."""
    if isinstance(error, errors.OpError):
        return error.error_code, _PLACED.sub(r"[[{{node \1}}", error.message)
    if isinstance(error, MemoryError):
        return errors.RESOURCE_EXHAUSTED, str(error) or "out of memory"
    if isinstance(error, ValueError | TypeError | KeyError):
        return errors.INVALID_ARGUMENT, str(error)
    if isinstance(error, RuntimeError):
        return errors.FAILED_PRECONDITION, str(error)
    return errors.INTERNAL, f"{type(error).__name__}: {error}"
