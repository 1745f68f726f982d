"""Where a public call goes: now (eager) or later (a graph), and who looks on.

Note [Observers]: `observers` is None while nothing but eager computing goes on in any
thread. Otherwise it is the thread's state: `observers.tapes` holds the tapes that
record this thread's eager calls, or is None when the call must take the slow path (a
graph is being built, or a device scope, a numerics check, a profiler is active). The
fast functions of this module test one global and compute.
"""

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinflow.base.op import Op
    from twinflow.base.tensor import Tensor

EagerTensor: Any = type(None)  # set by eager, which comes later in the layout
configure_eager: Any = None  # see eager.context
asked_place: Any = None  # (name of the call) -> accelerator of the device scope or None
on_accelerator: Any = None  # (Cell) -> EagerTensor of its buffer
copied: Any = None  # (EagerTensor, device name) -> EagerTensor there
wrap: Any = None  # (array, DType) -> EagerTensor, around an array nobody else writes to
observers = None
next_id = itertools.count(1).__next__
new = object.__new__

_watching: list = [
    None
]  # an entry per watcher, one for a default mode that is not eager


class Mode:
    """How calls are carried out. eager and graph derive their handlers from this."""

    eager = False

    def __init__(self) -> None:
        self.state: dict[
            Any, Any
        ] = {}  # what other packages keep per mode (random streams ...)

    @property
    def scope(self) -> str:
        """The current name scope, with its '/'."""
        return ""

    def random_owner(self) -> Any:
        """The mode whose random streams count here; function graphs ask outward."""
        return self

    def leave_ids(self, count: int) -> None:
        """Count nodes that a graph of TensorFlow's would have here (Note [Ids])."""

    def counted(self, ids: int | None) -> Any:
        """A block that counts as so many nodes of TensorFlow's (Note [Ids])."""
        return contextlib.nullcontext()

    def variable_owner(self) -> Any:
        """The mode that variables made here belong to."""
        return self

    def uses_resources(self) -> bool:
        """Whether variables made here are resources; None where nothing says so."""
        return True

    def note_variable(self, variable: Any) -> None:
        """Called when `variable` is read."""

    def with_gradient(self, results: Any, sources: Any, vjp: Any) -> Any:
        """The `results`, whose gradient with respect to `sources` is `vjp`'s."""
        raise RuntimeError("No mode is active: import twinflow, not its parts.")

    def name_scope(self, name: str) -> Any:
        """A context that prefixes names."""
        return contextlib.nullcontext(name)

    def control_dependencies(self, inputs: Any) -> Any:
        """A context whose calls come after `inputs`; eagerly they do anyway."""
        return contextlib.nullcontext()

    def run_op(self, op: Any, inputs: Any, attrs: dict[Any, Any], name: Any) -> Any:
        """Carry out one call; returns a tensor, or a list for several outputs."""
        raise RuntimeError("No mode is active: import twinflow, not its parts.")

    def stack(self, value: Any, dtype: Any) -> Any:
        """A nested list with tensors in it as a tensor."""
        raise RuntimeError("No mode is active: import twinflow, not its parts.")

    def make_constant(self, array: Any, dtype: Any, name: str | None = None) -> Any:
        """A tensor that holds `array` (which nobody else may change)."""
        raise RuntimeError("No mode is active: import twinflow, not its parts.")


class _Frame:
    """One level of a thread's state: the mode, its tapes, its slow observers."""

    __slots__ = ("mode", "slow", "tapes")

    tapes: tuple[Any, ...]

    def __init__(self, mode: Any) -> None:
        self.mode, self.tapes, self.slow = mode, (), 0


def frame_like(mode: Any, tapes: tuple, slow: int) -> _Frame:
    """A frame for a thread that goes on for another one."""
    frame = _Frame(mode)
    frame.tapes, frame.slow = tapes, slow
    return frame


class _Local(threading.local):
    default_mode: Mode = Mode()
    mode_of_thread: Callable[[], Any] = staticmethod(lambda: None)  # of a new thread
    tapes: (
        tuple[Any, ...] | None
    ) = ()  # class attributes: what a new thread starts with
    eager_scope = ""  # the name scope of eager mode
    watched = False  # whether every thread's ops go the slow path
    device: str | None = None  # what the device scope of eager mode asks for

    def __init__(self) -> None:
        self.frames = [_Frame(_Local.mode_of_thread())]

    @property
    def top(self) -> _Frame:
        return self.frames[-1]

    @property
    def mode(self) -> Any:
        return self.frames[-1].mode or _Local.default_mode

    def refresh(self) -> None:
        top = self.frames[-1]
        plain = self.mode.eager and not top.slow and not _Local.watched
        self.tapes = top.tapes if plain else None


local = _Local()


