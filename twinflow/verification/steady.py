"""The same surroundings in every way: clock, random numbers, what is printed.

Programs that read the clock or draw numbers without a seed would differ from run to
run. Here time passes with the calls for it that the program makes, and what has no
seed gets one.
"""

import contextlib
import io
import itertools
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from twinflow.base.frames import is_internal
from twinflow.ops.random.setting import setting
from twinflow.verification.events import is_of_program

TICK = 0.001  # seconds that a look at the clock takes
_CLOCKS = ("time", "perf_counter", "monotonic", "process_time")


class Clock:
    """Time that passes with each look of the program at it.

    Attributes:
        looks: how often the program looked.
        thread: that runs the program. Others are its own too where code of the program
            runs in them; those of libraries (servers, pools) are not.
    """

    looks, thread = 0, 0

    def reader(self, real: Callable) -> Callable:
        """In the place of `real`, for the program alone; others see the real time."""

        def read() -> float:
            frame = sys._getframe(1)
            own = threading.get_ident() == self.thread
            program = own or _has_program(frame)
            if is_internal(frame.f_code.co_filename) or not program:
                return real()
            self.looks += 1
            return 1_500_000_000.0 + TICK * self.looks

        return read


def _has_program(frame: FrameType | None) -> bool:
    """Whether the program itself is among a frame and its callers."""
    while frame is not None:
        file = frame.f_code.co_filename
        if "-packages" not in file and is_of_program(file):
            return True
        frame = frame.f_back
    return False


CLOCK = Clock()


class _Names:
    """The names of temporary files and folders, the same in every way."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def __iter__(self) -> "_Names":
        return self

    def __next__(self) -> str:
        return f"temp{next(self._count):04d}"


def _numpy_state() -> Any:
    state: Any = np.random.mtrand._rand.get_state(legacy=False)
    key = state["state"]["key"]
    ends = int(key[0]), int(key[-1]), int(state["state"]["pos"])
    return *ends, state["has_gauss"]


# What Python draws from: names and digests of their states.
SOURCES: dict[str, Callable] = {
    "np.random": _numpy_state,
    "random": lambda: hash(random.getstate()),
    "the clock": lambda: CLOCK.looks,
}


@contextlib.contextmanager
def surroundings(write: Callable) -> Iterator[None]:
    """A block with a steady clock and seeds, whose standard output goes to `write`."""
    CLOCK.looks, CLOCK.thread = 0, threading.get_ident()
    real = {name: getattr(time, name) for name in _CLOCKS}
    before, entropy = setting.original, setting.entropy
    states = np.random.get_state(), random.getstate()
    names: Any = vars(tempfile)["_name_sequence"]
    vars(tempfile)["_name_sequence"] = _Names()
    np.random.seed(0)
    random.seed(0)
    setting.original, setting.entropy = False, lambda: 7  # type: ignore[method-assign]
    for name, clock in real.items():
        setattr(time, name, CLOCK.reader(clock))
    try:
        with contextlib.redirect_stdout(_Told(write)):
            yield
    finally:
        vars(tempfile)["_name_sequence"] = names
        for name, clock in real.items():
            setattr(time, name, clock)
        setting.original, setting.entropy = before, entropy  # type: ignore[method-assign]
        np.random.set_state(states[0])
        random.setstate(states[1])


class _Told(io.TextIOBase):
    """A file that hands on what is written to it."""

    encoding = "utf-8"

    def __init__(self, write: Callable) -> None:
        self._write = write

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        self._write(text)
        return len(text)
