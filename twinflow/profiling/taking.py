"""tf.profile: where time and memory of a block go, by line, by op, by engine."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from twinflow.base import devices, heap
from twinflow.base.annotations import Path
from twinflow.base.files import Open
from twinflow.formats import protos
from twinflow.profiling import flame, holders, report
from twinflow.profiling.costs import Cost, costs_of, node_times, summed
from twinflow.profiling.hooks import Hooks
from twinflow.profiling.stacks import Stacks

_one = threading.Lock()


class profile:
    """Profiles a block, as it really runs.

    Kernels of eager calls and of interpreted graphs are counted and timed exactly;
    compiled programs are timed whole and shared out among their lines; what is Python
    is found by looking at the stacks.

    Attributes:
        seconds: how long the block took. costs: a Cost for each line, op and engine.
        compiled: (seconds, nodes) of what was compiled in the background meanwhile.
        peak: the most bytes in use that were seen.
        holders: [(who, bytes)] of what is held at the end, the largest first.
    Raises:
        RuntimeError: another profile is being taken.
    Example:
        with tf.profile() as p:
            tf.reduce_sum(tf.ones([100, 100]))
        p.report().startswith("profile of")  # True
    """

    def __init__(self) -> None:
        self.costs: list[Cost] = []
        self.compiled: list[tuple[float, int]] = []
        self.holders: list[tuple[str, int]] = []
        self.seconds, self.peak, self.base = 0.0, 0, 0
        self.stacks, self._hooks = Stacks(), Hooks()
        self._nodes: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> "profile":
        if not _one.acquire(blocking=False):
            raise RuntimeError(
                "A profile is being taken already: one block of tf.profile(), or "
                "`twinflow profile`, at a time."
            )
        self.base = heap.bytes_in_use()
        self._start = time.perf_counter()
        self._hooks.put()
        self.stacks.start()
        return self

    def __exit__(self, *error: Any) -> None:
        try:
            self.stacks.stop()
            marks = self._hooks.take_away()
        finally:
            _one.release()
        self.seconds = time.perf_counter() - self._start
        self.costs, self.compiled = costs_of(marks, self.stacks), self._hooks.compiled
        self._nodes = node_times(marks)
        self.peak = max(self.stacks.peak, heap.bytes_in_use())
        self.holders = holders.found()

    def report(self, lines: int = 12) -> str:
        """The report as text.

        Args:
            lines: how many lines, ops and holders of memory it names at most.
        """
        return report.text(self, lines)

    def save(self, path: Path) -> None:
        """Write one HTML file, which needs nothing else: a flame graph and tables.

        Args:
            path: of the file.
        """
        _write(path, lambda: flame.page(self))

    def chrome_trace(self, path: Path) -> None:
        """Write the flame graph as a trace for chrome://tracing.

        The order of its regions is by their time: they are sums, not events.

        Args:
            path: of the file.
        """
        _write(path, lambda: json.dumps({"traceEvents": flame.events(self)}))

    def run_metadata(self) -> Any:
        """A RunMetadata with the mean time of each node of a graph that ran.

        TensorBoard shows them in its graph, once
        `tf.summary.FileWriter.add_run_metadata` has written it beside the graph.
        """
        metadata = protos.RunMetadata()
        stats = metadata.step_stats.dev_stats.add(device=devices.CPU)
        start = int(time.time() * 1e6)
        for name, (runs, ns) in self._nodes.items():
            micros = max(1, round(ns / runs / 1000))
            stats.node_stats.add(
                node_name=name, all_start_micros=start, op_end_rel_micros=micros,
                all_end_rel_micros=micros, timeline_label=name,
            )  # fmt: skip
            start += micros
        return metadata

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values, as `twinflow profile --json` writes them."""
        return {
            "seconds": self.seconds,
            "engines": {k: v for (k,), v in summed(self.costs, "engine").items()},
            "costs": [c._asdict() for c in self.costs],
            "compiled": [{"seconds": s, "nodes": n} for s, n in self.compiled],
            "memory": {"start": self.base, "peak": self.peak, "holders": self.holders},
        }

    def save_json(self, path: Path) -> None:
        """Write `as_dict` as JSON.

        Args:
            path: of the file.
        """
        _write(path, lambda: json.dumps(self.as_dict()))


def _write(path: Path, make: Callable[[], str]) -> None:
    with Open(path, "w") as f:
        f.write(make())
