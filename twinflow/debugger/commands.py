"""What the prompt can do with tensors, beside pdb's commands."""

import fnmatch
import re
import threading
from typing import Any

import numpy as np

from twinflow.base.frames import stack_of
from twinflow.debugger import breakpoints, places, plots
from twinflow.debugger.breakpoints import OpBreakpoint
from twinflow.debugger.values import array_of, histogram, short, shown

_KINDS = ("op", "name", "grad", "nan", "when")
_OUTPUT = re.compile(r"outputs\[(\d+)\]\s*=(?!=)\s*(.*)", re.S)


class TensorCommands:
    """Commands of ops; a part of Prompt."""

    at: Any
    curframe: Any
    _getval: Any
    error: Any
    follower: Any
    full_name: Any
    message: Any
    op_displays: list

    # ------------------------------------------------------------------ breakpoints
    def do_break(self, arg: str, temporary: Any = 0) -> None:
        """b(reak) [([file:]line | function) [, condition]]
        b(reak) op TYPE | name PATTERN | grad [file:]LINE | nan | when [, condition]
        As in pdb, and ops: the nodes that a line made, in the order in which they run;
        all ops of a type; those of a name (* and ? stand for any text); those of the
        gradient of a line; the first of bad numbers; any op. Conditions may use out,
        outputs, inputs, trip, name, op, shape, dtype, has_inf_or_nan().
        """
        kind = arg.split(",")[0].split(None, 1)
        if kind and kind[0] in _KINDS and not self._is_function(arg):
            self._break_at_ops(kind[0], arg[len(kind[0]) :], bool(temporary))
        elif not arg:
            self._list_breakpoints()
        else:
            super().do_break(arg, temporary)  # type: ignore[misc]

    do_b = do_break

    def _is_function(self, arg: str) -> bool:
        return callable(getattr(self.curframe, "f_globals", {}).get(arg))

    def _list_breakpoints(self) -> None:
        found = [bp for bp in breakpoints.bdb.Breakpoint.bpbynumber if bp]
        if found:
            self.message("Num Type         Disp Enb   Where")
        for bp in found:
            self.message(bp.bpformat())

    def _break_at_ops(self, kind: str, rest: str, temporary: bool) -> None:
        what, _, cond = rest.partition(",")
        what, cond = what.strip(), cond.strip()
        if kind == "when":
            what, cond = "", rest.lstrip(" ,")
        if bool(what) == (kind in ("nan", "when")) or (kind == "when" and not cond):
            self.error(f"break {kind}: see help break")
            return
        aim: Any = what
        if kind == "grad":
            file, colon, line = what.rpartition(":")
            if not line.isdigit():
                self.error(f"Bad lineno: {line}")
                return
            aim = (self.full_name(file) if colon else self._file(), int(line))
            what = f"{aim[0]}:{line}"
        self.stop_at(kind, aim, f"{kind} {what}".strip(), temporary, cond or None)

    def stop_at(
        self, kind: str, aim: Any, text: str, temporary: bool = False,
        cond: str | None = None,
    ) -> OpBreakpoint:  # fmt: skip
        """A new breakpoint at ops."""
        bp = OpBreakpoint(kind, aim, text, temporary, cond)
        self.message(f"Breakpoint {bp.number} at {text}")
        return bp

    def _file(self) -> str:
        return breakpoints.canonical(self.curframe.f_code.co_filename)

    def do_watch(self, arg: str) -> None:
        """watch NAME
        Stop when a tensor or variable of this name has another value than before.
        """
        if arg:
            self.stop_at("watch", arg, f"watch {arg}")
        else:
            self.error("watch what?")

    def do_errors(self, arg: str) -> None:
        """errors [on|off]
        Whether to stop at ops of graphs and functions that fail.
        """
        self.stops_at_errors = arg.strip() != "off"
        self.message(f"stops at errors: {'on' if self.stops_at_errors else 'off'}")

    # ------------------------------------------------------------------ looking
    def _op(self) -> Any:
        """The OpRun at hand, or None with a message."""
        if self.at is None:
            self.error("No op here: this is a line of Python.")
            return None
        return self.at.run

    def do_p(self, arg: str) -> None:
        """p expression
        Print its value; of a tensor dtype, shape, statistics and entries.
        """
        try:
            value = self._getval(arg)
        except Exception:
            return
        self.message(shown(value) if array_of(value) is not None else repr(value))

    def do_args(self, arg: str) -> None:
        """a(rgs)
        The inputs of the op at hand by the names of its arguments.
        """
        if self.at is None:
            super().do_args(arg)  # type: ignore[misc]
        else:
            self.do_inputs(arg)

    do_a = do_args

    def do_inputs(self, arg: str) -> None:
        """inputs
        What the op takes: each argument, where it comes from, and its value in short.
        """
        run = self._op()
        if run is None:
            return
        given = [] if run.node is None else run.node.args()
        for i, (spec, value) in enumerate(zip(run.op.sig.inputs, run.inputs)):
            source = f"  <- {_names(given[i])}" if i < len(given) else ""
            self.message(f"inputs[{i}] {spec.name}: {short(value)}{source}")

    def do_outputs(self, arg: str) -> None:
        """outputs
        What the op gives, in short.
        """
        run = self._op()
        if run is not None and run.outputs is None:
            self.message("not yet: it has not run")
        elif run is not None:
            for i, value in enumerate(run.outputs):
                self.message(f"outputs[{i}]: {short(value)}")

    def do_consumers(self, arg: str) -> None:
        """consumers
        The ops that take what this one gives, and their lines.
        """
        run = self._op()
        if run is None or run.node is None:
            return
        for t in run.node.outputs:
            for node in t.consumers():
                line = places.line_of(node.frames[0]) if node.frames else ""
                self.message(f"{t.name} -> {node.type} {node.name!r}  {line}")

    def do_origin(self, arg: str) -> None:
        """origin
        The lines of the program that made the op, and the op it is the gradient of.
        """
        run = self._op()
        if run is None:
            return
        for title, frames in (("made at", run.frames), ("gradient of", run.forward)):
            for i, (file, line, name, source) in enumerate(stack_of(frames)):
                self.message(f"{title if not i else '':<12}{file}({line}){name}()")
                self.message(f"{'':<12}-> {source or ''}")
        attrs = {k: v for k, v in run.attrs.items() if v is not None}
        self.message(f"{run.op.type} {short_attrs(attrs)}")

    def do_tensor(self, arg: str) -> None:
        """t(ensor) PATTERN
        The last values of tensors by their names (`while/add:0`, `*/kernel`).
        """
        pattern, _, place = arg.partition(":")
        found: dict = {}
        for entry in self.follower.here.journal.entries:
            run = entry.run
            if run.name and fnmatch.fnmatchcase(run.name, pattern) and run.outputs:
                found[run.name] = run
        for name, run in found.items():
            for i, value in enumerate(run.outputs):
                if not place or int(place) == i:
                    self.message(f"{name}:{i}{places.where(run)}\n{shown(value)}")
        if not found:
            self.error(f"no op of that name has run: {pattern}")

    do_t = do_tensor

    def do_stats(self, arg: str) -> None:
        """stats [expression]
        A histogram of a tensor (out) as text.
        """
        self._with_value(arg, lambda value: self.message(histogram(value)))

    def do_plot(self, arg: str) -> None:
        """plot [expression] [> FILE.png]
        An image of a tensor of that shape, a histogram of others (out): as a PNG where
        matplotlib is there, else as text.
        """
        expression, _, file = arg.partition(">")
        name = file.strip()
        self._with_value(expression, lambda v: self.message(plots.plot(v, name)))

    def _with_value(self, arg: str, use: Any) -> None:
        try:
            value = self._getval(arg.strip() or "out")
        except Exception:
            return
        try:
            use(value)
        except (ValueError, TypeError, OSError) as error:
            self.error(str(error))

    def do_display(self, arg: str) -> None:
        """display [expression]
        At ops: print it at each stop. Without one: what is displayed.
        """
        if self.at is None:
            super().do_display(arg)  # type: ignore[misc]
        elif not arg:
            self.message("\n".join(["Currently displaying:", *self.op_displays]))
        else:
            self.op_displays.append(arg)
            value = self._getval_except(arg)  # type: ignore[attr-defined]
            self.message(f"display {arg}: {short(value)}")

    def do_undisplay(self, arg: str) -> None:
        """undisplay [expression]
        Display it no more; without one nothing any more.
        """
        if self.at is None:
            super().do_undisplay(arg)  # type: ignore[misc]
        else:
            self.op_displays = [e for e in self.op_displays if arg and e != arg]

    # ------------------------------------------------------------------ changing
    def do_set(self, arg: str) -> None:
        """set VALUE | set outputs[N] = VALUE
        Let the op at hand give another value, and go on with it (continue, next ...).
        At an earlier op (see back) the run begins anew from there.
        """
        run = self._op()
        if run is None:
            return
        match = _OUTPUT.fullmatch(arg.strip())
        place, text = (int(match[1]), match[2]) if match else (0, arg)
        try:
            value = self._getval(text)
        except Exception:
            return
        entry = self.at.shown or self.at.entry
        problem = self._cannot_change(entry, run, place)
        if problem:
            self.error(problem)
            return
        try:
            outputs = list(run.outputs or _blank(run))
            outputs[place] = _fitting(value, _like(run, place))
        except (ValueError, TypeError) as error:
            self.error(str(error))
            return
        if any(o is None for o in outputs):
            self.message(f"{len(outputs)} outputs are wanted: set the others too")
        self.at.given = (entry, outputs) if None not in map(_kind, outputs) else None
        if entry is not None and self.at.shown is None and entry.error is None:
            run.outputs = outputs
        elif entry is not None or run.outputs is None:
            run.outputs = outputs if entry is None else run.outputs
        self.curframe.f_locals.update(out=outputs[0], outputs=outputs)
        self.message(short(outputs[place]))

    def _cannot_change(self, entry: Any, run: Any, place: int) -> str:
        """Why a value cannot be changed, or nothing."""
        count = len(run.op.sig.outputs) if run.node is None else len(run.node.outputs)
        if run.outputs is not None:
            count = len(run.outputs)
        if place >= count:
            return f"the op has {count} outputs"
        here = self.follower.here
        past = self.at.shown is not None or (entry is not None and entry.error)
        if past and (not here.inside or entry.turn != here.turn):
            return (
                "this op ran outside of the run that goes on: Python went on since, "
                "and cannot be run again"
            )
        if run.thread != threading.get_ident():
            return "this op ran in another thread"
        return ""

    # ------------------------------------------------------------------ time
    def do_back(self, arg: str) -> None:
        """back [COUNT]
        Look at the op that ran before.
        """
        self._travel(-int(arg) if arg.isdigit() else -1)

    def do_forward(self, arg: str) -> None:
        """forward [COUNT]
        Look at the op that ran after it.
        """
        self._travel(int(arg) if arg.isdigit() else 1)

    def _travel(self, count: int) -> None:
        if self._op() is None:
            return
        entries, at = self.follower.here.journal.entries, self.at
        shown = at.shown or at.entry
        place = entries.index(shown) if shown in entries else len(entries)
        goal = place + count
        if goal < 0:
            lost = self.follower.here.journal.lost
            why = f" ({lost} older ones did not fit: --record MB)" if lost else ""
            self.error(f"nothing before that was recorded{why}")
            goal = 0
        if not entries:
            return
        if goal >= len(entries):
            at.shown = None
        else:
            at.shown = None if entries[goal] is at.entry else entries[goal]
        depth = max(at.levels.values(), default=1)
        if at.shown is not None:
            depth = len(at.shown.parents) + 1
        self._frames_of(at, depth)  # type: ignore[attr-defined]
        self._look_again()

    def _look_again(self) -> None:
        stack, place = self.get_stack(self.at.frame, None)  # type: ignore[attr-defined]
        self.stack = stack
        self._select_frame(place)  # type: ignore[attr-defined]

    def do_journal(self, arg: str) -> None:
        """journal [COUNT]
        The ops that ran last (10), newest last.
        """
        journal = self.follower.here.journal
        count = int(arg) if arg.isdigit() else 10
        shown = None if self.at is None else self.at.shown or self.at.entry
        for e in journal.entries[-count:]:
            mark = ">" if e is shown else " "
            gives = "failed" if e.error else short(e.run.outputs)
            text = f"{mark} {e.number:>5} {places.label(e.run)}{places.where(e.run)}"
            self.message(f"{text}: {gives}")
        size = journal.bytes / 2**20
        self.message(f"{len(journal.entries)} ops, {size:.1f} MB of arrays")


