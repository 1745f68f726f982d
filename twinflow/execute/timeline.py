"""Timeline: the times of a run as a file for Chrome's chrome://tracing."""

import json
from typing import Any, NamedTuple


class AllocationMaximum(NamedTuple):
    """The most memory that outputs of nodes took at a time.

    Args:
        timestamp: in microseconds. num_bytes: how much. tensors: names of outputs, the
            first ones of nodes without `:0`.
    """

    timestamp: int
    num_bytes: int
    tensors: set


class StepStatsAnalysis(NamedTuple):
    """What Timeline.analyze_step_stats finds.

    Args:
        chrome_trace: has `format_to_string`. allocator_maximums: AllocationMaximum by
            the name of the allocator.
    """

    chrome_trace: Any
    allocator_maximums: dict


class ChromeTrace:
    """Events in the format of Chrome's trace viewer."""

    def __init__(self) -> None:
        self.names: list = []
        self.events: list = []

    def name(self, pid: int, text: str) -> None:
        """Name a process."""
        self._meta("process_name", pid, {"name": text})
        self._meta("process_sort_index", pid, {"sort_index": pid})

    def _meta(self, kind: str, pid: int, args: dict) -> None:
        self.names.append({"name": kind, "ph": "M", "pid": pid, "args": args})

    def region(
        self, start: int, duration: int, pid: int, tid: int, name: Any, args: dict
    ) -> None:
        """Something that takes time."""
        self.events.append(
            {"ph": "X", "cat": "Op", "name": name, "pid": pid, "tid": tid,
             "ts": start, "dur": duration, "args": args}
        )  # fmt: skip

    def flow(self, phase: Any, at: Any, pid: Any, tid: Any, number: Any) -> None:
        """The start ("s") or end ("t") of an arrow."""
        self.events.append(
            {"ph": phase, "cat": "DataFlow", "name": "flow", "pid": pid, "tid": tid,
             "ts": at, "id": number}
        )  # fmt: skip

    def counter(self, at: int, pid: int, name: str, values: dict[str, int]) -> None:
        """A number that changes."""
        self.events.append(
            {"ph": "C", "cat": "Memory", "name": name, "pid": pid, "tid": 0, "ts": at,
             "args": values}
        )  # fmt: skip

    def format_to_string(self, pretty: bool = False) -> str:
        """The trace as JSON."""
        trace = {"traceEvents": self.names + self.events}
        return json.dumps(trace, indent=4 if pretty else None, separators=(",", ": "))


class Timeline:
    """The times of one run.

    Args:
        step_stats: RunMetadata.step_stats of a run with
            RunOptions(trace_level=RunOptions.FULL_TRACE). graph: accepted.
    Example:
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        with tf.Session() as sess: sess.run(tf.constant(1), None, options, metadata)
        Timeline(metadata.step_stats).generate_chrome_trace_format()[0]  # "{"
    """

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats, self._graph = step_stats, graph

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False
    ) -> str:
        """The JSON that chrome://tracing loads.

        Args:
            show_dataflow: draw arrows from nodes to those that use them.
            show_memory: draw the memory of outputs.
        """
        found = self.analyze_step_stats(show_dataflow, show_memory)
        return found.chrome_trace.format_to_string(pretty=True)

    def analyze_step_stats(
        self, show_dataflow: bool = True, show_memory: bool = True
    ) -> StepStatsAnalysis:
        """A StepStatsAnalysis; see generate_chrome_trace_format."""
        trace = ChromeTrace()
        ends: dict = {}
        for pid, device in enumerate(self._step_stats.dev_stats):
            trace.name(pid, f"{device.device} Compute")
            lanes: list = []
            for stats in sorted(device.node_stats, key=lambda s: s.all_start_micros):
                tid = _lane(lanes, stats)
                _put(trace, stats, pid, tid)
                if show_dataflow:
                    _put_arrows(trace, stats, pid, tid, ends)
                ends[stats.node_name] = (pid, tid, _end(stats))
        maximums = self._maximums(trace if show_memory else None)
        return StepStatsAnalysis(trace, maximums)

    def _maximums(self, trace: ChromeTrace | None) -> dict[str, AllocationMaximum]:
        """How much memory the outputs take as they are made, by allocator."""
        used: dict = {}
        most: dict = {}
        for pid, device in enumerate(self._step_stats.dev_stats):
            for stats in sorted(device.node_stats, key=_end):
                for output in stats.output:
                    about = output.tensor_description.allocation_description
                    held = used.setdefault(about.allocator_name, {})
                    slot = f":{output.slot}" if output.slot else ""
                    held[f"{stats.node_name}{slot}"] = about.allocated_bytes
                    total = sum(held.values())
                    found = AllocationMaximum(_end(stats), total, set(held))
                    most[about.allocator_name] = found
                    if trace is not None:
                        name = about.allocator_name
                        trace.counter(_end(stats), pid, name, {name: total})
        return most


def _end(stats: Any) -> int:
    return stats.all_start_micros + stats.all_end_rel_micros


def _lane(lanes: list[int], stats: Any) -> int:
    """The first lane where nothing is going on any more."""
    for i, end in enumerate(lanes):
        if end <= stats.all_start_micros:
            lanes[i] = _end(stats)
            return i
    lanes.append(_end(stats))
    return len(lanes) - 1


def _parse(stats: Any) -> tuple:
    """(op type, names of inputs) of a label `name = Type(a, b)`."""
    _, _, call = stats.timeline_label.partition(" = ")
    kind, _, rest = call.partition("(")
    return kind or "unknown_op", [n for n in rest.rstrip(")").split(", ") if n]


def _put(trace: ChromeTrace, stats: Any, pid: int, tid: int) -> None:
    kind, inputs = _parse(stats)
    args = {"name": stats.node_name, "op": kind}
    args |= {f"input{i}": name for i, name in enumerate(inputs)}
    trace.region(stats.all_start_micros, stats.all_end_rel_micros, pid, tid, kind, args)


def _put_arrows(trace: ChromeTrace, stats: Any, pid: int, tid: int, ends: dict) -> None:
    for name in _parse(stats)[1]:
        source = ends.get(name.lstrip("^").partition(":")[0])
        if source is not None:
            number = len(trace.events)
            trace.flow("s", source[2], source[0], source[1], number)
            trace.flow("t", stats.all_start_micros, pid, tid, number)
