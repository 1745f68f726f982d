"""The views of single nodes: by name scope, and by the graph."""

from collections.abc import Iterable
from typing import Any

from twinflow.formats.profile_protos import GraphNodeProto
from twinflow.profiler.nodes import StatNode
from twinflow.profiler.shown import (
    MEMORY,
    ROOT,
    Entry,
    columns,
    in_order,
    is_counted,
    is_shown,
    legend,
    matches,
    number_text,
    pair_text,
    shapes_text,
    takes_all,
)
from twinflow.profiler.stats import Stats
from twinflow.profiler.walking import fold, search, shown_in_order, tree_proto

_COLUMNS = (
    "params", "float_ops", *MEMORY, "micros", "accelerator_micros", "cpu_micros",
    "device", "op_types", "occurrence", "input_shapes",
)  # fmt: skip
_UNITS = {"params": " params", "float_ops": " flops"}


class NodeEntry(Entry):
    """A node in a view."""

    def __init__(self, node: StatNode) -> None:
        super().__init__(node.name)
        self.node = node
        self.visible, self.indent = False, 0

    def begin(self, options: Any) -> None:
        """Take the numbers of the step, and say whether they count."""
        self.own = self.node.numbers(options.step)
        self.runs = self.node.run_count(options.step)
        self.accounted = is_counted(self.node.op_types, options)

    def fill(self, proto: Any) -> Any:
        super().fill(proto)
        proto.run_count = self.runs
        proto.total_run_count = self.total_runs
        proto.total_definition_count = self.total_definitions
        if self.node.device:
            proto.devices.append(self.node.device)
        for i, dims in self.node.input_shapes.items():
            set_shape(proto.input_shapes[i], dims)
        return proto


def set_shape(proto: Any, dims: list[int]) -> None:
    """Write sizes into a TensorShapeProto; none are an unknown shape."""
    proto.unknown_rank = not dims
    for size in dims:
        proto.dim.add(size=size)


class NodeView:
    """A view of single nodes.

    Args:
        stats: the Stats.
    Attributes:
        root: the entry above all. once: whether entries are reached on several ways.
    """

    once = False
    parent = ""

    def __init__(self, stats: Stats) -> None:
        self.root = NodeEntry(StatNode.of(ROOT, self.parent, -1))
        entries = {name: NodeEntry(n) for name, n in sorted(stats.nodes.items())}
        self._connect(entries)

    def _connect(self, entries: dict[str, NodeEntry]) -> None:
        """Put entries below others."""
        raise TypeError("NodeView has no order of its own; take a subclass of it")

    def keeps(self, entry: NodeEntry, below: list) -> bool:
        """Whether an entry stays when it does not count."""
        return bool(below)

    def show(self, options: Any) -> NodeEntry:
        """Account, search, filter and sort; the root with all that is shown below."""
        root = self.root
        root.clear_total()
        root.accounted = False
        found = fold(
            root.below, lambda e, a, d: e.below,
            lambda e, b: self._account(e, b, options), self.once,
        )  # fmt: skip
        for entry in found:
            root.add(entry)
        starts = options.start_name_regexes
        if not takes_all(starts):
            found = search(
                found, lambda e: matches(e.name, starts), lambda e: e.shown_below,
                self.once,
            )  # fmt: skip
        root.shown_below = found
        fold(
            [root], lambda e, a, d: self._enter(e, d, options),
            lambda e, b: self._leave(e, b, options), self.once,
        )  # fmt: skip
        return root

    def _account(self, entry: NodeEntry, below: list, options: Any) -> list:
        entry.clear_total()
        entry.begin(options)
        if not entry.accounted and not self.keeps(entry, below):
            return below
        entry.shown_below = below
        entry.add_own()
        for child in below:
            entry.add(child)
        return [entry]

    def _enter(self, entry: NodeEntry, depth: int, options: Any) -> Iterable:
        enough = options.min_occurrence <= entry.runs
        entry.visible = is_shown(entry, options, depth, enough)
        trimmed = matches(entry.name, options.trim_name_regexes)
        return () if trimmed or depth > options.max_depth else entry.shown_below

    def _leave(self, entry: NodeEntry, below: list, options: Any) -> list:
        if not entry.visible:
            return below
        if options.account_displayed_op_only:
            entry.clear_total()
            entry.add_own()
        entry.shown_below = in_order(below, options)
        if options.account_displayed_op_only:
            for child in entry.shown_below:
                entry.add(child)
        return [entry]

    def text(self, root: NodeEntry, options: Any) -> str:
        """The report."""
        lines = [legend(options, _COLUMNS)]
        lines += [
            f"{'  ' * depth}{entry.name} ({', '.join(_facts(entry, options))})\n"
            for entry, depth in shown_in_order(root)
        ]
        return "".join(lines)

    def proto(self, root: NodeEntry) -> Any:
        """What is shown, as a GraphNodeProto."""
        return tree_proto(root, GraphNodeProto())


def _facts(entry: NodeEntry, options: Any) -> list[str]:
    found = []
    for kind in columns(options, _COLUMNS):
        if kind == "params" and entry.node.shape:
            found.append("x".join(map(str, entry.node.shape)))
        if kind == "device":
            found += [entry.node.device] if entry.node.device else []
        elif kind == "op_types":
            found.append("|".join(sorted(entry.node.op_types)))
        elif kind == "occurrence":
            found.append(_occurrence(entry))
        elif kind == "input_shapes":
            found.append(shapes_text(entry.node.input_shapes, "|"))
        else:
            found.append(pair_text(entry, kind) + _UNITS.get(kind, ""))
    return found


def _occurrence(entry: NodeEntry) -> str:
    runs, defined = number_text(entry.runs), "1"
    if not entry.accounted:
        runs = defined = "--"
    total = number_text(entry.total_runs)
    return f"{runs}/{total}|{defined}/{number_text(entry.total_definitions)}"


class ScopeView(NodeView):
    """Nodes below the scopes of their names."""

    parent = "_kTFScopeParent"

    def _connect(self, entries: dict[str, NodeEntry]) -> None:
        for name in list(entries):
            parts = name.split("/")
            for i in range(1, len(parts)):
                scope = "/".join(parts[:i])
                if scope not in entries:
                    entries[scope] = NodeEntry(StatNode.of(scope, self.parent, -1))
        for name, entry in sorted(entries.items()):
            above = entries.get(name.rpartition("/")[0], self.root)
            above.below.append(entry)


class GraphView(NodeView):
    """Nodes below those that take their outputs, each once."""

    once = True
    parent = "_TFGraphParent"

    def keeps(self, entry: NodeEntry, below: list) -> bool:
        return False

    def _connect(self, entries: dict[str, NodeEntry]) -> None:
        taken = set()
        for entry in entries.values():
            for _, (name, _) in sorted(entry.node.inputs.items()):
                taken.add(name)
                if name in entries:
                    entry.below.append(entries[name])
        self.root.below = [e for name, e in entries.items() if name not in taken]
