"""Clusters of several devices at the same time, in threads.

Clusters of one stage do not depend on each other (execute.cutting). One after the other
is right where they are short, or where a device computes behind the program's back; how
long each takes is measured now and then.
"""

import concurrent.futures
import contextvars
import os
import threading
import time
from typing import TYPE_CHECKING, Any

from twinflow.execute.interpreter import Step
from twinflow.execute.session_cells import lock_of

if TYPE_CHECKING:
    from twinflow.execute.tiers import Cluster

_WORTH = 300e-6  # seconds that threads have to save
_AGAIN = 100  # runs until they are measured again


class _Threads(threading.local):
    """Whether this thread is one of those that run clusters."""

    inside = False


_thread = _Threads()
_pools: dict = {}  # {number of a process: its threads}


def _pool() -> concurrent.futures.ThreadPoolExecutor:
    found = _pools.get(os.getpid())
    if found is None:
        found = concurrent.futures.ThreadPoolExecutor(32, "twinflow-device", _enter)
        _pools[os.getpid()] = found
    return found


def _enter() -> None:
    _thread.inside = True


class SideBySide:
    """The step of several clusters.

    Args:
        clusters: those of one stage, each of its own device.
    """

    def __init__(self, clusters: "list[Cluster]") -> None:
        self.clusters = clusters
        self.saved, self.runs = 0.0, 0
        self.step = Step(self.run, clusters[0].step.node, [])
        self.step.inner = self.let_go

    def connect(self) -> None:
        """Note what the clusters touch, which they know at the end of their plan."""
        self.step.touched = tuple(s for c in self.clusters for s in c.step.touched)

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Let clusters let go of what they alone read (Note [Lifetimes])."""
        for c in self.clusters:
            others = {s for o in self.clusters if o is not c for s in o.step.touched}
            c.let_go(tuple(s for s in dying if s not in others))

    def run(self, v: list) -> None:
        """Run the clusters on the list of values `v`."""
        self.runs += 1
        if self.runs % _AGAIN and self.saved > _WORTH and not _thread.inside:
            self._run_in_threads(v)
            return
        spent = []
        for c in self.clusters:
            start = time.perf_counter()
            c.run(v)
            spent.append(time.perf_counter() - start)
        self.saved = sum(spent) - max(spent)

    def _run_in_threads(self, v: list) -> None:
        """All at once, this thread with the first; the first one's error counts."""
        cells = [c.spec.find_cells(v, c.asm.slots) for c in self.clusters]
        touched = dict.fromkeys(cell for found in cells for cell in found)
        if not touched:
            self._start(v, cells)
            return
        with lock_of(self.clusters[0].plan.cell_of, touched):
            self._start(v, cells)

    def _start(self, v: list, cells: list) -> None:
        pairs = list(zip(self.clusters, cells, strict=True))
        later = [
            _pool().submit(contextvars.copy_context().run, c.run_locked, found, v)
            for c, found in pairs[1:]
        ]
        own: Any = concurrent.futures.Future()
        try:
            pairs[0][0].run_locked(pairs[0][1], v)
            own.set_result(None)
        except BaseException as error:
            own.set_exception(error)
        raised = [f.exception() for f in (own, *later)]  # which waits for them
        first = next(filter(None, raised), None)
        if first is not None:
            raise first
