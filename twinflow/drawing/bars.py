"""Bars of text: how far something is, in one line that is written anew."""

import contextlib
import math
import os
import sys
import time
from typing import Any

from twinflow.drawing import screens

_WIDTH = 20
_SECONDS = 0.1  # between two lines in a terminal
_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def bar(done: int, total: int, width: int) -> str:
    """``[===>....]``, so many characters between the brackets."""
    filled = int(width * done / total) if total else width
    drawn = "=" * (filled - 1) + (">" if done < total else "=") if filled > 0 else ""
    return f"[{drawn:.<{width}}]"


def counted(done: int, total: int) -> str:
    """`` 7/10``, as wide as ``10/10``."""
    return f"{done:{int(math.log10(total)) + 1 if total else 1}d}/{total}"


def clock(seconds: float) -> str:
    """A time as a watch shows it: 12s, 3:05, 1:02:03."""
    seconds = int(seconds)
    if seconds > 3600:
        return f"{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    if seconds > 60:
        return f"{seconds // 60}:{seconds % 60:02d}"
    return f"{seconds}s"


class Line:
    """The line of a stream: a terminal writes it anew, a log gets another one."""

    def __init__(self, screen: str) -> None:
        self._screen, self._width = screen, 0

    def show(self, out: Any, text: str, is_last: bool) -> None:
        """Put it there; the last one stays."""
        if self._screen == screens.LOG:
            out.write(text + "\n")
        else:
            before, self._width = self._width, len(text)
            end = "\n" if is_last else ""
            out.write("\b" * before + "\r" + text.ljust(before) + end)
        out.flush()


class Bar:
    """Shows on the standard error how far an operation of base.progress is.

    Args:
        title: of it. begun: when it began.
    Attributes:
        seconds: to wait between two times.
    """

    def __init__(self, title: str, begun: float) -> None:
        self._title, self._begun, self._out = title, begun, sys.stderr
        screen = screens.screen_of(self._out)
        screen = screens.LOG if screen == screens.CAUGHT else screen
        self.seconds = max(_SECONDS, screens.SECONDS[screen])
        self._line, self._board = Line(screen), screens.Board()
        self._in_notebook, self._last = screen == screens.NOTEBOOK, ""
        self._columns = _columns(self._out) if screen == screens.TERMINAL else 1 << 30

    def show(self, phase: Any) -> None:
        """Draw what it does now; None: nobody knows."""
        self._draw(self._text(phase), _part(phase), False)

    def close(self) -> None:
        """It is over."""
        spent = clock(time.monotonic() - self._begun)
        self._draw(f"{self._title} - {spent}", 1.0, True)

    def _draw(self, text: str, part: float | None, is_over: bool) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # it is closed
            if self._in_notebook:
                self._board.show(text, part, is_over)
            else:
                self._line.show(self._out, text[: self._columns - 1], is_over)

    def _text(self, phase: Any) -> str:
        spent = time.monotonic() - self._begun
        if phase is None:
            return f"{self._title} - {clock(spent)}"
        text, done, total = f"{self._title}: {phase.text} ", phase.done, phase.total
        if not total:
            return f"{text}{_size(done) if phase.is_bytes else done} - {clock(spent)}"
        amount = counted(done, total)
        if phase.is_bytes:
            amount = f"{_size(done)} of {_size(total)}"
        left = (time.monotonic() - phase.begun) * (total - done) / max(done, 1)
        eta = f" - ETA: {clock(max(0, left))}" if done else ""
        return f"{text}{amount} {bar(done, total, _WIDTH)}{eta}"


def _columns(out: Any) -> int:
    """How wide a terminal is."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(out.fileno()).columns or 80
    return 80


def _part(phase: Any) -> float | None:
    return phase.done / phase.total if phase is not None and phase.total else None


def _size(count: int) -> str:
    for size, name in _UNITS:
        if count >= size:
            return f"{count / size:.1f} {name}"
    return f"{count} bytes"
