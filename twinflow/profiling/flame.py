"""The flame graph of a profile: a tree of lines, as a page and as a trace."""

import html
import json
import linecache
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twinflow.base.frames import line_number
from twinflow.profiling import report
from twinflow.profiling.costs import Cost

if TYPE_CHECKING:
    from twinflow.profiling.taking import profile


class Bar:
    """A rectangle of the graph.

    Attributes:
        name, engine: what it is. seconds: it and what is above it. inner: by name.
    """

    def __init__(self, name: str, engine: str = "") -> None:
        self.name, self.engine, self.seconds = name, engine, 0.0
        self.inner: dict[str, Bar] = {}

    def add(self, path: list[tuple[str, str]], seconds: float) -> None:
        """Add time to a path of (name, engine)."""
        self.seconds += seconds
        if path:
            (name, engine), *rest = path
            inner = self.inner.setdefault(name, Bar(name, engine))
            inner.add(rest, seconds)

    def as_dict(self) -> dict[str, Any]:
        """For the page; what is too small to be seen is left out."""
        least = self.seconds / 2000
        rows = sorted(self.inner.values(), key=lambda r: -r.seconds)
        inner = [r.as_dict() for r in rows if r.seconds > least]
        return {"n": self.name, "e": self.engine, "s": self.seconds, "i": inner}


def tree(p: "profile") -> Bar:
    """The stacks, and on the lines at their ends the ops and engines."""
    root, above = Bar("all"), _stacks_of_lines(p)
    for cost in p.costs:
        stacks = above.get((cost.file, cost.line)) or {_alone(cost): 1.0}
        whole = sum(stacks.values())
        for stack, weight in stacks.items():
            path = [(name, "") for name in stack]
            path.append((cost.op, cost.engine))
            root.add(path, cost.seconds * weight / whole)
    return root


def _stacks_of_lines(p: "profile") -> dict:
    """{(file, line): {stack of names: ns}} of the lines that were seen at work."""
    found: dict = defaultdict(lambda: defaultdict(float))
    for stack, ns in p.stacks.seen.items():
        places = [(code.co_filename, line_number((code, at))) for code, at in stack]
        names = tuple(_name(*place) for place in places)
        found[places[-1]][names] += max(ns, 1)
    return found


def _alone(cost: Cost) -> tuple[str, ...]:
    return (_name(cost.file, cost.line),) if cost.file else ()


def _name(file: str, line: int) -> str:
    source = linecache.getline(file, line).strip()
    return f"{report.short(file)}:{line}  {source[:80]}"


def events(p: "profile") -> list[dict]:
    """The tree as bars of Chrome's trace viewer, from 0 on, the longest first."""
    found: list = []

    def put(bar: Bar, start: float) -> None:
        args = {"engine": bar.engine} if bar.engine else {}
        found.append(
            {"ph": "X", "cat": "profile", "name": bar.name, "pid": 0, "tid": 0,
             "ts": start * 1e6, "dur": bar.seconds * 1e6, "args": args}
        )  # fmt: skip
        for inner in sorted(bar.inner.values(), key=lambda r: -r.seconds):
            put(inner, start)
            start += inner.seconds

    put(tree(p), 0.0)
    return found


def page(p: "profile") -> str:
    """The page: the graph, and the report below."""
    shell = Path(__file__).with_name("page.html")
    data = json.dumps(tree(p).as_dict()).replace("<", "\\u003c")
    text = shell.read_text(encoding="utf-8").replace("@DATA@", data)
    return text.replace("@REPORT@", html.escape(p.report(lines=40)))
