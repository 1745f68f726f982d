"""What one way of running a program is asked for."""

import dataclasses
import json
import time
from collections.abc import Callable
from pathlib import Path

PROGRESS = 1.0  # seconds between two notes of how far a way has come


@dataclasses.dataclass
class Request:
    """One way of running a program.

    Attributes:
        way: one of ways.WAYS. megabytes: how much of arrays to keep.
        seconds: after which the program is stopped; None = never.
        steps: how many events to run; None = all of them.
        detail: the number of the run of a session whose ops are kept, from 0; None =
            of none, since they are many. tensors: to fetch in that run, compiled.
        progress: a file that says how far the program is, or "".
    """

    way: str
    megabytes: float = 256.0
    seconds: float | None = None
    steps: int | None = None
    detail: int | None = None
    tensors: list[str] = dataclasses.field(default_factory=list)
    progress: str = ""

    def as_text(self) -> str:
        """For another process."""
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def of_text(text: str) -> "Request":
        """What `as_text` gave."""
        return Request(**json.loads(text))


class Stopped(SystemExit):
    """Ends a program that was to run no further."""


class Clock:
    """Real time for a Request: when to stop, and when to say how far it is.

    Args:
        request: see Request.
    """

    def __init__(self, request: Request) -> None:
        self._request, self._start = request, time.monotonic()
        self._next = self._start + PROGRESS

    def look(self, steps: int, describe: Callable[[], str]) -> bool:
        """Whether the program is to stop now.

        Args:
            steps: how many events are complete. describe: how far the program is.
        """
        request, now = self._request, time.monotonic()
        if request.steps is not None and steps >= request.steps:
            return True
        if now > self._next and request.progress:
            self._next = now + PROGRESS
            Path(request.progress).write_text(describe())
        return request.seconds is not None and now - self._start > request.seconds
