"""Why no gradient goes from one tensor to another: paths, and what cuts them.

Tensors are ids here, ops are Passages between them: of a tape's history, or the nodes
of a graph.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.frames import format_frame, source_line

_COMPARES = frozenset(
    ("Greater", "GreaterEqual", "Less", "LessEqual", "Equal", "NotEqual", "IsNan",
     "IsInf", "IsFinite", "LogicalAnd", "LogicalOr", "LogicalNot")
)  # fmt: skip
_STOPS = frozenset(("StopGradient", "PreventGradient"))
_CAUSES = {
    "stop_gradient": "tf.stop_gradient lets no gradient through",
    "cast": "a cast to {dtype} has no gradient",
    "argmax": "the place of the largest or smallest number has no gradient",
    "comparison": "a comparison gives bools, which have no gradient",
    "assign": "the value was assigned to a variable, and the variable read again: "
    "gradients do not go through an assignment. Use the value itself",
    "numpy": "the value left the tape for NumPy or Python here, and what came back is "
    "a constant. Use TensorFlow's functions, or tf.py_function",
    "no gradient": "the op {type} has no gradient for this input",
}


class Passage:
    """One op between tensors.

    Attributes:
        type: of the op; "" for what only hands on (into and out of loops). ins, outs:
            ids of tensors. open: the ids among `ins` that gradients can go to.
        frame: the user's frame or None. dtype: of the first output.
        record: what a tape keeps of it, or None. inputs: its tensors, where they are
            known.
    """

    __slots__ = ("dtype", "frame", "inputs", "ins", "open", "outs", "record", "type")

    def __init__(
        self, kind: str, ins: Iterable, outs: Iterable, opened: Iterable,
        frame: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self.type, self.ins, self.outs = kind, tuple(ins), tuple(outs)
        self.open, self.frame, self.dtype = frozenset(opened), frame, dtype
        self.record: Any = None
        self.inputs: Any = ()

    @property
    def line(self) -> str:
        """The user's line: "file.py:12", or ""."""
        return "" if self.frame is None else format_frame(self.frame)

    def __str__(self) -> str:
        source = "" if self.frame is None else source_line(self.frame)
        return f"{self.line}  {self.type:<20} {source}".rstrip()


class Explanation:
    """Why a gradient is what it is; `print` shows it.

    Attributes:
        cause: a word or two: "none" where nothing is wrong, "stop_gradient", "cast",
            "no gradient", "not watched", ... line: the user's line of it, "file.py:12".
        message: what happened and what to do. path: the Passages from the source to
            the target, in the order of computing.
    """

    def __init__(
        self, cause: str, message: str, line: str = "", path: Iterable = (),
        others: Iterable = (), cut: Passage | None = None,
    ) -> None:  # fmt: skip
        self.cut = cut
        self.cause, self.message, self.line = cause, message, line
        self.path = [p for p in path if p.type]
        self.others = list(others)

    def __str__(self) -> str:
        where = f" ({self.line})" if self.line else ""
        lines = [f"{self.cause}{where}: {self.message}"]
        if self.path:
            whole = self.cause == "not connected"
            lines.append(
                "the target was computed by:" if whole
                else "the path from the source to the target:"
            )  # fmt: skip
            lines += [f"  {self._mark(p)} {p}" for p in self.path]
        if self.others:
            lines.append("other paths are cut as well:")
            lines += [f"  x {p}" for p in self.others]
        return "\n".join(lines)

    def _mark(self, passage: Passage) -> str:
        return "x" if passage is self.cut else "|"

    __repr__ = __str__


