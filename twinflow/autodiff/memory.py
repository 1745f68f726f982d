"""What is kept for the way back: bytes per op and line of the user's program."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.autodiff import reasons
from twinflow.base.frames import format_frame, source_line, user_frames


class Kept(NamedTuple):
    """One thing that is kept: bytes (None = not known), the op, and who made it."""

    bytes: int | None
    op: str
    line: str
    source: str


class Memory:
    """A report of what is kept, largest first; `print` shows it as a table.

    Attributes:
        rows: a list of Kept. total: the sum of their bytes.
    """

    def __init__(self, rows: Any) -> None:
        self.rows = sorted(rows, key=lambda r: -(r.bytes or 0))
        self.total = sum(r.bytes or 0 for r in rows)

    def __str__(self) -> str:
        lines = [f"{self.total} bytes are kept by {len(self.rows)} ops"]
        for r in self.rows:
            size = "?" if r.bytes is None else r.bytes
            lines.append(f"{size:>12}  {r.op:<24} {r.line}  {r.source}".rstrip())
        return "\n".join(lines)

    __repr__ = __str__


class LocatedRecords(list):
    """The records of a tape, with the user's frame of each."""

    __slots__ = ("frames", "history")

    def __init__(self) -> None:
        super().__init__()
        self.frames: list = []
        self.history = reasons.History()

    def append(self, record: Any) -> None:
        """Add a record, made by the line of the user's program that runs now."""
        super().append(record)
        frames = user_frames(1)
        self.frames.append(frames)
        self.history.attach(record, next(iter(frames), None))

    def clear(self) -> None:
        """Forget them all."""
        super().clear()
        self.frames.clear()
        self.history.clear()


def of_records(records: Any) -> Any:
    """The Memory of the records of a tape."""
    seen: set = set()
    rows = []
    frames = getattr(records, "frames", None)
    for i, (vjp, _, _, kept, _) in enumerate(records):
        size = _bytes(kept, seen) + _bytes(getattr(vjp, "kept", None), seen)
        if size:
            frame = frames[i] if frames else None
            rows.append(_row(size, vjp, frame))
    return Memory(rows)


def _row(size: Any, vjp: Any, frame: Any) -> Any:
    name = vjp.op.type if hasattr(vjp, "op") else _label(vjp)
    if not frame:
        return Kept(size, name, "", "")
    return Kept(size, name, format_frame(frame[0]), source_line(frame[0]))


def _label(vjp: Any) -> str:
    graph = getattr(vjp, "graph", None)
    return "custom gradient" if graph is None else f"call of {graph.name}"


def _bytes(kept: Any, seen: Any) -> Any:
    """The size of the arrays in `kept` that have not been counted."""
    if isinstance(kept, list | tuple):
        return sum(_bytes(k, seen) for k in kept)
    if isinstance(kept, dict):
        return sum(_bytes(k, seen) for k in kept.values())
    array = getattr(kept, "_a", None)
    if not isinstance(array, np.ndarray) or id(array) in seen:
        return 0
    seen.add(id(array))
    return array.nbytes


def of_tensors(tensors: Any) -> Any:
    """The Memory of tensors of a graph that are kept."""
    rows = []
    for t in tensors:
        known = t._shape is not None and None not in t._shape
        size = None
        if known and t.dtype.np is not None:
            size = int(np.prod(t._shape, dtype=np.int64)) * t.dtype.np.itemsize
        frame = t.op.frames[0] if t.op.frames else None
        where = (format_frame(frame), source_line(frame)) if frame else ("", "")
        rows.append(Kept(size, t.op.type, *where))
    return Memory(rows)
