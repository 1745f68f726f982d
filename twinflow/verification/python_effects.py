"""What the Python code of a function does beside computing tensors, line by line.

While a function of the program runs (when it is traced, or eagerly), a trace function
of Python looks after each line at the slots that the function can reach
(verification.python_state) and notes which line changed which.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from twinflow.verification import steady
from twinflow.verification.events import Frame, frame_of, is_of_program
from twinflow.verification.python_state import Reach, Slot

MOST_LINES = 200_000


class Effects:
    """Finds the effects of the functions of one way of running a program.

    Args:
        note: told of each effect: (kind, name, Frame).
    """

    def __init__(self, note: Callable) -> None:
        self.note, self.lines, self.unseen = note, 0, False
        self._slots: list[Slot] = []
        self._before: list = []
        self._places: list = []  # (code, lasti) of the line that runs, a frame each
        self._reaches: dict = {}
        self.active = False

    def run(self, function: Callable, reached: Any, args: tuple, kwargs: dict) -> Any:
        """`function(*args, **kwargs)`, a call into what `reached` is the code of."""
        if self.active or self.lines > MOST_LINES or sys.gettrace() is not None:
            self.unseen = self.unseen or not self.active
            return function(*args, **kwargs)
        self._slots = [*_always(), *self._reach(reached, args, kwargs).slots.values()]
        self._before = [s.digest() for s in self._slots]
        self._places, self.active = [], True
        sys.settrace(self._called)
        try:
            return function(*args, **kwargs)
        finally:
            sys.settrace(None)
            self._look()
            self.active = False

    def _reach(self, reached: Any, args: tuple, kwargs: dict) -> Reach:
        values = [*args, *kwargs.values()]
        found = Reach(reached, values)
        found.arguments(values)
        return found

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not is_of_program(frame.f_code.co_filename):
            return None
        self._look()
        self._places.append((frame.f_code, frame.f_lasti))
        return self._line

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self.lines += 1
            self._look()
            if self._places:
                self._places[-1] = frame.f_code, frame.f_lasti
        elif event == "return":
            self._look()
            if self._places:
                self._places.pop()
        return self._line

    def _look(self) -> None:
        """Note what changed since the last look, as an effect of the line."""
        if not self._places:
            return
        for i, slot in enumerate(self._slots):
            now = slot.digest()
            if now != self._before[i]:
                self._before[i] = now
                draws = slot.name in steady.SOURCES or slot.draws
                kind = "draw" if draws else "state"
                self.note(kind, slot.name, frame_of(self._places[-1]))

    def here(self) -> Frame | None:
        """The line of the program that runs now."""
        return frame_of(self._places[-1]) if self._places else None


def _always() -> list[Slot]:
    return [Slot(name, read, None) for name, read in steady.SOURCES.items()]
