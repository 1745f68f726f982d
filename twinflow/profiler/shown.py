"""What every view of a profile shares: what it filters, sorts, adds up and writes."""

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from twinflow.base import errors
from twinflow.profiler.nodes import Numbers
from twinflow.profiler.std_sort import std_sorted

ROOT = "_TFProfRoot"
_ALL = [".*"]
_LEAST = {  # the options that say how much a shown entry has at least
    "min_bytes": "requested_bytes", "min_peak_bytes": "peak_bytes",
    "min_residual_bytes": "residual_bytes", "min_output_bytes": "output_bytes",
    "min_micros": "exec_micros", "min_accelerator_micros": "accelerator_exec_micros",
    "min_cpu_micros": "cpu_exec_micros", "min_params": "parameters",
    "min_float_ops": "float_ops",
}  # fmt: skip
_OF_NODES = {"min_params", "min_float_ops"}  # what a single node is to have itself
_ORDERS = {
    "bytes": "requested_bytes", "peak_bytes": "peak_bytes",
    "residual_bytes": "residual_bytes", "output_bytes": "output_bytes",
    "micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros",
    "cpu_micros": "cpu_exec_micros", "params": "parameters", "float_ops": "float_ops",
}  # fmt: skip
MEMORY = ("bytes", "peak_bytes", "residual_bytes", "output_bytes")
TIMES = ("micros", "accelerator_micros", "cpu_micros")
LEGENDS = {
    "params": "# parameters", "float_ops": "# float_ops", "bytes": "requested bytes",
    "peak_bytes": "peak bytes", "residual_bytes": "residual bytes",
    "output_bytes": "output bytes", "micros": "total execution time",
    "accelerator_micros": "accelerator execution time",
    "cpu_micros": "cpu execution time", "device": "assigned devices",
    "op_types": "op types", "occurrence": "op count (run|defined)",
    "input_shapes": "input shapes",
}  # fmt: skip


class Entry:
    """A line of a view: its own numbers, and those of all that is below it.

    Attributes:
        own, total: Numbers. runs, total_runs, total_definitions: counts of runs and
            of nodes. accounted: whether its own numbers count. below: its entries.
            shown_below: those that are shown. is_node: whether it is a single node.
            occurrence: how many nodes it stands for.
    """

    is_node = True
    occurrence = 1

    def __init__(self, name: str) -> None:
        self.name = name
        self.below: list[Any] = []
        self.shown_below: list[Any] = []
        self.own = self.total = Numbers()
        self.runs = self.total_runs = self.total_definitions = 0
        self.accounted = False

    def clear_total(self) -> None:
        """Begin to add up."""
        self.total, self.total_runs, self.total_definitions = Numbers(), 0, 0

    def add_own(self) -> None:
        """Add what it has itself to its total."""
        self.total = self.total.plus(self.own)
        self.total_runs += self.runs
        self.total_definitions += 1

    def add(self, other: "Entry") -> None:
        """Add the total of another entry to that of this one."""
        self.total = self.total.plus(other.total)
        self.total_runs += other.total_runs
        self.total_definitions += other.total_definitions

    def fill(self, proto: Any) -> Any:
        """Write the numbers into a GraphNodeProto or a MultiGraphNodeProto."""
        proto.name = self.name
        for name in Numbers._fields:
            setattr(proto, name, getattr(self.own, name))
            setattr(proto, f"total_{name}", getattr(self.total, name))
        return proto


E_ = TypeVar("E_", bound=Entry)


@functools.lru_cache(1024)
def _compiled(regex: str) -> re.Pattern:
    try:
        return re.compile(regex)
    except re.error as error:
        raise errors.InvalidArgumentError(
            None, None, f"{regex!r} is no regular expression: {error}. The options "
            "that end in `_regexes` take some; re.escape(name) matches a name in full.",
        ) from None  # fmt: skip


