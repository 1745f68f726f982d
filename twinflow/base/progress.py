"""How far operations have come that may take long; see Note [Progress].

Note [Progress]: a conversion, a copy or a file that is written is an `operation`. The
loops in it say what they do with `over` and `phase`, and only count. A thread looks at
the counts: after a second it shows them on the standard error (drawing.bars), as `fit`
shows its steps. What is quick shows nothing. One operation is shown at a time, and of
what lies in each other the outermost. `TWINFLOW_PROGRESS=off`, tf.logging above WARN
and `quiet` show nothing at all.
"""

import contextlib
import logging
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any

PATIENCE = 1.0  # seconds without a display
_BLOCK = 1 << 20
_here = threading.local()
_screen = threading.Lock()  # held by the operation that is shown


class Phase:
    """What an operation does now.

    Attributes:
        text: of it. total: how much there is to do, or None. is_bytes: whether that
            are bytes. done: how much is done. begun: when it began.
    """

    def __init__(self, text: str, total: int | None, is_bytes: bool) -> None:
        self.text, self.total, self.is_bytes = text, total, is_bytes
        self.done, self.begun = 0, time.monotonic()


class _Operation(threading.Thread):
    """Shows the phase of an operation, now and then."""

    def __init__(self, title: str) -> None:
        super().__init__(name="twinflow-progress", daemon=True)
        self.title, self.begun = title, time.monotonic()
        self.phase: Phase | None = None
        self.is_over = threading.Event()

    def start_if_late(self) -> None:
        """Start, if it takes long already and was not started."""
        if self.ident is None and time.monotonic() - self.begun > PATIENCE:
            self.start()

    def run(self) -> None:
        if self.is_over.wait(self.begun + PATIENCE - time.monotonic()):
            return
        from twinflow.drawing.bars import Bar

        bar = Bar(self.title, self.begun)
        while True:
            bar.show(self.phase)
            if self.is_over.wait(bar.seconds):
                break
        bar.close()


@contextlib.contextmanager
def quiet(wanted: bool = True) -> Iterator[None]:
    """A block in which nothing is shown, if that is wanted."""
    before = getattr(_here, "quiet", False)
    _here.quiet = wanted or before
    try:
        yield
    finally:
        _here.quiet = before


def _is_quiet() -> bool:
    return (
        getattr(_here, "quiet", False)
        or os.environ.get("TWINFLOW_PROGRESS") == "off"
        or logging.getLogger("tensorflow").getEffectiveLevel() > logging.WARNING
    )


@contextlib.contextmanager
def operation(title: str, often: bool = False) -> Iterator[None]:
    """A block that shows how far it is if it takes long.

    Args:
        title: what it does: "a.h5 -> a.onnx".
        often: whether many are short. Only `over` then starts the thread, which takes
            100 us, and nothing is shown before it.
    """
    if _is_quiet() or not _screen.acquire(blocking=False):
        yield
        return
    _here.operation = found = _Operation(title)
    if not often:
        found.start()
    try:
        yield
    finally:
        del _here.operation
        found.is_over.set()
        if found.ident is not None:
            found.join()
        _screen.release()


@contextlib.contextmanager
def phase(
    text: str, total: int | None = None, is_bytes: bool = False
) -> Iterator[Phase]:
    """A part of the operation at hand; what it has done goes into its `done`."""
    found = Phase(text, total, is_bytes)
    shown = getattr(_here, "operation", None)
    if shown is None or shown.phase is not None:
        yield found
        return
    shown.phase = found
    try:
        yield found
    finally:
        shown.phase = None


def over(text: str, items: Iterable, total: int | None = None) -> Iterator[Any]:
    """The items, counted as a phase."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    operation = getattr(_here, "operation", None)
    with phase(text, total) as found:
        for item in items:
            yield item
            found.done += 1
            if operation is not None:
                operation.start_if_late()


def blocks(text: str, file: Any, total: int | None = None) -> Iterator[bytes]:
    """What a file holds from where it is, block by block, counted as a phase."""
    with phase(text, total, is_bytes=True) as found:
        while block := file.read(_BLOCK):
            yield block
            found.done += len(block)
