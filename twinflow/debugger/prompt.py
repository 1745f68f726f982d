"""pdb that stops inside graphs: one prompt for lines of Python and for ops."""

import bdb
import contextlib
import pdb
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from twinflow.base import watching
from twinflow.debugger import places
from twinflow.debugger.breakpoints import OpBreakpoint, canonical, words_of
from twinflow.debugger.commands import TensorCommands
from twinflow.debugger.following import Follower, Open
from twinflow.debugger.journal import Entry
from twinflow.debugger.line_frames import frame_at
from twinflow.debugger.stepping import Breaks, Steps
from twinflow.debugger.values import short

_EVENTS = {"enter": "--Enter--", "leave": "--Leave--"}
MEGABYTES = 256  # the budget of the journal, unless another is asked for


class Quit(BaseException):
    """Raised at an op by `quit`: the program is left, as pdb's BdbQuit leaves it."""


class Stop:
    """An op at which the prompt is open.

    Attributes:
        event: "enter", "after", "leave" or "failed". now: its Open. entry: its Entry,
            None before it ran. frame: its frame. caller: the innermost frame of Python.
            levels: {frame of an op: how many ops are around it}.
        shown: the Entry that is looked at, if it is an earlier one.
        given: the outputs that it gets by `set`, else None.
    """

    def __init__(self, event: str, now: Open, entry: Entry | None) -> None:
        self.event, self.now, self.entry = event, now, entry
        self.frame: FrameType | None = None
        self.caller: FrameType | None = None
        self.levels: dict = {}
        self.shown: Entry | None = None
        self.given: tuple[Any, Any] | None = None
        self.traceback: Any = None  # of an error after which all is over

    @property
    def run(self) -> watching.OpRun:
        """The OpRun that is looked at."""
        run: Any = self.now.run if self.shown is None else self.shown.run
        return run