def matches(text: str, regexes: Iterable[str]) -> bool:
    """Whether one of the regular expressions matches all of a text."""
    return any(_compiled(r).fullmatch(text) is not None for r in regexes)


def takes_all(regexes: Sequence[str]) -> bool:
    """Whether the regular expressions are just `.*`."""
    return list(regexes) == _ALL


def is_counted(types: Iterable[str], options: Any) -> bool:
    """Whether a node of these types counts."""
    regexes = options.account_type_regexes
    return takes_all(regexes) or any(matches(t, regexes) for t in types)


def is_shown(entry: Entry, options: Any, depth: int, enough: bool = True) -> bool:
    """Whether an entry appears in the report."""
    if entry.name == ROOT:
        return True
    if depth > options.max_depth or not enough:
        return False
    for least, name in _LEAST.items():
        of = entry.own if entry.is_node and least in _OF_NODES else entry.total
        if getattr(of, name) < getattr(options, least):
            return False
    return matches(entry.name, options.show_name_regexes) and not matches(
        entry.name, options.hide_name_regexes
    )


def in_order(entries: list[E_], options: Any) -> list[E_]:
    """The entries sorted by what the options say, the largest first; or by name."""
    order = options.order_by
    if not order or not entries:
        return entries
    size: Callable[[E_], Any]
    if order in _ORDERS:
        name = _ORDERS[order]
        size = lambda e: -getattr(e.total, name)
    elif order == "occurrence" and not entries[0].is_node:
        size = lambda e: -e.occurrence
    else:
        size = lambda e: e.name
    return std_sorted(entries, lambda a, b: _before(a, b, size))


def _before(a: Entry, b: Entry, size: Callable) -> bool:
    if ROOT in (a.name, b.name):
        return a.name == ROOT
    return size(a) < size(b)


# ------------------------------------------------------------------------- the words
def number_text(n: int) -> str:
    """`451`, `1.80k`, `2.00m`, `3.10b`"""
    return _scaled(n, "", ("k", "m", "b"))


def time_text(micros: int) -> str:
    """`792us`, `2.77ms`, `1.16sec`"""
    return _scaled(micros, "us", ("ms", "sec"))


def memory_text(size: int) -> str:
    """`816B`, `3.48KB`, `2.00MB`"""
    return _scaled(size, "B", ("KB", "MB"))


def _scaled(n: int, unit: str, larger: tuple[str, ...]) -> str:
    if n < 1000:
        return f"{n}{unit}"
    power = next((i for i in range(1, len(larger)) if n < 1000 ** (i + 1)), len(larger))
    return f"{n / 1000.0**power:.2f}{larger[power - 1]}"


def number_of(entry: Entry, kind: str, total: bool = True) -> int:
    """The number of an entry that a name of `select` stands for."""
    return getattr(entry.total if total else entry.own, _ORDERS[kind])


def pair_text(entry: Entry, kind: str) -> str:
    """`own/total` of an entry, `--/total` where its own does not count."""
    say = memory_text if kind in MEMORY else time_text if kind in TIMES else number_text
    own = say(number_of(entry, kind, total=False)) if entry.accounted else "--"
    return f"{own}/{say(number_of(entry, kind))}"


def columns(options: Any, kinds: Iterable[str]) -> list[str]:
    """Those of the kinds that are selected; `micros` selects all three times."""
    select = set(options.select)
    if "micros" in select:
        select.update(TIMES)
    return [kind for kind in kinds if kind in select]


def legend(options: Any, kinds: Iterable[str], occurrence: str = "count") -> str:
    """The first line of a report."""
    found = (LEGENDS[kind] for kind in columns(options, kinds))
    names = (n.replace("op count", f"op {occurrence}") for n in found)
    return f"node name | {' | '.join(names)}\n"


def shapes_text(shapes: dict[int, list[int]], between: str) -> str:
    """`0:2x3|1:unknown`"""
    return between.join(
        f"{i}:{'x'.join(map(str, dims)) or 'unknown'}"
        for i, dims in sorted(shapes.items())
    )
