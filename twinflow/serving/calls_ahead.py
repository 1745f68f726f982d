"""A gRPC server that takes calls as they come, up to its end.

Note [Calls ahead]: grpcio asks its core for one call at a time, and what has arrived
without being asked for is cancelled when the server stops: under load some calls are
lost. With many asked for ahead, all that have arrived are answered before the end.
What arrives while clients have not yet heard of it is cancelled all the same, so the
end holds back answers until they have (GrpcService.drain): clients that wait for one
call before the next lose none. grpcio has no setting for it; where its private parts
differ, it stays as it is.
"""

import collections
import contextlib
from typing import Any

import grpc

_AHEAD = 200  # calls that may arrive at once


class _Due:
    """What a server still waits for, each as often as it was asked for."""

    def __init__(self, tags: Any) -> None:
        self._counts = collections.Counter(tags)

    def add(self, tag: Any) -> None:
        self._counts[tag] += 1

    def remove(self, tag: Any) -> None:
        self._counts[tag] -= 1
        if self._counts[tag] <= 0:
            del self._counts[tag]

    def __bool__(self) -> bool:
        return bool(self._counts)


def ask_ahead(server: grpc.Server) -> None:
    """Let a server that has started take many calls at once."""
    with contextlib.suppress(AttributeError, TypeError):
        state, ask = server._state, grpc._server._request_call
        with state.lock:
            state.due = _Due(state.due)
            for _ in range(_AHEAD):
                ask(state)
