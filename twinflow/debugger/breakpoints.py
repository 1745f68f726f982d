"""Breakpoints at ops, beside those of Python at lines."""

import bdb
import fnmatch
import os
from typing import Any

import numpy as np

from twinflow.base.frames import line_number
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun
from twinflow.debugger.values import is_bad, short

OPS = "<ops>"  # in place of a file, for breakpoints that have none
WORDS = frozenset((
    "attrs", "dtype", "has_inf_or_nan", "inputs", "name", "node", "op", "out",
    "outputs", "path", "shape", "trip",
))  # fmt: skip
_AFTER = frozenset(("dtype", "out", "outputs", "shape"))  # known once the op ran


class OpBreakpoint(bdb.Breakpoint):
    """A breakpoint that stops at ops wherever they are.

    Args:
        kind: "op" (a type), "name" (of an op or tensor), "grad" (the gradient of a
            line), "nan", "watch" (a name whose value changes), "mark" (the place of a
            tf.debugger.breakpoint()), "run" (one run of a node) or "when" (the
            condition alone).
        what: a pattern; (file, line); (graph, region, index); (node, which of its
            runs); or None.
        text: how it is listed.
    """

    def __init__(
        self, kind: str, what: Any, text: str, temporary: bool, cond: str | None
    ) -> None:
        super().__init__(OPS, bdb.Breakpoint.next, temporary, cond, None)
        self.kind, self.what, self.text = kind, what, text
        self.seen: dict = {}  # of a watch: the last values; of a run: how many came

    def bpformat(self) -> str:
        """The line in the list of breakpoints."""
        flags = f"{'del' if self.temporary else 'keep'}"
        enabled = "yes" if self.enabled else "no"
        lines = [f"{self.number:<4}breakpoint   {flags:<4} {enabled:<4} {self.text}"]
        if self.cond:
            lines.append(f"\tstop only if {self.cond}")
        if self.ignore:
            lines.append(f"\tignore next {self.ignore} hits")
        if self.hits:
            times = f"{self.hits} time{'s'[: self.hits > 1]}"
            lines.append(f"\tbreakpoint already hit {times}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"breakpoint {self.number} at {self.text}"

    @property
    def once(self) -> bool:
        """Whether it stops at the first of the ops that follow each other only."""
        return self.kind in ("grad", "mark")

    def matches(self, run: OpRun) -> bool:
        """Whether it is about `run`, its condition left out."""
        return _MATCHES[self.kind](self, run)


def _is_type(bp: OpBreakpoint, run: OpRun) -> bool:
    return fnmatch.fnmatchcase(run.op.type, bp.what)


def _is_named(bp: OpBreakpoint, run: OpRun) -> bool:
    name = run.name or ""
    pattern, _, place = bp.what.partition(":")
    if place and run.node is not None and int(place) >= len(run.node.outputs):
        return False
    return bool(name) and fnmatch.fnmatchcase(name, pattern)


def _is_gradient(bp: OpBreakpoint, run: OpRun) -> bool:
    return at_line(run.forward, *bp.what)


def _makes_bad(bp: OpBreakpoint, run: OpRun) -> bool:
    bad = run.outputs is not None and is_bad(run.outputs)
    return bad and not is_bad(run.inputs)


def _is_watched(bp: OpBreakpoint, run: OpRun) -> bool:
    """Whether a tensor or variable of that name has another value than before."""
    values = {c.name: c.read() for c in run.inputs if _is_set(c)}
    if run.outputs is not None and run.name and run.outputs:
        values[run.name] = run.outputs[0]
    changed = False
    for name, value in values.items():
        if fnmatch.fnmatchcase(name, bp.what):
            known = name in bp.seen
            changed |= known and not same(bp.seen[name], value)
            bp.seen[name] = value
    return changed


def _is_set(cell: Any) -> bool:
    return isinstance(cell, Cell) and cell.initialized


def _is_behind_mark(bp: OpBreakpoint, run: OpRun) -> bool:
    graph, region, index = bp.what
    node = run.node
    if node is None or node.graph is not graph or node.region is not region:
        return False
    return node.index >= index


def _is_run(bp: OpBreakpoint, run: OpRun) -> bool:
    node, time = bp.what
    if run.node is not node:
        return False
    count = bp.seen[node] = bp.seen.get(node, 0) + 1
    return count == time


_MATCHES: dict = {
    "op": _is_type, "name": _is_named, "grad": _is_gradient, "nan": _makes_bad,
    "watch": _is_watched, "mark": _is_behind_mark, "run": _is_run,
    "when": lambda bp, run: True,
}  # fmt: skip


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; nan equals itself."""
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    arrays = np.ndarray | np.generic
    if not isinstance(a, arrays) or not isinstance(b, arrays):
        return a is b
    if a.dtype != b.dtype or np.shape(a) != np.shape(b):
        return False
    if a.dtype == object:
        return a.tolist() == b.tolist()
    return a.tobytes() == b.tobytes()


def at_line(frames: tuple, file: str, line: int) -> bool:
    """Whether one of the frames is at a line of a file, as bdb writes it."""
    return any(
        line_number(pair) == line and canonical(pair[0].co_filename) == file
        for pair in frames
    )


def canonical(file: str) -> str:
    """The name of a file as bdb.Bdb.canonic gives it."""
    if file.startswith("<") and file.endswith(">"):
        return file
    return os.path.normcase(os.path.abspath(file))


def words_of(cond: str | None) -> frozenset:
    """The words of ops that a condition uses."""
    if not cond:
        return frozenset()
    try:
        return WORDS.intersection(compile(cond, "<condition>", "eval").co_names)
    except SyntaxError:
        return frozenset()


def is_for_after(bp: Any) -> bool:
    """Whether it needs what an op gives."""
    kind = getattr(bp, "kind", "line")
    return kind in ("nan", "run", "watch") or not _AFTER.isdisjoint(words_of(bp.cond))


def names_in(run: OpRun) -> dict:
    """What conditions and the prompt may say of an op."""
    outputs = run.outputs
    known: Any = None if not outputs else outputs[0]
    trips = [p.trip for p in run.path if p.kind == "loop"]
    found = dict(
        attrs=run.attrs, has_inf_or_nan=is_bad, inputs=run.inputs, name=run.name,
        node=run.node, op=run.op.type, path=run.path,
        trip=trips[-1] if trips else None,
    )  # fmt: skip
    if outputs is not None:
        found.update(outputs=outputs, out=known)
        found.update(shape=np.shape(known), dtype=getattr(known, "dtype", None))
    return found


def holds(bp: Any, run: OpRun, say: Any) -> bool:
    """Whether the condition of a breakpoint lets it stop; one that fails does."""
    if not bp.cond:
        return True
    try:
        return bool(eval(bp.cond, {"np": np}, names_in(run)))
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        say(f"condition of breakpoint {bp.number}: {what} ({short(run.outputs)})")
        return True


def counted(bp: Any) -> bool:
    """Count a hit: whether the ignore count lets it stop."""
    bp.hits += 1
    if bp.ignore > 0:
        bp.ignore -= 1
        return False
    return True