def _names(given: Any) -> str:
    if isinstance(given, list):
        return ", ".join(t.name for t in given)
    return str(getattr(given, "name", given))


def short_attrs(attrs: dict) -> str:
    """Attributes as a text, long ones cut."""
    parts = [f"{k}={v!r}" for k, v in attrs.items() if k not in ("cell", "f", "body")]
    return ", ".join(p if len(p) < 60 else f"{p[:57]}..." for p in parts)


def _kind(value: Any) -> Any:
    return None if value is None else type(value)


def _blank(run: Any) -> list:
    count = len(run.op.sig.outputs) if run.node is None else len(run.node.outputs)
    return [None] * count


def _like(run: Any, place: int) -> tuple:
    """(the dtype, the shape) that an output has; None where nobody knows."""
    old = run.outputs[place] if run.outputs else None
    if isinstance(old, np.ndarray | np.generic):
        return old.dtype, np.shape(old)
    if old is not None:
        raise TypeError(f"only numbers can be set, and this is {old!r}")
    if run.node is None:
        return None, None
    t = run.node.outputs[place]
    if t.dtype.np is None:
        raise TypeError(f"only numbers can be set, and this is {t.dtype.name}")
    shape = t._shape
    return np.dtype(t.dtype.np), None if shape is None or None in shape else shape


def _fitting(value: Any, like: tuple) -> np.ndarray:
    dtype, shape = like
    found = array_of(value)
    array = np.array(value if found is None else found, dtype)
    if shape is not None and array.shape != shape:
        array = np.array(np.broadcast_to(array, shape))
    array.setflags(write=False)
    return array
