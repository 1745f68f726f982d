"""Writes the trace of one way of running a program."""

import contextlib
import sys
import threading
import traceback
import types
from collections.abc import Iterator
from typing import Any

from twinflow.base import dispatch
from twinflow.base.dtypes import DType
from twinflow.base.errors import OpError
from twinflow.base.frames import user_frames
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Watcher
from twinflow.ops.random.streams import Stream
from twinflow.verification.events import (
    Course,
    Effect,
    Event,
    Frame,
    Inner,
    frame_of,
    frames_of,
    is_of_program,
)
from twinflow.verification.kept import Budget, each_kept, kept
from twinflow.verification.observer import shown
from twinflow.verification.python_effects import Effects
from twinflow.verification.request import Clock, Request, Stopped

MOST_INNER = 300_000  # runs of ops that a trace keeps
_QUIET = ("While", "If", "PartitionedCall", "Placeholder", "VarHandleOp")


class Recorder(Watcher):
    """Hears of what a program does and writes a Course.

    Args:
        request: what is asked for. budget: of the arrays kept.
    Attributes:
        trace: the Course. effects: what looks at Python code. muted: whether what
            happens is nobody's. hidden: whether ops run in the place of others.
    """

    def __init__(self, request: Request, budget: Budget) -> None:
        self.trace, self.budget, self.request = Course(request.way), budget, request
        self.effects, self.muted, self.hidden = Effects(self._effect), 0, 0
        self._clock, self._runs = Clock(request), 0
        self.open: Event | None = None
        self.depth = 0  # of ops and callbacks that run now
        self._order, self._codes = 0, frozenset[types.CodeType]()
        self._main, self._places = threading.get_ident(), set[tuple]()
        self._line: list = []  # what was printed since the last newline
        self.inner_kept, self.in_region = 0, False

    def order(self) -> int:
        """The number of the next event."""
        self._order += 1
        return self._order

    # ------------------------------------------------------------------ boundaries
    @contextlib.contextmanager
    def boundary(self, kind: str, what: str) -> Iterator[Event | None]:
        """A block that every way runs, whatever it does inside."""
        away = threading.get_ident() != self._main
        if away or self.muted or self.open is not None or self.depth:
            yield None
            return
        self._look()
        pairs = user_frames(40)
        event = Event(kind, what, frames_of(pairs), self.order())
        if kind == "run":
            event.number, self._runs = self._runs, self._runs + 1
        around = () if kind == "run" else pairs  # nodes were made elsewhere
        self.open, self._codes = event, frozenset(code for code, _ in around)
        stopped = False
        try:
            yield event
        except Stopped:
            stopped = True
            raise
        except BaseException as error:
            event.error, event.mro = described(error)
            raise
        finally:
            self.open, event.last = None, self.order()
            if not stopped:
                self.trace.events.append(event)

    def _look(self) -> None:
        """Stop here if that is asked for."""
        if self._clock.stops(len(self.trace.events)):
            seconds = self.request.seconds
            why = "" if seconds is None else f" after {seconds:g} seconds"
            self.trace.stopped = f"stopped{why} behind {len(self.trace.events)} steps"
            raise Stopped(0)

    def described(self) -> str:
        """How far the program is; called from another thread."""
        frame: Any = sys._current_frames().get(self._main)
        while frame is not None and not is_of_program(frame.f_code.co_filename):
            frame = frame.f_back
        place = "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"
        return f"{len(self.trace.events)} steps, {self.trace.ops} ops, at {place}"

    def in_detail(self) -> bool:
        """Whether the ops of the event that runs are kept."""
        event = self.open
        return event is not None and event.number in (None, self.request.detail)

    def results(self, event: Event | None, structure: Any) -> None:
        """What a boundary gave."""
        if event is not None:
            event.values = each_kept(structure, self.budget)

    def fetched(self, tensors: list, values: list) -> None:
        """What the nodes of a compiled run gave: (node, tensor) pairs and values."""
        event: Any = self.open
        by_node: dict = {}
        for (node, _), value in zip(tensors, values, strict=True):
            by_node.setdefault(node, []).append(kept(value, self.budget))
        for node, found in by_node.items():
            frames = frames_of([p for p in node.frames if p[0] not in self._codes])
            made = Inner(node.type, node.name, frames, found, [], order=self.order())
            event.inner.append(made)

    # ------------------------------------------------------------------ ops
    def begins(self, run: OpRun) -> None:
        if run.thread == self._main and not self.hidden:
            self.depth += 1

    def failed(self, run: OpRun, error: BaseException) -> None:
        if run.thread == self._main and not self.hidden:
            self.depth -= 1
            if self._is_event(run):
                event = self._event(run)
                event.error, event.mro = described(error)
                self.trace.events.append(event)

    def ended(self, run: OpRun) -> None:
        if run.thread != self._main and "Enqueue" in run.op.type:
            self.trace.threads = True
        if run.thread != self._main or self.hidden:
            return
        self.depth -= 1
        if self.muted:
            return
        self.trace.ops += 1
        if self.trace.ops % 256 == 0 and self.open is not None:
            self._look()
        if run.frames:
            self._places.add((run.frames[0][0], run.frames[0][1]))
        if self._is_event(run):
            event = self._event(run)
            event.values = each_kept(_flat(run.outputs or []), self.budget)
            self.trace.events.append(event)
        elif run.op.type not in _QUIET and self.in_detail():
            self._inner(run)

    def _is_event(self, run: OpRun) -> bool:
        """Whether an op stands for itself: called eagerly, and by the program."""
        if self.open is not None or self.depth or run.node is not None or self.muted:
            return False
        return dispatch.current_mode().eager and len(dispatch.local.frames) < 3

    def _event(self, run: OpRun) -> Event:
        frames = frames_of(run.frames)
        event = Event("op", run.op.type, frames, self.order())
        event.draws, event.written = _draws(run), _written(run)
        event.stateful, event.attrs = run.op.stateful, _plain(run)
        event.inputs = [_input(a, self.budget) for a in run.inputs]
        return event

    def _inner(self, run: OpRun) -> None:
        if self.inner_kept >= MOST_INNER:
            self.trace.inner_dropped += 1
            return
        self.inner_kept += 1
        frames = frames_of([p for p in run.frames if p[0] not in self._codes])
        values = each_kept(_flat(run.outputs or []), self.budget)
        written = _written(run)
        if written and not values:
            cell = next(a for a in run.inputs if isinstance(a, Cell))
            values = [kept(cell.read(), self.budget)] if cell.initialized else []
        event: Any = self.open
        event.inner.append(
            Inner(
                run.op.type, run.name, frames, values,
                [_input(a, self.budget) for a in run.inputs], run.op.stateful,
                _draws(run), written, _plain(run), self.order(),
            )
        )  # fmt: skip

    def constants_of(self, graph: Any) -> None:
        """Remember the constants of a function that was traced: nothing runs them."""
        for node in graph.nodes if not self.muted else ():
            if node.type == "Const" and (frames := frames_of(node.frames)):
                value = kept(node.attrs["value"], self.budget)
                made = Inner("Const", node.name, frames, [value], [])
                self.trace.constants.append(made)

    # ------------------------------------------------------------------ Python
    def _effect(self, kind: str, name: str, frame: Frame) -> None:
        if not self.muted:
            found = self.trace.in_regions if self.in_region else self.trace.effects
            found.append(Effect(kind, name, frame, self.order()))

    def note(self, kind: str, name: str) -> None:
        """An effect of the line of the program that runs now."""
        found = frames_of(user_frames(20))
        if found:
            self._effect(kind, name, found[0])

    def printed(self, text: str) -> None:
        """Something was written to the standard output."""
        if self.muted or threading.get_ident() != self._main:
            return
        self.trace.output += text if len(self.trace.output) < 1_000_000 else ""
        self._line.append(text)
        if not text.endswith("\n"):
            return
        line, self._line = shown("".join(self._line)), []
        if line is None:
            return
        if self.effects.active:
            self.note("print", "print")
            return
        frames = frames_of(user_frames(40))
        found = Event("print", line.rstrip("\n"), frames, self.order())
        if self.open is None and not self.depth:
            self.trace.events.append(found)

    def finished(self, error: BaseException | None = None) -> Course:
        """The Course of a program that is over, or failed with `error`."""
        if self._line:
            self.printed("\n")
        self.trace.lines = len(self._places)
        self.trace.effects_unseen = self.effects.unseen
        if self.trace.stopped:
            return self._cut_short()
        end = Event("end", "", (), self.order())
        if error is not None:
            end.error, end.mro = described(error)
            end.frames = end.error[2]
            self.trace.error = "".join(traceback.format_exception(error))[-4000:]
        self.trace.events.append(end)
        return self.trace

    def _cut_short(self) -> Course:
        """Without what happened behind the last complete event."""
        trace = self.trace
        del trace.events[self.request.steps :]
        last = max((max(e.order, e.last) for e in trace.events), default=0)
        trace.effects = [e for e in trace.effects if e.order <= last]
        return trace