def set_default_mode(mode: Any) -> None:
    """Choose the mode of every thread that has not entered another."""
    _count(int(not mode.eager) - int(not _Local.default_mode.eager))
    _Local.default_mode = mode
    _Local.tapes = () if mode.eager else None
    local.refresh()


def default_mode() -> Any:
    """The mode of threads that have not entered another."""
    return _Local.default_mode


def set_mode_of_threads(make: Callable) -> None:
    """Let each new thread begin in the mode `make()`; None is the default mode."""
    _Local.mode_of_thread = staticmethod(make)


def _count(change: int) -> None:
    """One watcher more (1) or less (-1); see Note [Observers]."""
    if change > 0:
        _watch()
    elif change < 0:
        _unwatch()


def _watch() -> None:
    global observers
    _watching.append(None)
    observers = local


def _unwatch() -> None:
    """Clear the global with the last watcher, and look again: another may have come."""
    global observers
    _watching.pop()
    if not _watching:
        observers = None
        if _watching:
            observers = local


def current_mode() -> Any:
    """The mode of this thread."""
    return local.mode


def unseen() -> bool:
    """Whether this thread computes eagerly, and neither a tape nor else looks on."""
    return observers is None or observers.tapes == ()


def seen_by_tapes_only() -> bool:
    """Whether nothing looks on at what this thread computes, but for tapes."""
    return observers is None or observers.tapes is not None


@contextlib.contextmanager
def entered(mode: Any) -> Iterator[Any]:
    """Run the block in `mode`, unseen by the tapes outside."""
    local.frames.append(_Frame(mode))
    local.refresh()
    _count(1)
    try:
        yield mode
    finally:
        local.frames.pop()
        local.refresh()
        _count(-1)


def enter(mode: Any) -> _Frame:
    """Begin to run in `mode`; returns what `leave` takes."""
    frame = _Frame(mode)
    local.frames.append(frame)
    local.refresh()
    _count(1)
    return frame


def leave(frame: _Frame) -> None:
    """End what `enter` began, wherever it is in the stack of this thread."""
    if frame in local.frames:
        local.frames.remove(frame)
        local.refresh()
        _count(-1)


def push_tape(tape: Any) -> None:
    """Let `tape` record this thread's calls in the current mode."""
    global observers
    state = local.__dict__  # hot: each look into `local` finds the thread anew
    top = state["frames"][-1]
    top.tapes = tapes = (*top.tapes, tape)
    if state.get("tapes", _Local.tapes) is not None:
        state["tapes"] = tapes
    _watching.append(None)
    observers = local


def pop_tape(tape: Any) -> None:
    """Stop recording; the tape may be anywhere in the stack."""
    global observers
    state = local.__dict__
    top = state["frames"][-1]
    tapes = top.tapes
    if tapes and tapes[-1] is tape:
        top.tapes = tapes[:-1]
    else:
        _pop_outer(tape)
    if state.get("tapes", _Local.tapes) is not None:
        state["tapes"] = top.tapes
    _watching.pop()  # as in _unwatch
    if not _watching:
        observers = None
        if _watching:
            observers = local


def _pop_outer(tape: Any) -> None:
    for frame in reversed(local.frames):
        if tape in frame.tapes:
            frame.tapes = tuple(t for t in frame.tapes if t is not tape)
            return


@contextlib.contextmanager
def tapes_paused() -> Iterator[None]:
    """Run the block unseen by any tape."""
    top = local.frames[-1]
    kept, top.tapes = top.tapes, ()
    local.refresh()
    try:
        yield
    finally:
        top.tapes = kept
        local.refresh()


def slow_observer(change: int) -> None:
    """Register (+1) or drop (-1) something that needs this thread's slow path."""
    local.frames[-1].slow += change
    local.refresh()
    _count(change)


def watch_every_op(on: bool) -> None:
    """Send all threads' ops the slow path; other threads' at their next frame."""
    _Local.watched = on
    local.refresh()
    _count(1 if on else -1)


def apply(
    op: "Op", inputs: tuple, attrs: dict | None = None, name: str | None = None
) -> "Tensor":
    """Run or record `op`.

    Args:
        op: the Op.
        inputs: one entry per input of the signature (a list for ``N*T``); anything that
            converts to a tensor, host inputs also as plain Python values.
        attrs: values of attributes that differ from the signature's defaults.
        name: the name of the call, used in graphs and in errors.
    Returns:
        A tensor, or a list of tensors where the op has several outputs.
    Raises:
        tf.errors.OpError, TypeError, ValueError: the inputs do not fit the op.
    """
    defaults = op.sig.attrs
    if attrs:
        attrs = {**defaults, **attrs} if len(attrs) != len(defaults) else attrs
    else:
        attrs = defaults
    frame = local.frames[-1]
    return (frame.mode or _Local.default_mode).run_op(op, inputs, attrs, name)
