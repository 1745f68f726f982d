"""Keras's progress bar; see Note [Screens]."""

import sys
import time
from typing import Any

import numpy as np

from twinflow.drawing import bars, screens


class Progbar:
    """Shows how far a loop has come, and the averages of some values.

    Args:
        target: how many steps there are; None = not known.
        width: of the bar, in characters.
        verbose: 0 (nothing), 1 (a bar), 2 (a line at the end).
        interval: the least number of seconds between two updates.
        stateful_metrics: the names of values that are shown as they are.
    Example:
        bar = tf.keras.utils.Progbar(10)
        for i in range(10): bar.update(i + 1, [("loss", 0.1)])
    """

    def __init__(
        self, target: Any, width: int = 30, verbose: int = 1, interval: float = 0.05,
        stateful_metrics: Any = None,
    ) -> None:  # fmt: skip
        self.target, self.width, self.verbose = target, width, verbose
        self.interval = interval
        self.stateful_metrics = set(stateful_metrics or ())
        self._screen = screens.screen_of(sys.stdout)
        self._seconds = max(interval, screens.SECONDS[self._screen])
        self._dynamic_display = self._screen != screens.LOG
        self._board, self._title, self._whole = screens.Board(), "", (0, 1)
        self._is_over = False
        self._line, self._seen_so_far = bars.Line(self._screen), 0
        self._values: dict[Any, Any] = {}  # name -> [sum, weight]
        self._start, self._last_update = time.time(), 0.0
        if self._screen == screens.LOG:  # what is quick has one line, the last
            self._last_update = self._start

    def _on(self, board, title, whole):
        """Write on the board of a notebook that shows several bars, one of `whole`."""
        self._board, self._title, self._whole = board, title, whole

    def _end(self):
        """Let the next update be shown, however soon it comes: it is the last."""
        self._is_over = True
        if self._screen in (screens.LOG, screens.NOTEBOOK):
            self._last_update = 0.0

    def update(self, current: Any, values: Any = None) -> None:
        """Show that `current` steps are done.

        Args:
            values: pairs of (name, value) for the averages.
        """
        for name, value in values or []:
            self._note(name, value, current)
        self._seen_so_far = current
        now = time.time()
        done = self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last_update < self._seconds and not done:
                return
            self._show(current, now, done)
        elif self.verbose == 2 and (self.target is None or done):
            averages = "".join(self._averages(False))
            sys.stdout.write(f" - {now - self._start:.0f}s{averages}\n")
            sys.stdout.flush()
        self._last_update = now

    def _note(self, name, value, current):
        if name in self.stateful_metrics:
            self._values[name] = [value, 1]
            return
        weight = current - self._seen_so_far
        kept = self._values.setdefault(name, [0.0, 0])
        kept[0] += value * weight
        kept[1] += weight

    def _averages(self, signed):
        for name, kept in self._values.items():
            mean = np.mean(kept[0] / max(1, kept[1]))
            large = (abs(mean) if signed else mean) > 1e-3
            yield f" - {name}: {mean:.4f}" if large else f" - {name}: {mean:.4e}"

    def _show(self, current, now, done):
        bar = self._bar(current)
        text = bar + self._time(current, now) + "".join(self._averages(True))
        if self._screen == screens.NOTEBOOK:
            before, count = self._whole
            part = (before + current / self.target) / count if self.target else None
            self._board.show(self._title + text, part, done or self._is_over)
            return
        self._line.show(sys.stdout, text, done or self.target is None)

    def _bar(self, current):
        if self.target is None:
            return f"{current:7d}/Unknown"
        drawn = bars.bar(current, self.target, self.width)
        return f"{bars.counted(current, self.target)} {drawn}"

    def _time(self, current, now):
        spent = now - self._start
        unit = spent / current if current else 0.0
        if self.target is not None and current < self.target:
            return f" - ETA: {bars.clock(unit * (self.target - current))}"
        return f" - {spent:.0f}s {_each(unit)}/step"

    def add(self, n: Any, values: Any = None) -> None:
        """Show that `n` more steps are done."""
        self.update(self._seen_so_far + n, values)


def _each(seconds):
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"
