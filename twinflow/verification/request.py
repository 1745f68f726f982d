"""What one way of running a program is asked for."""

import contextlib
import dataclasses
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path


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
    """Real time for a Request: when to stop.

    Args:
        request: see Request.
    """

    def __init__(self, request: Request) -> None:
        self._request, self._start = request, time.monotonic()

    def stops(self, steps: int) -> bool:
        """Whether the program is to stop, with so many events complete."""
        seconds, most = self._request.seconds, self._request.steps
        if most is not None and steps >= most:
            return True
        return seconds is not None and time.monotonic() - self._start > seconds


@contextlib.contextmanager
def progress(path: str, describe: Callable[[], str]) -> Iterator[None]:
    """A block of which a file says every second how far it is.

    Args:
        path: of the file; "" = none. describe: called in another thread.
    """
    done = threading.Event()

    def write() -> None:
        while path and not done.wait(1.0):
            Path(path).write_text(describe())

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
