"""Who looks at each op while it runs: debuggers, profilers, the comparison of modes.

Note [Watching]: while a Watcher is there, every op of every thread is told to it,
before and after: eager calls, and the nodes of graphs, which the interpreter then runs
one by one from the program as the user wrote it (no passes, nothing compiled, no
updates joined), also inside functions, branches, loops and maps of data. Without one
nothing is different: eager calls test what they tested before (Note [Observers] in
base.dispatch), a plan one global.

What is told is an OpRun; `run.path` says inside of what. A watcher may put outputs into
an OpRun before it runs, which then does not, or replace them after; and it may raise
`Again` to have the outermost run of a plan begin anew, once it has put back what was
changed.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.base.frames import user_frames

if TYPE_CHECKING:
    from twinflow.base.op import Op

WATCHERS: list["Watcher"] = []


class Again(BaseException):
    """Raised by a watcher: begin the outermost run of this thread anew."""


class Place:
    """Inside of what an op runs.

    Attributes:
        kind: "run" (of a plan that is in no other), "function", "loop" or "branch".
        name: the node's or the function's. node: the Node that stands for it, or None.
        trip: of a loop the iteration, from 0; of a branch 1 where the predicate holds
            and 0 where it does not. part: of a loop "cond" or "body".
        plan: of a run and a function the plan. given: the values of its feeds, where a
            watcher `wants_feeds`.
    """

    __slots__ = ("given", "kind", "name", "node", "part", "plan", "trip")

    def __init__(
        self, kind: str, name: str, node: Any = None, plan: Any = None, trip: int = 0
    ) -> None:
        self.kind, self.name, self.node, self.plan = kind, name, node, plan
        self.trip, self.part = trip, ""
        self.given: tuple = ()

    def copy(self) -> "Place":
        """As it is now; a loop goes on counting."""
        found = Place(self.kind, self.name, self.node, self.plan, self.trip)
        found.part = self.part
        return found

    def __repr__(self) -> str:
        trip = f"[{self.trip}]" if self.kind in ("loop", "branch") else ""
        return f"{self.kind} {self.name}{trip}"


class OpRun:
    """One run of an op.

    Attributes:
        op: the Op. name: the node's name, or that given to the eager call, or None.
        node: the Node, None eagerly. attrs: its attributes.
        inputs: arrays as the kernel takes them, list inputs as lists; a Cell where the
            op takes a variable. outputs: arrays, a list also where there is one; None
            before it ran.
        frames: the user's frames as (code, lasti) pairs, innermost first. forward: on
            the way back those of the op whose gradient this is part of, else ().
        path: the Places around it, outermost first. thread: the ident of the thread.
    """

    __slots__ = (
        "attrs", "forward", "frames", "inputs", "name", "node", "op", "outputs", "path",
        "thread",
    )  # fmt: skip

    def __init__(
        self, op: "Op", name: str | None, node: Any, attrs: dict, inputs: list,
        frames: tuple, path: tuple[Place, ...],
    ) -> None:  # fmt: skip
        self.op, self.name, self.node, self.attrs = op, name, node, attrs
        self.inputs, self.frames, self.path = inputs, frames, path
        self.outputs: list | None = None
        self.forward: tuple = ()
        self.thread = threading.get_ident()


class Watcher:
    """What is told of each op; derive from it what is of interest.

    Attributes:
        wants_feeds: whether places have the values of feeds, which so live longer.
    """

    wants_feeds = False

    def begins(self, run: OpRun) -> None:
        """`run` is about to run; with outputs put into it, it will not."""

    def ended(self, run: OpRun) -> None:
        """`run` has outputs, which may be replaced."""

    def failed(self, run: OpRun, error: BaseException) -> None:
        """`run` raised `error`."""

    def enters(self, place: Place) -> None:
        """What follows in this thread is inside `place`."""

    def leaves(self, place: Place) -> None:
        """`place` is done, or failed."""


class _Paths(threading.local):
    path: tuple[Place, ...] = ()
    forward: tuple = ()  # see OpRun


_paths = _Paths()


def path() -> tuple[Place, ...]:
    """Inside of what this thread is."""
    return _paths.path


def start(watcher: Watcher) -> None:
    """Tell `watcher` of every op of every thread from now on."""
    WATCHERS.append(watcher)
    if len(WATCHERS) == 1:
        dispatch.watch_every_op(True)


def stop(watcher: Watcher) -> None:
    """Tell it no more."""
    if watcher in WATCHERS:
        WATCHERS.remove(watcher)
        if not WATCHERS:
            dispatch.watch_every_op(False)


@contextlib.contextmanager
def watched_by(watcher: Watcher) -> Iterator[Any]:
    """A block whose ops are told to `watcher`."""
    start(watcher)
    try:
        yield watcher
    finally:
        stop(watcher)


@contextlib.contextmanager
def inside(place: Place) -> Iterator[Place]:
    """A block of this thread that is inside `place`."""
    outer = _paths.path
    _paths.path = (*outer, place)
    for w in tuple(WATCHERS):
        w.enters(place)
    try:
        yield place
    finally:
        _paths.path = outer
        for w in tuple(WATCHERS):
            w.leaves(place)


def told(run: OpRun, compute: Callable[[list], Sequence]) -> list:
    """The outputs of `run`, which the watchers are told of.

    Args:
        run: without outputs. compute: from its inputs to its outputs.
    """
    watchers = tuple(WATCHERS)
    try:
        for w in watchers:
            w.begins(run)
        if run.outputs is None:
            run.outputs = list(compute(run.inputs))
    except Exception as error:
        for w in watchers:
            w.failed(run, error)
        raise
    for w in watchers:
        w.ended(run)
    return run.outputs


def refused(run: OpRun, error: BaseException) -> None:
    """Tell that `run` failed before its kernel was asked."""
    for w in tuple(WATCHERS):
        w.begins(run)
        w.failed(run, error)


def eager_run(op: "Op", name: str | None, attrs: dict, arrays: list) -> OpRun:
    """The OpRun of an eager call."""
    found = OpRun(op, name, None, attrs, arrays, user_frames(), _paths.path)
    found.forward = _paths.forward
    return found


def way_back(back: Callable, frames: tuple) -> Callable:
    """The `back` of a Vjp, whose ops know that they are the gradient of an op that was
    called at `frames`."""

    def back_from_there(*args: Any) -> Any:
        outer, _paths.forward = _paths.forward, frames
        try:
            return back(*args)
        finally:
            _paths.forward = outer

    return back_from_there
