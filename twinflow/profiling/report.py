"""The report of a profile as text."""

import linecache
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from twinflow.profiling.costs import ENGINES, Cost, summed

if TYPE_CHECKING:
    from twinflow.profiling.taking import profile

_MUCH = 0.3  # of the time: worth a hint
_HINTS = {
    "data": "of the time waits for data: map with num_parallel_calls, prefetch(1), "
    "cache() what does not change.",
    "Python": "of the time is Python: put what is called often into a function "
    "(tf.contrib.eager.defun), or work on larger batches.",
    "waiting": "of the time waits, for files, sleeps, locks or other threads.",
    "compiling": "of the time waits for XLA: keep shapes the same from call to call.",
}

_NAME, _WIDEST = 28, 60  # columns for the name of an op


def text(p: "profile", count: int) -> str:
    """The report.

    Args:
        p: the profile. count: of the rows of each table, at most.
    """
    whole = sum(c.seconds for c in p.costs) or 1.0
    parts = [f"profile of {p.seconds:.3f} s", *_engines(p, whole), *_hints(p, whole)]
    parts += ["", "lines"]
    parts += _lines(p.costs, whole, count)
    parts += ["", "ops", *_ops(p.costs, whole, count), "", *_memory(p, count)]
    return "\n".join(parts) + "\n"


def _engines(p: "profile", whole: float) -> Iterator[str]:
    found = summed(p.costs, "engine")
    for engine in ENGINES:
        seconds = found.get((engine,), 0.0)
        yield f"  {engine:<10}{_time(seconds)} {seconds / whole:6.1%}"
    if p.compiled:
        seconds, nodes = (sum(x) for x in zip(*p.compiled, strict=True))
        yield (
            f"  XLA compiled {len(p.compiled)} programs of {nodes} nodes in the "
            f"background, in {seconds:.2f} s"
        )
    if any(c.attributed for c in p.costs):
        yield (
            "  compiled programs are measured whole; lines and ops (~) have the shares "
            "that they\n  had in the interpreter, or of the work where it never ran"
        )


def _hints(p: "profile", whole: float) -> Iterator[str]:
    for (engine,), seconds in summed(p.costs, "engine").items():
        if engine in _HINTS and seconds > _MUCH * whole:
            yield f"  hint: {seconds / whole:.0%} {_HINTS[engine]}"


def _lines(costs: list[Cost], whole: float, count: int) -> Iterator[str]:
    engines = summed(costs, "file", "line", "engine")
    for (file, line), seconds in list(summed(costs, "file", "line").items())[:count]:
        if not file:
            yield f"  {_time(seconds)} {seconds / whole:6.1%}  (no line is known)"
            continue
        share = {e: engines.get((file, line, e), 0.0) / seconds for e in ENGINES}
        most = ", ".join(f"{e} {s:.0%}" for e, s in share.items() if s >= 0.05)
        yield f"  {_time(seconds)} {seconds / whole:6.1%}  {short(file)}:{line}  {most}"
        source = linecache.getline(file, line).strip()
        if source:
            yield f"{'':22}{source[:88]}"


def _ops(costs: list[Cost], whole: float, count: int) -> Iterator[str]:
    ops = [c for c in costs if not c.op.startswith("(")]
    runs: dict = {}
    for c in ops:
        key = c.op, c.engine, c.attributed
        runs[key] = runs.get(key, 0) + c.runs
    rows = list(summed(ops, "op", "engine", "attributed").items())[:count]
    wide = max((len(op) + 1 for (op, *_), _ in rows), default=0)
    wide = min(max(wide, _NAME), _WIDEST)
    for (op, engine, attributed), seconds in rows:
        mark = "~" if attributed else " "
        number = runs[op, engine, attributed]
        yield (
            f" {mark}{_time(seconds)} {seconds / whole:6.1%}  {op:<{wide}}{engine:<8}"
            f"{number:>9} runs"
        )


def _memory(p: "profile", count: int) -> Iterator[str]:
    yield f"memory: {_bytes(p.peak)} at its peak, {_bytes(p.base)} before"
    if p.stacks.peak_at:
        code = p.stacks.peak_at[-1][0]
        yield f"  the peak was seen in {code.co_name}, {short(code.co_filename)}"
    for who, size in p.holders[:count]:
        yield f"  {_bytes(size):>10}  {who} (at the end)"


def short(file: str) -> str:
    """A path, relative where it lies below the current folder."""
    below = os.getcwd().rstrip(os.sep) + os.sep
    return file.removeprefix(below)


def _time(seconds: float) -> str:
    return f"{seconds:9.3f} s" if seconds >= 1 else f"{seconds * 1e3:8.2f} ms"


def _bytes(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.2f} GiB"
