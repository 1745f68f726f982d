"""tf.profiler.advise: what is slow, and what may be."""

import sys
from collections.abc import Callable
from typing import Any

from twinflow.formats.profile_protos import AdviceProto, OptionsProto
from twinflow.profiler.code_view import CodeView
from twinflow.profiler.group_views import OpView
from twinflow.profiler.node_views import ScopeView
from twinflow.profiler.nodes import is_accelerator
from twinflow.profiler.shown import Entry, time_text
from twinflow.profiler.stats import Stats

_TOP = 3
_SLOW_MICROS = 1000  # a line of the program that takes less is not named
_DEEPEST = 3
_IDLE = 0.5  # of the time of a step


def advise(stats: Stats, checkers: Any) -> Any:
    """The AdviceProto of the checkers that are named; it is printed, too."""
    found = AdviceProto()
    for name in checkers:
        if name not in _CHECKERS:
            continue
        reports = found.checkers[name].reports
        if _can_check(stats, name):
            reports.extend(_CHECKERS[name](stats))
        print(f"\n{name}:")
        for report in reports:
            print(report)
    return found


def _can_check(stats: Stats, name: str) -> bool:
    if not stats.steps:
        sys.stderr.write(f"Missing run_meta for {name}\n")
    return bool(stats.steps)


def _options(**given: Any) -> Any:
    return OptionsProto(
        step=-1, max_depth=100, order_by="micros", account_type_regexes=[".*"],
        start_name_regexes=[".*"], show_name_regexes=[".*"], **given,
    )  # fmt: skip


def _times(entry: Entry, total: bool) -> str:
    of = entry.total if total else entry.own
    texts = map(time_text, of[:3])
    both, accelerator, cpu = texts
    return f"{entry.name}, cpu: {cpu}, accelerator: {accelerator}, total: {both}"


def _expensive(stats: Stats) -> list[str]:
    """The types, the nodes and the lines that take the most time."""
    found = [_types(stats), _nodes(stats)]
    if stats.has_traces:
        found.append(_lines(stats))
    else:
        sys.stderr.write("Missing op_log (code traces) for ExpensiveOperationChecker\n")
    return found


def _types(stats: Stats) -> str:
    root = OpView(stats).show(_options())
    lines: list[str] = []
    entry, whole = root, root.total.exec_micros
    while entry.shown_below and len(lines) < _TOP:
        entry = entry.shown_below[0]
        share = 100.0 * entry.own.exec_micros / (whole + 1e-10)
        text = f"{_times(entry, total=False)} ({share:.2f}%)"
        lines.append(f"top {len(lines) + 1} operation type: {text}")
    return "\n".join(lines)


def _nodes(stats: Stats) -> str:
    root = ScopeView(stats).show(_options(min_micros=100))
    return "\n".join(
        f"top {i} graph node: {_times(entry, total=False)}"
        for i, entry in enumerate(root.shown_below[:_TOP], 1)
    )


def _lines(stats: Stats) -> str:
    node = CodeView(stats).show(_options(min_micros=1))
    while len(node.shown_below) == 1:  # where the program itself begins to branch
        node = node.shown_below[0]
    found: list[str] = []
    _put_lines(node, 0, found)
    return "\n".join(found)


def _put_lines(entry: Entry, depth: int, found: list[str]) -> None:
    if len(entry.shown_below) <= 1 or depth > _DEEPEST:
        return
    for child in entry.shown_below[:_TOP]:
        if child.total.exec_micros >= _SLOW_MICROS:
            found.append("  " * depth + _times(child, total=True))
            _put_lines(child, depth + 1, found)


def _operations(stats: Stats) -> list[str]:
    """Ops that have a faster relative."""
    found = []
    nodes = [n for _, n in sorted(stats.nodes.items())]
    if any(n.op == "BatchNorm" for n in nodes):
        found.append("Maybe use faster FusedBatchNorm instead of BatchNorm")
    if any(
        n.proto.attrs["data_format"].s == b"NHWC"
        for n in nodes
        if "data_format" in n.proto.attrs and is_accelerator(n.device)
    ):
        found.append(
            "Found operation using NHWC data_format on GPU. Maybe NCHW is faster."
        )
    return found


def _utilization(stats: Stats) -> list[str]:
    """Accelerators that have nothing to do for much of a step."""
    spans: dict[str, tuple[int, int, int]] = {}
    for node in stats.nodes.values():
        for run in node.proto.execs.values():
            if is_accelerator(node.device) and run.accelerator_execs:
                busy = sum(
                    time.int64_values[1]
                    for execs in run.accelerator_execs.values()
                    for time in execs.times
                )
                span = (run.all_start_micros, run.latest_end_micros, 0)
                start, end, known = spans.get(node.device, span)
                spans[node.device] = (
                    min(start, span[0]), max(end, span[1]), known + busy,
                )  # fmt: skip
    shares = {d: busy / max(1, end - start) for d, (start, end, busy) in spans.items()}
    return [
        f"device: {device} low utilization: {share:.2f}"
        for device, share in sorted(shares.items())
        if share < _IDLE
    ]


_CHECKERS: dict[str, Callable[[Stats], list[str]]] = {
    "AcceleratorUtilizationChecker": _utilization,
    "ExpensiveOperationChecker": _expensive,
    "OperationChecker": _operations,
}
