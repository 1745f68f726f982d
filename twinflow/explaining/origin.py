"""Where a tensor comes from, back to the lines of the program."""

from typing import Any

from twinflow.base.frames import source_line
from twinflow.graph.picture.tree import kind_text, place_text
from twinflow.graph.program import regions

_DEPTH, _MOST = 12, 40  # ops back, lines of the report


class Origin:
    """What a tensor was computed by; `print` shows it.

    Attributes:
        steps: (depth, text, line) with the tensor itself first.
    """

    def __init__(self, steps: list, note: str = "") -> None:
        self.steps, self.note = steps, note

    def __str__(self) -> str:
        rows = [("  " * depth + text, line) for depth, text, line in self.steps]
        width = min(76, max((len(a) for a, _ in rows), default=0) + 2)
        lines = [f"{a:<{width}}  {b}".rstrip() for a, b in rows]
        return "\n".join([*lines, *([self.note] if self.note else [])])

    __repr__ = __str__


def origin(thing: Any) -> Origin:
    """The Origin of a tensor or operation of a graph."""
    node = getattr(thing, "op", thing)
    first = thing if thing is not node else None
    steps: list = []
    seen: set = set()
    _walk(node, first, 0, steps, seen)
    left = len(steps) - _MOST
    note = f"... and {left} more ops" if left > 0 else ""
    return Origin(steps[:_MOST], note)


def _walk(node: Any, t: Any, depth: int, steps: list, seen: set) -> None:
    stack = [(node, t, depth)]
    while stack:
        node, t, depth = stack.pop()
        t = t if t is not None or not node.outputs else node.outputs[0]
        kind = f": {kind_text(t)}" if t is not None else ""
        text = f"{node.name} = {node.type}{kind}"
        if node in seen:
            if node.inputs:
                steps.append((depth, f"{text}  (see above)", ""))
            continue
        seen.add(node)
        steps.append((depth, text, place_text(node, source=True)))
        if depth >= _DEPTH and node.inputs:
            steps.append((depth + 1, "...", ""))
            continue
        ends = [r for region in regions(node) for r in region.results]
        before = [*node.inputs, *(r for r in ends if r is not None)]
        before = [i for i in before if i.op.type != "Const"]
        if node.type not in ("VarHandleOp", "VariableV2"):
            stack += [(i.op, i, depth + 1) for i in reversed(before)]


def eager_origin(t: Any, histories: list) -> Origin:
    """The Origin of an eager tensor, from the tapes that look on."""
    for history in histories:
        made = {o: p for p in history.passages for o in p.outs}
        if t._id in made:
            return Origin(list(_back(t._id, made)))
    kind = f"{t.dtype.name}{t.shape}"
    return Origin(
        [(0, f"an eager tensor of {kind}", "")],
        "Where it came from is known inside `with tf.GradientTape(lines=True):` alone, "
        "where tf.explain shows the ops and lines.",
    )


def _back(i: int, made: dict) -> Any:
    stack = [(i, 0)]
    seen: set = set()
    while stack and len(seen) < _MOST:
        i, depth = stack.pop()
        p = made.get(i)
        if p is None or p in seen:
            continue
        seen.add(p)
        dtype = getattr(p.dtype, "name", "")
        source = "" if p.frame is None else source_line(p.frame)
        yield depth, f"{p.type}: {dtype}", f"{p.line}  {source}"
        stack += [(j, depth + 1) for j in reversed(p.ins)]