class Prompt(TensorCommands, pdb.Pdb):
    """The debugger: pdb with ops.

    Args:
        megabytes: how much the journal of each thread may hold.
        stdin, stdout: files; those of the process by default.
        traces: whether stepping goes on in lines of Python.
    """

    _set_stopinfo: Any  # of bdb

    def __init__(
        self, megabytes: float = MEGABYTES, stdin: Any = None, stdout: Any = None,
        traces: bool = True,
    ) -> None:  # fmt: skip
        pdb.Pdb.__init__(self, stdin=stdin, stdout=stdout, nosigint=True)
        self.reset()
        self.prompt, self.traces = "(tf) ", traces
        self.at: Stop | None = None
        self.steps, self.breakpoints = Steps(), Breaks(self.message)
        self.stops_at_errors = True
        self.op_displays: list[str] = []
        self.turn = threading.RLock()  # one thread at a time is at the prompt
        self.follower = Follower(int(megabytes * 2**20), self.look, self.message)
        self.last_failed: Entry | None = None
        self.called_at: tuple = ()  # lines that are shown as Python's frames: (code, i)

    # ------------------------------------------------------------------ ops
    def look(
        self, event: str, now: Open, entry: Entry | None, error: BaseException | None
    ) -> None:
        """Stop at an event of an op, if a step or a breakpoint asks for it."""
        here = self.follower.here
        depth, around = len(here.stack), here.stack[-1]
        if event == "enter":
            depth, around = depth - 1, here.stack[-2]
        self.breakpoints.python = sys.gettrace() is not None
        bp = None if event == "failed" else self.breakpoints.find(event, now, around)
        if event == "failed":
            self.last_failed = entry
            wanted = self.stops_at_errors and now.run.node is not None
        else:
            wanted = bp is not None or self.steps.wants(event, now, depth)
        if not wanted or self._closed_to_users():
            return
        event = "leave" if event == "after" and now.holds else event
        with self.turn:
            self._stop(Stop(event, now, entry), depth, bp, error)

    def _closed_to_users(self) -> bool:
        return getattr(self, "_wait_for_mainpyfile", False)

    def _stop(self, at: Stop, depth: int, bp: Any, error: Any) -> None:
        tracer, outer = sys.gettrace(), self.at
        sys.settrace(None)
        here = self.follower.here
        here.quiet, self.at = True, at
        try:
            self.steps.kind = ""
            self._show_stop(at, depth, bp, error)
        finally:
            here.quiet, self.at = False, outer
            sys.settrace(tracer)
        if getattr(self, "quitting", False):
            raise Quit
        self._go_on(at, tracer)

    def _show_stop(self, at: Stop, depth: int, bp: Any, error: Any) -> None:
        at.caller = self._caller()
        frames = self._frames_of(at, depth)
        if at.event in _EVENTS:
            self.message(_EVENTS[at.event])
        if error is not None:
            first = str(error).splitlines()[:1]
            self.message(f"--Failed-- {type(error).__name__}: {''.join(first)}")
        self.currentbp = 0 if bp is None else bp.number
        if bp is not None and bp.temporary:
            self.do_clear(str(bp.number))
        # From 3.14 on pdb queues the commands of a breakpoint, and gives None.
        asks: Any = self.bp_commands(frames[-1])
        if asks or sys.version_info >= (3, 14):
            self.interaction(frames[-1], None)

    def _caller(self) -> FrameType | None:
        found = places.python_frames(sys._getframe(1))
        return found[-1] if found else None

    def _frames_of(self, at: Stop, depth: int) -> list[FrameType]:
        """Make the frames of what is looked at; `levels` says how deep each is."""
        if at.shown is None:
            opens = self.follower.here.stack
            runs = [o.run for o in opens if o.run is not None and o is not at.now]
            frames = places.op_frames(tuple(runs), at.run)
        else:
            frames = places.op_frames(at.shown.parents, at.run)
        at.levels = {f: depth - len(frames) + 1 + i for i, f in enumerate(frames)}
        at.frame = frames[-1]
        return frames

    def _go_on(self, at: Stop, tracer: Any) -> None:
        """Carry out what `set` and the last command asked for."""
        run: Any = at.now.run
        if at.given is not None:
            entry, outputs = at.given
            went_well = at.entry is not None and at.entry.error is None
            if entry is None or (entry is at.entry and went_well):
                run.outputs = list(outputs)
            else:
                self._trace_on(at, tracer)
                self.follower.go_on_from(entry, list(outputs))
        self._trace_on(at, tracer)

    def _trace_on(self, at: Stop, tracer: Any) -> None:
        """Let Python's lines stop too, where the last command was a step."""
        frame = at.caller
        if not self.steps.kind and not (tracer and self.breaks):
            sys.settrace(None)
            return
        if not self.traces or frame is None or self.steps.kind == "":
            return
        while frame is not None:
            if not places.is_hidden(frame):
                frame.f_trace = self.trace_dispatch
            self.botframe = frame
            frame = frame.f_back
        sys.settrace(self.trace_dispatch)

    # ------------------------------------------------------------------ stepping
    def _op_level(self, frame: Any) -> int | None:
        return None if self.at is None else self.at.levels.get(frame)

    def set_step(self) -> None:
        """Stop at the next op or line."""
        super().set_step()
        self.steps.ask("step", threading.get_ident())

    def set_next(self, frame: Any) -> None:
        """Stop at the next op of this place, or the next line of this frame."""
        self._ask("next", frame, 0) or super().set_next(frame)

    def set_return(self, frame: Any) -> None:
        """Stop when this place, or frame, is left."""
        self._ask("out", frame, 0) or super().set_return(frame)

    def set_until(self, frame: Any, lineno: int | None = None) -> None:
        """Stop behind a line of this place, or frame."""
        line = frame.f_lineno if lineno is None else lineno - 1
        self._ask("until", frame, line) or super().set_until(frame, lineno)

    def _ask(self, kind: str, frame: Any, line: int) -> bool:
        level = self._op_level(frame)
        if level is None:
            self.steps.kind = ""
            return False
        at: Any = self.at
        self.steps.ask(kind, threading.get_ident(), level, line)
        if at.caller is not None:
            self._set_stopinfo(at.caller, None)
        return True

    def set_continue(self) -> None:
        """Go on to the next breakpoint."""
        self.steps.kind = ""
        if self.at is None:
            super().set_continue()
        else:
            self._set_stopinfo(self.botframe, None, -1)

    def set_quit(self) -> None:
        """Leave the program."""
        self.steps.kind = ""
        super().set_quit()

    # ------------------------------------------------------------------ frames
    def get_stack(self, f: Any, t: Any) -> tuple:
        """The frames of the program, without those of twinflow, and those of ops."""
        if self.at is not None and f is self.at.frame:
            frames = self._outer_frames(self.at)
            frames += [(p, p.f_lineno) for p in self.at.levels]
            return frames, len(frames) - 1
        stack, place = super().get_stack(f, t)
        current = stack[place][0] if stack else None
        kept = [p for p in stack if p[0] is current or not places.is_hidden(p[0])]
        if t is not None and len(kept) > 1:
            kept = [p for p in kept if not places.is_hidden(p[0])] or kept
            return kept, len(kept) - 1
        return kept, next(i for i, p in enumerate(kept) if p[0] is current)

    def _outer_frames(self, at: Stop) -> list:
        """The frames of Python outside of the ops: those of now, or of an error."""
        if at.traceback is None:
            found = [frame_at(p, p[0].co_name, {}) for p in reversed(self.called_at)]
            found += places.python_frames(sys._getframe(1))
            return [(p, p.f_lineno) for p in found]
        stack, _ = super().get_stack(None, at.traceback)
        return [p for p in stack if not places.is_hidden(p[0])]

    def stop_here(self, frame: Any) -> bool:
        """Steps never end inside of twinflow."""
        return not places.is_hidden(frame) and super().stop_here(frame)

    def break_here(self, frame: Any) -> Any:
        """A condition with words of ops is not about lines of Python."""
        line = (self.canonic(frame.f_code.co_filename), frame.f_lineno)
        if line not in bdb.Breakpoint.bplist:
            return super().break_here(frame)
        with _left_out(line, frame):
            return super().break_here(frame)

    def format_stack_entry(self, frame_lineno: tuple, lprefix: str = ": ") -> str:
        """As pdb's; an op is told with where it runs and what it gives."""
        frame, _ = frame_lineno
        at = self.at
        if at is None or frame not in at.levels:
            return super().format_stack_entry(frame_lineno, lprefix)
        plain = super().format_stack_entry(frame_lineno, "\n")
        first, _, source = plain.partition("\n")
        name = frame.f_code.co_name
        head = first[: first.rfind(name)] if name in first else first
        if frame is not at.frame:
            return f"{head}{name}" + (f"{lprefix}{source}" if source else "")
        lines = [f"{head}{name}{places.where(at.run)}"]
        if source:
            lines.append(f"{lprefix.lstrip(chr(10))}{source}")
        return "\n".join([*lines, *self.told(at)])

    def told(self, at: Stop) -> list[str]:
        """The lines that a stop prints of its values."""
        run = at.run
        lines = []
        if run.forward:
            lines.append(f"gradient of {places.line_of(run.forward[0])}")
        if run.outputs is None:
            return [*lines, f"inputs: {short(run.inputs)}"]
        for i, value in enumerate(run.outputs):
            name = "out" if len(run.outputs) == 1 else f"outputs[{i}]"
            lines.append(f"{name}: {short(value)}")
        return lines

    def preloop(self) -> None:
        """Show what `display` asks for."""
        if self.at is None:
            super().preloop()
            return
        for expression in self.op_displays:
            value = self._getval_except(expression)
            self.message(f"display {expression}: {short(value)}")

    # ------------------------------------------------------------------ breakpoints
    def _prune_breaks(self, filename: str, lineno: int) -> None:
        if filename in self.breaks:
            super()._prune_breaks(filename, lineno)  # type: ignore[misc]

    def clear_all_breaks(self) -> Any:
        """Delete them all."""
        for bp in bdb.Breakpoint.bpbynumber:
            if isinstance(bp, OpBreakpoint):
                bp.deleteMe()
        return super().clear_all_breaks() if self.breaks else None

    def user_line(self, frame: Any) -> None:
        """Stop at a line of Python, one thread at a time."""
        with self._alone():
            super().user_line(frame)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """At a line of Python ops of the prompt are nobody's business."""
        here = self.follower.here
        outer, here.quiet = here.quiet, True
        outer_at, self.at = self.at, None
        try:
            with self.turn:
                yield
        finally:
            here.quiet, self.at = outer, outer_at

    def user_call(self, frame: Any, argument_list: Any) -> None:
        """As pdb's."""
        with self._alone():
            super().user_call(frame, argument_list)

    def user_return(self, frame: Any, return_value: Any) -> None:
        """As pdb's."""
        with self._alone():
            super().user_return(frame, return_value)

    def user_exception(self, frame: Any, exc_info: Any) -> None:
        """As pdb's."""
        with self._alone():
            super().user_exception(frame, exc_info)

    def after_death(self, error: BaseException) -> None:
        """Open the prompt where `error` arose, at the op that failed if one did."""
        tb: Any = error.__traceback__
        entry, self.last_failed = self.last_failed, None
        here, outer = self.follower.here, self.at
        here.quiet, tracer = True, sys.gettrace()
        sys.settrace(None)
        try:
            if entry is not None and _is_cause(entry.error, error):
                self.at = at = Stop("failed", Open(entry.run, entry.key), entry)
                at.shown, at.traceback = entry, tb
                self._frames_of(at, len(entry.parents) + 1)
                self.interaction(at.frame, None)
            else:
                self.interaction(None, tb)
        finally:
            here.quiet, self.at = False, outer
            sys.settrace(tracer)

    def full_name(self, file: str) -> str:
        """A file as breakpoints name it."""
        return canonical(self.lookupmodule(file) or file)


def _is_cause(wanted: Any, error: BaseException | None) -> bool:
    """Whether `error` came from another one: a node's error says what it raised."""
    text = str(wanted).split("\n")[0]
    seen: set = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if error is wanted or str(error).split("\n")[0] == text:
            return True
        error = error.__cause__ or error.__context__
    return False


@contextlib.contextmanager
def _left_out(line: tuple, frame: Any) -> Iterator[None]:
    """A block in which breakpoints of a line whose conditions are of ops are off."""
    names = {**frame.f_globals, **frame.f_locals}
    off = [
        bp
        for bp in bdb.Breakpoint.bplist[line]
        if bp.enabled and not words_of(bp.cond) <= names.keys()
    ]
    for bp in off:
        bp.enabled = False
    try:
        yield
    finally:
        for bp in off:
            bp.enabled = True
