"""The view of groups of nodes by op type, and what it shares with that by line."""

from collections.abc import Callable
from typing import Any

from twinflow.formats.profile_protos import MultiGraphNodeProto
from twinflow.profiler.node_views import NodeEntry
from twinflow.profiler.nodes import Numbers, StatNode
from twinflow.profiler.shown import (
    MEMORY,
    ROOT,
    TIMES,
    Entry,
    columns,
    in_order,
    is_counted,
    is_shown,
    legend,
    matches,
    memory_text,
    number_of,
    number_text,
    shapes_text,
    takes_all,
    time_text,
)
from twinflow.profiler.stats import Stats
from twinflow.profiler.std_sort import std_sorted
from twinflow.profiler.walking import tree_proto

COLUMNS = (
    *MEMORY, *TIMES, "params", "float_ops", "device", "op_types", "occurrence",
    "input_shapes",
)  # fmt: skip


class GroupEntry(Entry):
    """Several nodes in a view.

    Attributes:
        nodes: all of them, by name. counted: the NodeEntries of those that count.
    """

    is_node = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.nodes: dict[str, StatNode] = {}
        self.counted: list[NodeEntry] = []

    @property
    def occurrence(self) -> int:  # type: ignore[override]
        return len(self.counted)

    def begin(self, options: Any) -> None:
        """Take the numbers of the nodes that count."""
        self.own, self.runs, self.counted = Numbers(), 0, []
        for _, node in sorted(self.nodes.items()):
            if is_counted(node.op_types, options):
                entry = NodeEntry(node)
                entry.begin(options)
                entry.add_own()
                self.counted.append(entry)
                self.own = self.own.plus(entry.own)
                self.runs += entry.runs
        all_count = takes_all(options.account_type_regexes)
        self.accounted = bool(self.counted) or all_count

    def fill(self, proto: Any) -> Any:
        super().fill(proto)
        for entry in self.counted:
            entry.fill(proto.graph_nodes.add())
        return proto

    def devices(self) -> list[str]:
        """Where its nodes ran."""
        return sorted({e.node.device for e in self.counted})

    def op_types(self) -> list[str]:
        """The types of its nodes."""
        return sorted(set().union(*(e.node.op_types for e in self.counted)))


class OpView:
    """Nodes by op type: a list in which each entry's total is of those from it on."""

    def __init__(self, stats: Stats) -> None:
        self.root = GroupEntry(ROOT)
        self.entries: dict[str, GroupEntry] = {}
        for name, node in stats.nodes.items():
            entry = self.entries.setdefault(node.op, GroupEntry(node.op))
            entry.nodes[name] = node

    def show(self, options: Any) -> GroupEntry:
        """Account, sort and filter; the root with a chain of all that is shown."""
        for _, entry in sorted(self.entries.items()):
            entry.clear_total()
            entry.begin(options)
            entry.add_own()
        ordered = in_order([e for _, e in sorted(self.entries.items())], options)
        counted = [e for e in ordered if e.accounted]
        self._add_up(counted)
        shown = self._shown(counted, options)
        if options.account_displayed_op_only:
            for entry in shown:
                entry.clear_total()
                entry.add_own()
            self._add_up(shown)
        above = self.root
        for entry in shown:
            above.shown_below = [entry]
            above = entry
        above.shown_below = []
        return self.root

    def _add_up(self, entries: list[GroupEntry]) -> None:
        """Add to each entry those behind it, and to the root all."""
        for entry, behind in zip(entries[-2::-1], entries[:0:-1], strict=True):
            entry.add(behind)
        self.root.clear_total()
        if entries:
            self.root.add(entries[0])

    def _shown(self, entries: list[GroupEntry], options: Any) -> list[GroupEntry]:
        starts, trims = options.start_name_regexes, options.trim_name_regexes
        first = (i for i, e in enumerate(entries) if matches(e.name, starts))
        entries = entries[next(first, len(entries)) :]
        last = (i for i, e in enumerate(entries) if matches(e.name, trims))
        entries = entries[: next(last, len(entries))]
        return [
            e for i, e in enumerate(entries)
            if is_shown(e, options, i, options.min_occurrence <= e.occurrence)
        ]  # fmt: skip

    def text(self, root: GroupEntry, options: Any) -> str:
        """The report."""
        lines, entry = [legend(options, COLUMNS, "occurrence")], root
        while entry.shown_below:
            entry = entry.shown_below[0]
            lines.append(self._line(entry, options))
        return "".join(lines)

    def _line(self, entry: GroupEntry, options: Any) -> str:
        found = []
        for kind in columns(options, COLUMNS):
            if kind == "device":
                found.append("|".join(entry.devices()))
            elif kind == "op_types":
                found.append("|".join(entry.op_types()))
            elif kind == "occurrence":
                found.append(f"{f'{entry.runs}|{len(entry.counted)}':>10}")
            elif kind != "input_shapes":
                found.append(f"{self._share(entry, kind):>30}")
        line = f"{entry.name:<25}{', '.join(found)}\n"
        shapes = _shapes(entry) if "input_shapes" in options.select else ""
        return f"{line}\n{shapes}\n\n" if shapes else line

    def _share(self, entry: GroupEntry, kind: str) -> str:
        say: Callable[[int], str] = memory_text if kind in MEMORY else number_text
        say = time_text if kind in TIMES else say
        all_of = number_of(self.root, kind)
        total, own = number_of(entry, kind), number_of(entry, kind, total=False)
        some = own if kind in MEMORY else total  # as TensorFlow has it
        parts = (100.0 * n / all_of if some > 0 else 0.0 for n in (total, own))
        unit = {"params": " params", "float_ops": " float_ops"}.get(kind, "")
        return f"{say(own)}{unit} ({', '.join(f'{part:.2f}%' for part in parts)})"

    def proto(self, root: GroupEntry) -> Any:
        """What is shown, as a MultiGraphNodeProto."""
        return tree_proto(root, MultiGraphNodeProto())


def _shapes(entry: GroupEntry) -> str:
    """A line for each different set of shapes, the one that ran most first."""
    found: dict[str, tuple[int, int, int]] = {}
    for one in entry.counted:
        text = "input_type: " + shapes_text(one.node.input_shapes, ",\t")
        defined, runs, micros = found.get(text, (0, 0, 0))
        micros += one.own.exec_micros
        found[text] = defined + 1, runs + one.runs, micros
    lines = std_sorted(sorted(found.items()), lambda a, b: a[1][1] > b[1][1])
    return "\n".join(
        f"{text}\t(run*{runs}|defined*{defined})\texec_time: {time_text(micros)}"
        for text, (defined, runs, micros) in lines
    )
