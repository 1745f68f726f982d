"""A model that is trained in this process, and how its steps are timed."""

import resource
import time
from pathlib import Path

import numpy as np

from benchmarks import models

NEAR = 1.2  # a step is at full speed within this factor of the fastest


class ModelCase:
    """Trains a model, step by step; `clock` tells the time of a step.

    Args:
        start: makes it: a function that does one step and returns its loss.
        args: what `start` takes.
    """

    clock = staticmethod(time.perf_counter)

    def __init__(self, start, *args):
        self.begun = time.perf_counter()
        self.step, self.ends, self.steps = start(*args), [], []

    def _one(self):
        start = self.clock()
        loss = self.step()
        self.steps.append(self.clock() - start)
        self.ends.append(time.perf_counter() - self.begun)
        return loss

    def begin(self, seconds):
        """The losses of the first steps, then as many steps as fit into `seconds`."""
        losses = [[float(self._one())] for _ in range(models.STEPS)]
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._one()
        return losses

    def again(self, seconds):
        """Seconds of the fastest step of some."""
        count, end = 0, time.perf_counter() + seconds
        while count < models.STEPS or time.perf_counter() < end:
            self._one()
            count += 1
        return min(self.steps[-count:])

    def facts(self):
        """Seconds to the end of the first step and to full speed; bytes at the peak."""
        fast = NEAR * float(np.median(sorted(self.steps)[: len(self.steps) // 2 + 1]))
        settled = next(e for e, s in zip(self.ends, self.steps) if s <= fast)
        return {"first": self.ends[0], "settled": settled, "peak": peak_bytes()}


def peak_bytes():
    """The most memory that this process ever had."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(1024 * int(s.split()[1]) for s in lines if s.startswith("VmHWM"))
