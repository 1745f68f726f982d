"""What a notebook shows of a tape; see Note [Cards]."""

from collections import Counter
from typing import Any

from twinflow import drawing
from twinflow.autodiff.memory import of_records

_MOST_RECORDS = 100_000  # that are looked at


def of_tape(tape: Any) -> str:
    """The state of a GradientTape, what it watches, and what it keeps by op."""
    count = len(tape.records)
    state = "records" if tape._on else "is used up" if tape._used else "has recorded"
    state = state if tape._begun else "has not begun"
    words = [f"records: {count:,}", f"watched: {len(tape.watched):,}"]
    words += ["persistent"] * tape._persistent
    variables = tape.watched_variables()
    names = ((v.name, v.dtype.name, drawing.shape_text(v._shape)) for v in variables)
    watched = drawing.table(names, ("variable", "dtype", "shape"), total=len(variables))
    return drawing.card(
        f"GradientTape: {state}", ", ".join(words),
        _kept(tape.records) if 0 < count <= _MOST_RECORDS else "",
        drawing.folded(f"variables ({len(variables)})", watched) if variables else "",
    )  # fmt: skip


def _kept(records: list) -> str:
    """Bytes and records by op, the largest first."""
    sizes: Counter = Counter()
    counts: Counter = Counter()
    for row in of_records(records).rows:
        counts[row.op] += 1
        sizes[row.op] += row.bytes or 0
    rows = [
        (op, counts[op], drawing.size_text(size)) for op, size in sizes.most_common()
    ]
    return drawing.table(rows, ("op", "records", "kept"), (1, 2), 20)
