"""A difference between two ways of running a program, for people and for machines."""

import dataclasses
import os
from typing import Any

from twinflow.verification.events import Event, Frame, Inner
from twinflow.verification.kept import Kept
from twinflow.verification.tolerance import errors

CLASSES = {
    "value": "the values differ",
    "dtype": "the dtypes differ",
    "shape": "the shapes differ",
    "error": "one way raises an error",
    "side effect": "an op with an effect runs in one way only, or otherwise",
    "draw": "random numbers are drawn otherwise",
    "variable": "a variable is made in one way only, or is named differently",
    "update": "updates of a layer never run",
    "python side effect": "Python code acts when it is traced, not in each call",
    "captured value": "a Python value changed after a function was traced with it",
    "frozen call": "what Python draws once, while tracing, stays a constant",
    "iterator": "an iterator starts anew in one way only, or is read twice",
}


@dataclasses.dataclass
class Difference:
    """The first difference of two ways.

    Attributes:
        kind: one of CLASSES. frame: the user's line. order: when.
        ways: the names of the two ways. a, b: the value or text in each.
        what: the op or name. detail: a sentence. fed: lines about what feeds it.
        reference: a sentence on a float64 run of the op.
        number: of the run of a session that differs, from 0; None elsewhere.
    """

    kind: str
    frame: Frame | None
    order: int
    ways: tuple[str, str]
    a: Any = None
    b: Any = None
    what: str = ""
    detail: str = ""
    fed: list = dataclasses.field(default_factory=list)
    reference: str = ""
    number: int | None = None

    @property
    def line(self) -> int:
        """The number of the user's line, 0 where it is not known."""
        return self.frame.line if self.frame else 0

    def as_text(self) -> str:
        """Some lines for people."""
        place = "an unknown line"
        if self.frame:
            place = f"{_short(self.frame.file)}:{self.frame.line}"
        head = f"{place}: {self.kind}: {CLASSES[self.kind]}"
        lines = [head]
        if self.frame and self.frame.text:
            lines.append(f"    {self.frame.text}")
        if self.what:
            lines.append(f"  of {self.what}")
        for way, value in zip(self.ways, (self.a, self.b), strict=True):
            if value is not None:
                lines.append(f"  {way:>9}: {value}")
        found = self.errors()
        if found:
            parts = [f"{k} {v:.3g}" for k, v in found.items()]
            lines.append(f"  apart by: {', '.join(parts)}")
        lines += [f"  {text}" for text in (self.reference, self.detail) if text]
        if self.fed:
            lines.append("  fed by:")
            lines += [f"    {text}" for text in self.fed]
        return "\n".join(lines)

    def errors(self) -> dict:
        """See tolerance.errors."""
        if isinstance(self.a, Kept) and isinstance(self.b, Kept):
            return errors(self.a, self.b)
        return {}

    def as_json(self) -> dict:
        """The same for machines."""
        frame = self.frame
        return {
            "class": self.kind, "file": frame.file if frame else None,
            "line": self.line, "text": frame.text if frame else None,
            "what": self.what, "ways": list(self.ways),
            "values": [None if v is None else str(v) for v in (self.a, self.b)],
            "errors": self.errors(), "reference": self.reference,
            "detail": self.detail, "fed": self.fed,
        }  # fmt: skip


def feeding(op: Event | Inner, others: list) -> list[str]:
    """What the inputs of an op are, and which lines gave them."""
    found = []
    for i, value in enumerate(op.inputs):
        for one in value if isinstance(value, list) else [value]:
            if one.dtype == "cell":
                found.append(f"input {i}: the variable {one.digest.decode()}")
                continue
            makers = [
                o for o in others if any(v.digest == one.digest for v in o.values)
            ]
            makers = [o for o in makers if one.shape and o.frames and o is not op]
            text = f"input {i}: {one!r}"
            if makers:
                frame = makers[-1].frames[0]
                text += f", from {_short(frame.file)}:{frame.line}: {frame.text}"
            found.append(text if len(text) < 240 else text[:237] + "...")
    return found[:6]


def _short(path: str) -> str:
    below = os.getcwd().rstrip(os.sep) + os.sep
    return path.removeprefix(below)
