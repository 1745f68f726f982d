"""Looks at the stacks of all threads, up to 100 times a second."""

import sys
import threading
import time
from collections import Counter
from types import FrameType
from typing import Any

from twinflow.base import heap
from twinflow.profiling.hooks import time_in_marks
from twinflow.profiling.own_lines import is_library

PERIOD = 0.01  # seconds between two looks
SWITCH = 0.001  # seconds after which a thread that computes lets this one look
IDLE = 0.03  # of the time: a thread that used less of a core has waited
_MOST_FRAMES = 60
_APART = ("twinflow-compiler", "twinflow-profiler")

Line = tuple[Any, int]  # (code, lasti)


class Stacks:
    """The thread that looks.

    Attributes:
        python, waiting: {stack: ns} outside marks; a stack is user lines, outermost
            first, as (code, lasti).
        seen: {stack: ns}, marks included. looks: how many.
        peak: the most bytes in use that were seen. peak_at: the main thread's stack.
    """

    def __init__(self) -> None:
        self.python: Counter = Counter()
        self.waiting: Counter = Counter()
        self.seen: Counter = Counter()
        self.looks, self.peak = 0, 0
        self.peak_at: tuple[Line, ...] = ()
        self.spent = 0.0  # by this thread, in seconds
        self._last: dict[int, tuple[int, int, int]] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(
            target=self._run, name="twinflow-profiler", daemon=True
        )

    def start(self) -> None:
        """Begin; what the calling thread does counts from now on."""
        self._switch = sys.getswitchinterval()
        sys.setswitchinterval(min(self._switch, SWITCH))
        self._look()
        self._thread.start()

    def stop(self) -> None:
        """End, after a last look."""
        self._end.set()
        self._thread.join()
        self._look()
        sys.setswitchinterval(self._switch)

    def _run(self) -> None:
        while not self._end.wait(PERIOD):
            start = time.thread_time()
            self._look()
            self.spent += time.thread_time() - start

    def _look(self) -> None:
        self.looks += 1
        apart = {t.ident for t in threading.enumerate() if t.name in _APART}
        for ident, frame in sys._current_frames().items():
            if ident not in apart:
                self._note(ident, frame)
        if self.looks % 16 == 0:
            self._measure()

    def _note(self, ident: int, frame: FrameType | None) -> None:
        now = time.perf_counter_ns(), time_in_marks(ident), _core_time(ident)
        before, self._last[ident] = self._last.get(ident), now
        if before is None:
            return
        wall, marked, core = (n - b for n, b in zip(now, before, strict=True))
        stack = stack_of(frame)
        if not stack:
            return
        outside = max(0, wall - marked)
        waited = marked < wall // 2 and core < IDLE * wall
        (self.waiting if waited else self.python)[stack] += outside
        self.seen[stack] += wall

    def _measure(self) -> None:
        used = heap.bytes_in_use()
        if used > self.peak:
            self.peak = used
            main = sys._current_frames().get(threading.main_thread().ident or 0)
            self.peak_at = stack_of(main)


def stack_of(frame: FrameType | None) -> tuple[Line, ...]:
    """The user's lines of a frame and those around it, outermost first."""
    found: list = []
    while frame is not None and len(found) < _MOST_FRAMES:
        if not is_library(frame.f_code.co_filename):
            found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(reversed(found))


def _core_time(ident: int) -> int:
    """How long a thread has used a core, in ns; that of now where nothing says so."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.perf_counter_ns()
    try:
        return time.clock_gettime_ns(time.pthread_getcpuclockid(ident))
    except OSError:
        return time.perf_counter_ns()
