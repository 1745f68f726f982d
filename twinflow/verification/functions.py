"""tf.verify: whether a function means the same eagerly, interpreted and compiled."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import dispatch
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Watcher
from twinflow.eager.mode import MODE
from twinflow.execute.function import Function
from twinflow.ops.random.streams import Stream, set_random_seed
from twinflow.verification.comparing import first_difference
from twinflow.verification.events import Course
from twinflow.verification.python_state import Reach, Snapshot
from twinflow.verification.report import Verdict, remarks_of
from twinflow.verification.request import Request
from twinflow.verification.ways import traced_way

CALLS = 3  # of the function: effects of tracing show in the second


class _Cells(Watcher):
    """Remembers the values of variables before the first op that takes them."""

    def __init__(self) -> None:
        self.before: dict[Any, Any] = {}

    def begins(self, run: OpRun) -> None:
        flat = [v for a in run.inputs for v in (a if isinstance(a, list) else [a])]
        for cell in flat:
            plain = isinstance(cell, Cell) and not isinstance(cell, Stream)
            if plain and type(cell) is Cell and cell not in self.before:
                self.before[cell] = cell.read() if cell.initialized else None

    def put_back(self) -> None:
        """Every variable has its first value again."""
        for cell, value in self.before.items():
            cell.clear() if value is None else cell.write(value)


def verify(
    function: Callable[..., Any], *args: Any, calls: int = CALLS, **kwargs: Any
) -> Verdict:
    """Whether a function means the same eagerly, as a graph, and compiled.

    It is called some times in each way, with the same arguments, variables, Python
    values and random numbers, which are put back behind each. Prints of the function
    are not shown. Ops are compared along the lines of the program.

    Args:
        function: a function of tensors, or what tf.function and tfe.defun return.
        args, kwargs: for each call; functions without arguments give them anew.
        calls: how often it is called in each way.
    Returns:
        A Verdict: true if nothing differs; print it for the first difference, with its
        line, the values in both ways and their distance.
    Raises:
        ValueError: `calls` is less than 1.
    Example:
        bool(tf.verify(lambda x: tf.nn.relu(x) * 2., [1., -1.]))  # True
    """
    if calls < 1:
        raise ValueError(f"calls must be at least 1, got {calls}.")
    python = getattr(function, "python_function", function)
    signature = getattr(function, "input_signature", None)

    def program() -> None:
        made: Function[..., Any] = Function(python, signature)
        for _ in range(calls):
            made(*args, **kwargs)

    reach = Reach(python, [*args, *kwargs.values()])
    traces = _in_each_way(program, list(reach.slots.values()))
    return judged(traces)


def _in_each_way(program: Callable, slots: list) -> list[Course]:
    found: list[Course] = []
    first = _Cells()
    for way in ("function", "eager", "compiled"):
        cells, python = _Cells(), Snapshot(slots)
        if way == "compiled":
            cells.before = dict(first.before)
        with _eager_from_the_start():
            found.append(traced_way(Request(way), program, cells))
        first = cells
        cells.put_back()
        python.put_back()
        if way == "eager" and first_difference(found[0], found[1]):
            break
    return found


@contextlib.contextmanager
def _eager_from_the_start() -> Iterator[None]:
    """A block in eager mode with random streams of its own."""
    kept, seed = MODE.state.pop("random", None), getattr(MODE, "seed", None)
    try:
        with dispatch.entered(MODE):
            set_random_seed(1)
            yield
    finally:
        MODE.seed = seed  # type: ignore[attr-defined]
        MODE.state.pop("random", None)
        if kept is not None:
            MODE.state["random"] = kept


def judged(traces: list[Course], shaken: Course | None = None) -> Verdict:
    """The Verdict on traces, the first of which is "function".

    Args:
        shaken: what the compiled way is compared with besides (Note [Rounding]).
    """
    base = traces[0]
    _note_traced_with(base)
    found = []
    for t in traces[1:]:
        moved = shaken if t.way == "compiled" else None
        if (d := first_difference(base, t, moved)) is not None:
            found.append(d)
    found += base.notes
    return Verdict(
        found, [t.way for t in traces], base.ops, base.lines, base.functions,
        base.sessions, remarks_of(traces),
    )  # fmt: skip


def _note_traced_with(trace: Course) -> None:
    """Put what a function was traced with beside each call of that trace."""
    values: dict = {}
    for e in trace.events:
        if e.kind != "call":
            continue
        key = e.what, e.trace
        if e.traced:
            values[key] = values[e.what, 0] = e.captured
        e.traced_with = values.get(key, values.get((e.what, 0), {}))
