"""The times of ops over many steps, summed up: tf.contrib.stat_summarizer."""

import collections
from typing import Any

from twinflow.formats import protos

_TOP = 10
_HEAD = "[node type]\t[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]"


class _Node:
    """What is known of one node.

    Attributes:
        start: when it first started in a step, in us. times: us in each step.
        memory: bytes. calls: how often it ran.
    """

    def __init__(self, kind: str, start: int) -> None:
        self.kind, self.start = kind, start
        self.times: list[Any] = []
        self.memory = self.calls = 0


class StatSummarizer:
    """Sums up the StepStats of runs.

    Args:
        graph_def: a serialized GraphDef, which says the types of the nodes.
    """

    def __init__(self, graph_def: Any = b"") -> None:
        found = protos.GraphDef.FromString(graph_def or b"")
        self._kinds = {n.name: n.op for n in found.node}
        self._nodes: dict[Any, Any] = {}
        self._steps: list[Any] = []

    def ProcessStepStatsStr(self, step_stats_str: bytes) -> None:
        """Add the StepStats of a run, serialized."""
        stats = protos.StepStats.FromString(step_stats_str)
        ran = [n for d in stats.dev_stats for n in d.node_stats]
        if not ran:
            return
        first, total = min(n.all_start_micros for n in ran), 0
        for n in ran:
            name = n.node_name
            new = _Node(self._kinds.get(name, "<>"), n.all_start_micros - first)
            node = self._nodes.setdefault(name, new)
            node.times.append(n.all_end_rel_micros)
            node.calls += 1
            node.memory += sum(m.total_bytes for m in n.memory)
            total += n.all_end_rel_micros
        self._steps.append(total)

    def ProcessStepStats(self, step_stats: Any) -> None:
        """Add the StepStats of a run."""
        self.ProcessStepStatsStr(step_stats.SerializeToString())

    def GetOutputString(self) -> str:
        """Tables of nodes in the order of their runs, and by time, memory and type."""
        named = list(self._nodes.items())
        by_time = sorted(named, key=lambda pair: -sum(pair[1].times))
        by_memory = sorted(named, key=lambda pair: -pair[1].memory)
        tables = (
            ("Run Order", sorted(named, key=lambda pair: pair[1].start)),
            ("Top by Computation Time", by_time[:_TOP]),
            ("Top by Memory Use", by_memory[:_TOP]),
        )
        parts = [self._table(title, rows) for title, rows in tables]
        return "\n".join([*parts, self._by_kind(), self._whole()])

    def PrintStepStats(self) -> None:
        """Print `GetOutputString`."""
        print(self.GetOutputString())

    def _table(self, title: str, rows: list) -> str:
        total, part = max(sum(self._steps), 1), 0.0
        lines = [f"{'=' * 30} {title} {'=' * 30}", _HEAD]
        for name, node in rows:
            share = 100 * sum(node.times) / total
            part += share
            steps = max(len(self._steps), 1)
            lines.append(
                f"{node.kind:>24}\t{node.start / 1000:9.3f}\t"
                f"{sum(node.times) / len(node.times) / 1000:9.3f}\t{share:8.3f}%\t"
                f"{part:8.3f}%\t{node.memory / steps / 1000:10.3f}\t"
                f"{node.calls / steps:9g}\t{name}"
            )
        return "\n".join([*lines, ""])

    def _by_kind(self) -> str:
        times: Any = collections.Counter()
        counts: Any = collections.Counter()
        for node in self._nodes.values():
            times[node.kind] += sum(node.times)
            counts[node.kind] += 1
        total, steps = max(sum(self._steps), 1), max(len(self._steps), 1)
        head = f"{'=' * 30} Summary by node type {'=' * 30}"
        lines = [head, "[Node type]\t[count]\t[avg ms]\t[avg %]"]
        for kind, time in times.most_common():
            share = 100 * time / total
            lines.append(
                f"{kind:>24}\t{counts[kind]:9}\t{time / steps / 1000:10.3f}\t"
                f"{share:10.3f}%"
            )
        return "\n".join([*lines, ""])

    def _whole(self) -> str:
        if not self._steps:
            return "Timings (microseconds): count=0"
        first, last, steps = self._steps[0], self._steps[-1], self._steps
        return (
            f"Timings (microseconds): count={len(steps)} first={first} curr={last} "
            f"min={min(steps)} max={max(steps)} avg={sum(steps) / len(steps):g}\n"
            f"{len(self._nodes)} nodes observed"
        )


def NewStatSummarizer(graph_def: bytes) -> StatSummarizer:
    """A StatSummarizer of a serialized GraphDef."""
    return StatSummarizer(graph_def)


def DeleteStatSummarizer(stat_summarizer: StatSummarizer) -> None:
    """Accepted: it goes by itself."""
