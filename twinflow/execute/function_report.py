"""Function.explain: traces, captures, Python that runs once, engines and host ops."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base.frames import format_frame, source_line
from twinflow.base.watching import OpRun, Watcher, watched_by
from twinflow.execute.call import plans_of
from twinflow.execute.cutting import on_host
from twinflow.execute.python_effects import PRINTS, once_only
from twinflow.graph.picture.tree import kind_text, place_text
from twinflow.graph.program import is_known

if TYPE_CHECKING:
    from twinflow.execute.function import Function
    from twinflow.execute.trace import Trace

_MOST = 12  # of one kind of thing


class FunctionReport:
    """What is known of a function; `print` shows it.

    Attributes:
        traces: (kinds of the arguments, why it was traced). captures: (what, line).
        once: (line, what) that runs in Python while it is traced alone.
        host: (op, line, seconds of a run or None) of ops that stay on the host.
        engines: texts of the clusters, each with its engine.
    """

    def __init__(self, function: "Function", costs: dict | None = None) -> None:
        traces = list(function.traces.values())
        self.name = function.name
        self.traces = [(dict(t.kinds), t.reason) for t in traces]
        once = once_only(function.python_function)
        if function.autograph:  # which prints in each call
            once = [e for e in once if e[1] != PRINTS]
        self.once = once
        last = traces[-1] if traces else None
        self.captures = [] if last is None else list(_captures(last))
        self.host = [] if last is None else list(_host(last, costs or {}))
        self.engines = [e for t in traces for e in _engines(t)]

    def __str__(self) -> str:
        lines = [f"{self.name}: {len(self.traces)} traces"]
        for kinds, reason in self.traces:
            args = ", ".join(f"{k}: {v}" for k, v in kinds.items())
            lines.append(f"  ({args}), because of {reason}")
        lines += _part("it holds from outside", self.captures)
        lines += _part("in Python, once a trace", [(b, a) for a, b in self.once])
        rows = [(f"{n}{_time(s)}", line) for n, line, s in self.host]
        lines += _part("on the host, never compiled", rows)
        lines += _part("engines", [(e, "") for e in self.engines])
        return "\n".join(lines)

    __repr__ = __str__


def _part(title: str, rows: list) -> list[str]:
    if not rows:
        return []
    width = max(len(a) for a, _ in rows[:_MOST]) + 2
    left = len(rows) - _MOST
    return [
        f"{title}:", *(f"  {a:<{width}}{b}".rstrip() for a, b in rows[:_MOST]),
        *([f"  ... and {left} more"] if left > 0 else []),
    ]  # fmt: skip


def _time(seconds: float | None) -> str:
    return "" if seconds is None else f", {seconds * 1e6:.0f} us"


def _captures(trace: "Trace") -> Iterator[tuple[str, str]]:
    graph = trace.graph
    known = [v for ref in graph.variables.values() if (v := ref()) is not None]
    for inner in graph.captures.values():
        held = next((v for v in known if v.handle_id() == inner._id), None)
        if held is not None:
            shape = f"{held.dtype.base_dtype.name}{held.shape}"
            what = f"the variable {held.name!r}: {shape}"
        else:
            what = f"a tensor of {kind_text(inner)}; later values are not seen"
        users = [n for n in graph.nodes if inner in n.inputs and n.frames]
        pair = (users[0] if users else inner.op).frames[:1]
        where = f"{format_frame(pair[0])}  {source_line(pair[0])}" if pair else ""
        yield what, where


def _host(trace: "Trace", costs: dict) -> Iterator[tuple[str, str, float | None]]:
    """The host steps of the plans, with what they cost where that is known."""
    seen: set = set()
    for plan in plans_of(trace.graph):
        for node in plan.program.nodes:
            host = node in plan.hosts or on_host(node, plan.program)
            if host and node not in seen and not is_known(node, plan.program):
                seen.add(node)
                yield (
                    f"{node.name} ({node.type})",
                    place_text(node, True),
                    costs.get(node),
                )


def _engines(trace: "Trace") -> Iterator[str]:
    for plan in plans_of(trace.graph):
        for cluster in plan.clusters:
            size = len(cluster.spec.nodes)
            if not cluster.entries:
                yield f"{size} nodes: not run yet"
            for entry in cluster.entries.values():
                yield f"{size} nodes: {entry.describe()}"


class _Costs(Watcher):
    """The seconds of each node, from begin to end."""

    def __init__(self) -> None:
        self.seconds: dict = {}
        self.begun: dict = {}

    def begins(self, run: OpRun) -> None:
        self.begun[run.node] = time.perf_counter()

    def ended(self, run: OpRun) -> None:
        spent = time.perf_counter() - self.begun.pop(run.node)
        self.seconds[run.node] = self.seconds.get(run.node, 0.0) + spent


def costs_of(function: Any, args: tuple, kwargs: dict) -> dict:
    """{Node: seconds} of one call of a function in the interpreter."""
    with watched_by(_Costs()) as watcher:
        function(*args, **kwargs)
    return watcher.seconds
