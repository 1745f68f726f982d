"""One piece of work in one framework, and how it is timed."""

import gc
import time
import timeit
from dataclasses import dataclass

import numpy as np

BLOCK = 100  # how often a taped operation is done on one tape
LONGEST = 1.0  # seconds after which no further loop is begun, but for three
TIMES = 3  # runs whose values are compared: a training step must change its weights


@dataclass
class Case:
    """What is timed.

    Args:
        expression: the work, written as its users write it.
        names: what the expression's names stand for.
        opening: the line that opens a tape around the work, if any; the work is done
            100 times on one tape, so that its opening counts little.
        host: turns a result, or each of several, into something NumPy takes.
        whole: turns the whole result into an array, where `host` cannot.
        clock: what tells the time.
        warm_up: seconds of work before the clock counts.
    """

    expression: str
    names: dict
    opening: str = ""
    host: callable = np.asarray
    warm_up: float = 0.05
    whole: callable = None
    clock: callable = time.perf_counter

    def values(self, times=TIMES):
        """What the expression gives, as a list of numbers for each time it is run."""
        names = dict(self.names)
        return [self._numbers(eval(self.expression, names)) for _ in range(times)]

    def _numbers(self, result):
        if self.whole:
            return self.whole(result).tolist()
        parts = result if isinstance(result, tuple | list) else [result]
        arrays = [np.ravel(self.host(part)) for part in parts]
        return np.concatenate(arrays).tolist()

    def seconds(self, repeats, least):
        """Seconds for the work once: the smallest of `repeats` loops.

        Args:
            repeats: how many loops are timed.
            least: seconds that one loop takes at least.
        """
        timer, done = self._timer()
        self._warm_up(timer)
        gc.collect()
        count = 1
        while timer.timeit(count) < least:
            count *= 2
        return min(_loops(timer, repeats, count)) / (count * done)

    def _warm_up(self, timer):
        end = timeit.default_timer() + self.warm_up
        while timeit.default_timer() < end:
            timer.timeit(1)

    def _timer(self):
        """A timer (time.perf_counter, the collector off), and the work in one turn."""
        setup = "\n".join(f"{name} = names[{name!r}]" for name in self.names)
        turn, done = self.expression, 1
        if self.opening:
            turn, done = f"{self.opening}\n    for _ in block: {self.expression}", BLOCK
            setup += f"\nblock = [None] * {BLOCK}"
        names = {"names": self.names}
        return timeit.Timer(turn, setup, self.clock, globals=names), done


def _loops(timer, repeats, count):
    """The seconds of each loop; fewer loops where they are long."""
    found: list = []
    while len(found) < repeats and (len(found) < TIMES or sum(found) < LONGEST):
        found.append(timer.timeit(count))
    return found
