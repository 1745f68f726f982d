"""The service that servers of tfdbg offer: tensorflow.EventListener."""

from typing import Any

import grpc

from twinflow.formats.profile_protos import CallTraceback
from twinflow.formats.protos import DebuggedSourceFiles, Event, EventReply
from twinflow.remote.listeners import SERVICE

_REQUESTS = {
    "SendEvents": Event, "SendTracebacks": CallTraceback,
    "SendSourceFiles": DebuggedSourceFiles,
}  # fmt: skip


def _kind(name: str) -> str:
    return "stream_stream" if name == "SendEvents" else "unary_unary"


class EventListenerStub:
    """The methods of a server, to be called.

    Args:
        channel: the connection, of grpc.
    """

    def __init__(self, channel: Any) -> None:
        for name, request in _REQUESTS.items():
            made = getattr(channel, _kind(name))(
                f"/{SERVICE}/{name}", request_serializer=request.SerializeToString,
                response_deserializer=EventReply.FromString,
            )  # fmt: skip
            setattr(self, name, made)


class EventListenerServicer:
    """What a server does; a subclass says it."""

    def SendEvents(self, request_iterator: Any, context: Any) -> Any:
        """Hear of the Events of a run; yield EventReplies."""
        raise self._absent(context)

    def SendTracebacks(self, request: Any, context: Any) -> Any:
        """Hear where a run and its nodes come from: a CallTraceback."""
        raise self._absent(context)

    def SendSourceFiles(self, request: Any, context: Any) -> Any:
        """Get the files of a program: DebuggedSourceFiles."""
        raise self._absent(context)

    def _absent(self, context: Any) -> Exception:
        context.set_code(grpc.StatusCode.UNIMPLEMENTED)
        context.set_details("Method not implemented!")
        return NotImplementedError("Method not implemented!")


def add_EventListenerServicer_to_server(servicer: Any, server: Any) -> None:
    """Let a server of grpc offer the service."""
    handlers = {
        name: getattr(grpc, f"{_kind(name)}_rpc_method_handler")(
            getattr(servicer, name), request_deserializer=request.FromString,
            response_serializer=EventReply.SerializeToString,
        )
        for name, request in _REQUESTS.items()
    }  # fmt: skip
    made = grpc.method_handlers_generic_handler(SERVICE, handlers)
    server.add_generic_rpc_handlers((made,))
