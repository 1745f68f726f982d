"""The view of nodes by the lines of the program that made them."""

import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from twinflow.formats.profile_protos import MultiGraphNodeProto
from twinflow.profiler.group_views import COLUMNS, GroupEntry
from twinflow.profiler.nodes import StatNode
from twinflow.profiler.shown import (
    ROOT,
    columns,
    in_order,
    is_shown,
    legend,
    matches,
    pair_text,
    takes_all,
)
from twinflow.profiler.stats import Stats
from twinflow.profiler.walking import fold, search, shown_in_order, tree_proto

_GRADIENT = " (gradient)"
_LONGEST = 19  # of the name of a function, which else ends after 17
_UNITS = {"params": " params", "float_ops": " flops"}


class Line(NamedTuple):
    """A line of a stack: of a file, in a function that starts at a line."""

    file: str
    line: int
    function: str
    start: int

    @property
    def label(self) -> str:
        """`file.py:12:function`"""
        function = self.function
        if len(function) > _LONGEST:
            function = f"{function[:17]}..."
        return f"{self.file.rpartition('/')[2]}:{self.line}:{function}"


class LineEntry(GroupEntry):
    """A line, below the lines that called it.

    Attributes:
        line: the Line, and caller, the entry that called it; None at the root.
        called: the entries below by name.
    """

    def __init__(
        self, name: str, line: Line | None = None, caller: "LineEntry | None" = None
    ) -> None:
        super().__init__(name)
        self.line, self.caller = line, caller
        self.called: dict[str, LineEntry] = {}
        self.visible = self.left_out = False

    def call(self, line: Line, ending: str) -> "LineEntry":
        """The entry of a line that this one calls."""
        name = line.label + ending
        if name not in self.called:
            self.called[name] = LineEntry(name, line, self)
            self.below.append(self.called[name])
        return self.called[name]

    def stack(self) -> list[Line]:
        """The lines that led here, outermost first."""
        found, entry = [], self
        while entry.line is not None and entry.caller is not None:
            found.append(entry.line)
            entry = entry.caller
        return found[::-1]


class CodeView:
    """Nodes by the lines of the program, each below the one that called it.

    Nodes of gradients stand at the lines of what they are the gradient of.
    """

    def __init__(self, stats: Stats) -> None:
        self.root = LineEntry(ROOT)
        backward, lost = [], 0
        for _, node in sorted(stats.nodes.items()):
            if not node.proto.trace.traces:
                continue
            forward = forward_name(node.name)
            if forward is None:
                self._add(node, lines_of(node, stats), "")
            else:
                backward.append((forward, node))
        for forward, node in sorted(backward, key=lambda pair: pair[0]):
            source = stats.nodes.get(forward)
            if source is None or not source.proto.trace.traces:
                lost += 1
            else:
                self._add(node, lines_of(source, stats), _GRADIENT)
        if lost:
            sys.stderr.write(f"{lost} gradient nodes not accounted\n")

    def _add(self, node: StatNode, lines: list[Line], ending: str) -> None:
        entry = self.root
        for line in lines:
            entry = entry.call(line, ending)
        entry.nodes[node.name] = node

    def show(self, options: Any) -> LineEntry:
        """Account, search, filter and sort; the root with all that is shown below."""
        root = self.root
        root.clear_total()
        found = fold(
            root.below, lambda e, a, d: e.below, lambda e, b: _account(e, b, options)
        )
        for entry in found:
            root.add(entry)
        starts = options.start_name_regexes
        if not takes_all(starts):
            found = search(
                found, lambda e: matches(e.name, starts), lambda e: e.shown_below
            )
        root.shown_below = found
        fold([root], lambda e, a, d: _enter(e, d, options),
             lambda e, b: _leave(e, b, options))  # fmt: skip
        return root

    def text(self, root: LineEntry, options: Any) -> str:
        """The report."""
        lines = [legend(options, COLUMNS, "occurrence")]
        lines += [
            f"{'  ' * depth}{entry.name} ({', '.join(_facts(entry, options))})\n"
            for entry, depth in shown_in_order(root)
        ]
        return "".join(lines)

    def proto(self, root: LineEntry) -> Any:
        """What is shown, as a MultiGraphNodeProto."""
        return tree_proto(root, MultiGraphNodeProto())


def forward_name(name: str) -> str | None:
    """`conv` of `gradients/conv_grad/Sum`; None for what is no node of a gradient."""
    start, end = name.find("gradients/"), name.find("_grad/")
    if start < 0 or end < 0:
        return None
    return name[start + len("gradients/") : end] or None


def lines_of(node: StatNode, stats: Stats) -> list[Line]:
    """The stack of a node, outermost first."""
    return [
        Line(
            t.file or stats.texts.get(t.file_id, ""), t.lineno,
            t.function or stats.texts.get(t.function_id, ""), t.func_start_line,
        )
        for t in node.proto.trace.traces
    ]  # fmt: skip


def _account(entry: LineEntry, below: list, options: Any) -> list:
    entry.clear_total()
    entry.begin(options)
    if not entry.accounted and not below:
        return []
    entry.shown_below = below
    entry.add_own()
    for child in below:
        entry.add(child)
    return [entry]


def _enter(entry: LineEntry, depth: int, options: Any) -> Iterable:
    entry.visible = is_shown(entry, options, depth)
    entry.left_out = matches(entry.name, options.trim_name_regexes) or (
        depth > options.max_depth and entry.name != ROOT
    )
    return () if entry.left_out else entry.shown_below


def _leave(entry: LineEntry, below: list, options: Any) -> list:
    if entry.left_out:
        return []
    if not entry.visible:
        return below
    entry.shown_below = in_order(below, options)
    return [entry]


def _facts(entry: LineEntry, options: Any) -> list[str]:
    found = []
    for kind in columns(options, COLUMNS):
        if kind == "device":
            found += ["|".join(entry.devices())] if entry.devices() else []
        elif kind == "op_types":
            found.append("|".join(entry.op_types()))
        elif kind in ("occurrence", "input_shapes"):
            found.append(f"{kind} N/A in code view")
        else:
            found.append(pair_text(entry, kind) + _UNITS.get(kind, ""))
    return found
