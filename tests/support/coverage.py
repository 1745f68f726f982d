"""How much of TensorFlow 1.12 is there: `python -m tests.support.coverage`.

Compares the public names with data/symbols_1_12.txt, their members and arguments with
the same, and the registered ops with base.op_defs. What is missing must stand in
base/unsupported.txt, among what is refused or still to be built; the exit status says
so. With --list each name is shown.
"""

import collections
import inspect
import re
import sys
from pathlib import Path
from typing import NamedTuple

import twinflow
from tests.support import op_cases  # noqa: F401 - loads every module of ops
from twinflow.base import op_defs
from twinflow.base.op import registry
from twinflow.base.unsupported import group_of_op, group_of_symbol
from twinflow.graph.graph_def import made
from twinflow.graph.v1 import all_reduce
from twinflow.graph.v1.functions import CALLS

_TAKEN_APART = {*CALLS, all_reduce.KIND}  # by imports
_MADE_BY_GRAPHS = ("Operation", "Tensor")  # programs never call these themselves


class Symbol(NamedTuple):
    """A public name: its path without `tf.`, its arguments, its members if a class."""

    path: str
    arguments: list
    members: list


def _lines(name):
    """The lines of a data file."""
    path = Path(__file__).parent / "data" / name
    return path.read_text().splitlines()


def symbols():
    """Every public function and class."""
    for line in _lines("symbols_1_12.txt"):
        head, _, members = line.partition(" | ")
        is_class = head.startswith("class ")
        path, _, rest = head.removeprefix("class ").partition("(")
        words = rest.rstrip(")").split(",")
        names = [a.partition("=")[0].strip(" *") for a in words]
        names = [n for n in names if n.isidentifier()]
        yield Symbol(path[3:], names, members.split() if is_class else [])


def op_types():
    """{op type: names of its inputs}"""
    return {
        kind: [a.name for a in op_defs.find(kind).inputs] for kind in op_defs.kinds()
    }


def find(path):
    """The object that twinflow has under a path, or None."""
    if path == "newaxis":
        return slice  # which is None
    value = twinflow
    for part in path.split("."):
        try:
            value = getattr(value, part)
        except (AttributeError, ImportError):
            return None
    return value


def missing_arguments(value, wanted):
    """The names of TensorFlow's arguments that a function does not take."""
    try:
        taken = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return []
    open_ended = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    if any(p.kind in open_ended for p in taken.values()):
        return []
    return [
        name for name in wanted if name not in taken and name not in ("self", "cls")
    ]


class Report:
    """What there is and what not.

    Attributes:
        there: how many names. outside: {Group: names}. missing: names that no group
            lists. arguments: lines on arguments that are not taken.
    """

    def __init__(self):
        self.there = 0
        self.outside = collections.defaultdict(list)
        self.missing: list = []
        self.arguments: list = []
        for symbol in symbols():
            self._look(symbol)
        for kind, inputs in op_types().items():
            self._look_at_op(kind, inputs)

    def _look(self, symbol):
        value = find(symbol.path)
        if value is None or getattr(value, "refused", None) is True:
            self._absent(f"tf.{symbol.path}", group_of_symbol(symbol.path))
            return
        self.there += 1
        lacks = missing_arguments(value, symbol.arguments)
        group = group_of_symbol(symbol.path)
        if lacks and group is None and symbol.path not in _MADE_BY_GRAPHS:
            self.arguments.append(f"tf.{symbol.path} does not take {', '.join(lacks)}")
        for name in symbol.members:
            path = f"{symbol.path}.{name}"
            if _has_member(value, name):
                self.there += 1
            else:
                self._absent(f"tf.{path}", group_of_symbol(path))

    def _look_at_op(self, kind, inputs):
        op = registry.get(kind)
        if op is None and kind not in _TAKEN_APART:
            self._absent(f"op {kind}", group_of_op(kind))
            return
        self.there += 1
        names = inputs if op is None else [a.name for a in op.sig.inputs]
        if names != inputs and group_of_op(kind) is None and not made.rule_of(op):
            self.arguments.append(f"op {kind} has inputs {names}, expected {inputs}")

    def _absent(self, name, group):
        if group is None:
            self.missing.append(name)
        else:
            self.outside[group].append(name)

    def lines(self, with_names):
        """The report as text."""
        for group, names in self.outside.items():
            yield f"{len(names):5} {group.kind:8} {group.title}"
            if with_names:
                yield from (f"      {name}" for name in names)
        yield from (f"MISSING  {name}" for name in self.missing)
        yield from (f"DIFFERS  {line}" for line in self.arguments)
        total = self.there + len(self.missing) + sum(map(len, self.outside.values()))
        yield f"{self.there} of {total} names, members and ops are there."


def _has_member(value, name):
    """Whether a class, one of its kinds, or what its __init__ makes has a name."""
    kinds = [value, *getattr(value, "__subclasses__", list)()]
    return any(hasattr(k, name) for k in kinds) or _made_by_init(value, name)


def _made_by_init(value, name):
    """Whether instances get an attribute in __init__."""
    try:
        sources = [inspect.getsource(c) for c in value.__mro__[:-1]]
    except (AttributeError, OSError, TypeError):
        return False
    return any(re.search(rf"\bself\.{name}\b.* = |\b{name}:", s) for s in sources)


def main(arguments):
    """Print the report; 1 if something is missing that no group lists."""
    report = Report()
    print("\n".join(report.lines("--list" in arguments)))
    return int(bool(report.missing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
