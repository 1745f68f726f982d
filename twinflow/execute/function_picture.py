"""What a function shows of itself: `print` a text tree, a notebook a card."""

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from twinflow import drawing
from twinflow.execute.function_report import FunctionReport
from twinflow.graph import picture

if TYPE_CHECKING:
    from twinflow.execute.function import Function

_MOST_TRACES = 4  # that are shown; the others are counted


class PicturedFunction:
    """The traces of a Function as text and as pictures; Note [Cards]."""

    name: str
    traces: dict
    python_function: Any

    def __str__(self) -> str:
        found = list(self.traces.values())
        if not found:
            return f"function {self.name}: not called yet, nothing is traced"
        texts = [picture.tree_text(trace.graph) for trace in found[:_MOST_TRACES]]
        return "\n\n".join([*texts, *_more(found)])

    def _repr_html_(self) -> str:
        report = FunctionReport(cast("Function", self))
        found = list(self.traces.values())
        return drawing.card(
            f"function {self.name}{_signature(self.python_function)}",
            ", ".join(_words(self, found)),
            drawing.table(_rows(found), ("arguments", "traced because of", "nodes"),
                          (2,), 20) if found else "",
            *_parts(report), *map(_picture, found[:_MOST_TRACES]), *_more(found),
        )  # fmt: skip


def _signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(...)"


def _words(function: Any, traces: list) -> Iterator[str]:
    yield f"{len(traces)} traces" if traces else "not called yet, nothing is traced"
    if function.input_signature is not None:
        yield f"input_signature {function.input_signature}"
    if function.autograph:
        yield "with autograph"


def _rows(traces: list) -> Iterator[tuple]:
    for trace in traces:
        kinds = "\n".join(f"{name}: {kind}" for name, kind in trace.kinds.items())
        yield kinds, trace.reason, f"{len(trace.graph.nodes)}"


def _parts(report: FunctionReport) -> Iterator[str]:
    host = [(name, line) for name, line, _ in report.host]
    once = [(what, line) for line, what in report.once]
    engines = [(e,) for e in report.engines]
    for title, rows in (
        ("the way it runs", engines), ("on the host, never compiled", host),
        ("it holds from outside", report.captures), ("in Python, once a trace", once),
    ):  # fmt: skip
        if rows:
            yield drawing.folded(title, drawing.table(rows, most=12))


def _picture(trace: Any) -> str:
    parts = picture.graph_parts(trace.graph)
    kinds = ", ".join(trace.kinds.values())
    return drawing.folded(f"the graph for ({kinds})", *parts)


def _more(traces: list) -> list[str]:
    left = len(traces) - _MOST_TRACES
    return [f"... and {left} more of its traces"] if left > 0 else []