class Paths:
    """The tensors that depend on `source`, and those that `target` depends on."""

    def __init__(self, passages: list, source: Any, target: Any) -> None:
        self.source, self.target = source, target
        self.after, self.before = defaultdict(list), defaultdict(list)
        for p in passages:
            for i in p.ins:
                self.after[i].append(p)
            for o in p.outs:
                self.before[o].append(p)
        self.reached = self._forward(any_way=True)
        self.open = self._forward(any_way=False)
        self.needed = self._backward()

    def _forward(self, any_way: bool) -> dict:
        """From ids that the source reaches to (id before, Passage)."""
        found: dict = {self.source: None}
        queue = deque([self.source])
        while queue:
            i = queue.popleft()
            for p in self.after[i]:
                for o in p.outs if any_way or i in p.open else ():
                    if o not in found:
                        found[o] = i, p
                        queue.append(o)
        return found

    def _backward(self) -> set:
        found, stack = {self.target}, [self.target]
        while stack:
            for p in self.before[stack.pop()]:
                more = [i for i in p.ins if i not in found]
                found.update(more)
                stack += more
        return found

    def cuts(self) -> list[tuple]:
        """(id, Passage) where gradients stop on the way to the target."""
        if self.target in self.open or self.target not in self.reached:
            return []
        found: dict = {}
        for i in self.open:
            for p in self.after[i] if i in self.needed else ():
                leads = any(o in self.needed and o not in self.open for o in p.outs)
                if leads and i not in p.open:
                    found.setdefault(id(p), (i, p))
        return list(found.values())

    def between(self) -> set:
        """The ids on the paths."""
        return {i for i in self.reached if i in self.needed}

    def path(self, through: tuple | None = None) -> list:
        """The Passages from the source to the target, by way of a cut."""
        if through is None:
            return _trail(self.open, self.target)
        i, cut = through
        rest = Paths.__new__(Paths)
        rest.__dict__.update(self.__dict__)
        rest.source = next(o for o in cut.outs if o in self.needed)
        after = _trail(rest._forward(any_way=True), self.target)
        return [*_trail(self.open, i), cut, *after]


def _trail(found: dict, end: Any) -> list:
    trail: list = []
    while found.get(end) is not None:
        end, p = found[end]
        if not trail or trail[-1] is not p:
            trail.append(p)
    return trail[::-1]


def cut_of(paths: Paths) -> Explanation | None:
    """The Explanation of paths that are cut; None where none are."""
    cuts = sorted(paths.cuts(), key=_rank)
    if not cuts:
        return None
    _, cut = cuts[0]
    cause = cause_of(cut)
    message = _CAUSES[cause].format(type=cut.type, dtype=getattr(cut.dtype, "name", ""))
    others = [p for _, p in cuts[1:] if p.line != cut.line or p.type != cut.type]
    return Explanation(cause, message, cut.line, paths.path(cuts[0]), others, cut)


def _rank(pair: tuple) -> int:
    """What was meant to stop gradients comes before sizes and shapes."""
    cut = pair[1]
    cause = cause_of(cut)
    if cause in ("stop_gradient", "assign"):
        return 0
    if cause != "no gradient":
        return 1
    return 2 if cut.dtype is not None and has_slope(cut.dtype) else 3


def cause_of(cut: Passage) -> str:
    """Why no gradient goes through a Passage, in a word."""
    if cut.type in _STOPS:
        return "stop_gradient"
    if cut.type == "Cast":
        return "cast"
    if cut.type in ("ArgMax", "ArgMin"):
        return "argmax"
    if cut.type in _COMPARES:
        return "comparison"
    if "Assign" in cut.type or "ScatterUpdate" in cut.type:
        return "assign"
    return "numpy" if cut.type == "numpy" else "no gradient"


def opened(op: Any, args: list, outputs: list, attrs: Any = None) -> list:
    """The tensors among `args` to which the op's rules give gradients."""
    if not any(has_slope(t.dtype) for t in outputs):
        return []
    found = []
    for a, rule in zip(args, op.rules, strict=False):
        if rule is not None:
            found += a if isinstance(a, list) else [a]
    return [t for t in found if hasattr(t, "_id") and has_slope(t.dtype)]


def has_slope(dtype: Any) -> bool:
    """Whether gradients go to tensors of a dtype, or through such handles."""
    dtype = dtype.base_dtype
    return (
        dtype.is_floating or dtype.is_complex
        or dtype in (dtypes.resource, dtypes.variant)
    )  # fmt: skip