def described(error: BaseException) -> tuple:
    """((class, text, the user's frames), names of its classes)"""
    frames = []
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if is_of_program(code.co_filename):
            frames.append(frame_of((code, tb.tb_lasti)))
        tb = tb.tb_next
    own = frames_of(getattr(error, "frames", ()) or ())
    found = own if isinstance(error, OpError) and own else tuple(reversed(frames))
    text = str(error) or type(error).__name__
    names = tuple(k.__name__ for k in type(error).__mro__)
    return (type(error).__name__, text[:2000], found), names


def _flat(outputs: list) -> list:
    return [v for o in outputs for v in (o if isinstance(o, list) else [o])]


def _input(value: Any, budget: Budget) -> Any:
    if isinstance(value, list):
        return [_input(v, budget) for v in value]
    return kept(value, budget)


def _draws(run: OpRun) -> bool:
    return run.op.cell == "stream" or "stream" in run.attrs


def _written(run: OpRun) -> str:
    """The name of the variable that a run wrote to, or ""."""
    op = run.op
    if not (op.step and op.writes_cell) or _draws(run):
        return ""
    cells = [a for a in run.inputs if isinstance(a, Cell)]
    return cells[0].name if cells and not isinstance(cells[0], Stream) else ""


_PLAIN = (bool, int, float, str, bytes, type(None), DType)


def _plain(run: OpRun) -> dict | None:
    """The attributes, where they can go to another process."""
    attrs = run.attrs
    for value in attrs.values():
        items = value if isinstance(value, list | tuple) else [value]
        if not all(isinstance(v, _PLAIN) for v in items):
            return None
    return dict(attrs)
