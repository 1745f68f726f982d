"""The frames of a stop: those of Python, of the places around an op, and its own."""

import bdb
import cmd
import os
import pdb
import runpy
import sys
from types import FrameType

from twinflow.base.frames import is_internal, line_number
from twinflow.base.watching import OpRun
from twinflow.debugger.breakpoints import names_in
from twinflow.debugger.line_frames import frame_at

_LIBRARIES = (os.path.dirname(os.__file__) + os.sep, "<frozen ")
_TOOLS = tuple(module.__file__ for module in (bdb, cmd, pdb, runpy))


def is_hidden(frame: FrameType) -> bool:
    """Whether a frame is of twinflow, of what it is built on, or of the debugger."""
    found: FrameType | None = frame
    while found is not None and _is_library(found):
        found = found.f_back  # whoever called it decides
    return found is not None and (_is_house(found) or is_entry(found))


def _is_house(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return name in _TOOLS or name == "<string>" or is_internal(name)


def _is_library(frame: FrameType) -> bool:
    """Whether a frame is of Python's own library, or of what is installed."""
    name = frame.f_code.co_filename
    if name in _TOOLS or is_internal(name):
        return False
    return name.startswith(_LIBRARIES) or "-packages" in name


def is_entry(frame: FrameType) -> bool:
    """Whether a frame is of the command `twinflow` itself."""
    return frame.f_code.co_filename == _ENTRY and "twinflow" in _ENTRY


_ENTRY = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""


def python_frames(frame: FrameType | None) -> list[FrameType]:
    """The frames of the program behind `frame`, outermost first."""
    found = []
    while frame is not None:
        if not is_hidden(frame):
            found.append(frame)
        frame = frame.f_back
    return found[::-1]


def op_frames(parents: tuple, run: OpRun) -> list[FrameType]:
    """A frame for each op around `run`, outermost first, and its own."""
    found = []
    for i, outer in enumerate(parents):
        inner = parents[i + 1] if i + 1 < len(parents) else run
        found.append(_frame(outer, _place(outer, inner)))
    return [*found, _frame(run, label(run))]


def _frame(run: OpRun, name: str) -> FrameType:
    return frame_at(run.frames[0] if run.frames else None, name, names_in(run))


def label(run: OpRun) -> str:
    """An op in short: its type and its name."""
    return f"{run.op.type} {run.name!r}" if run.name else run.op.type


def _place(outer: OpRun, inner: OpRun) -> str:
    """What an op is to the one inside it: an iteration, a branch, a function."""
    depth = len(outer.path)
    place = inner.path[depth] if len(inner.path) > depth else None
    if place is None:
        return label(outer)
    if place.kind == "loop":
        part = " cond" if place.part == "cond" else ""
        return f"loop {outer.name!r}[{place.trip}]{part}"
    if place.kind == "branch":
        return f"branch {outer.name!r} ({bool(place.trip)})"
    return f"{place.kind} {place.name!r}"


def where(run: OpRun) -> str:
    """Inside of what an op runs: ` in loop 'while'[2]`; "" outside of all."""
    parts = []
    for p in run.path:
        if p.kind == "loop":
            parts.append(f"{p.name}[{p.trip}]{' cond' if p.part == 'cond' else ''}")
        elif p.kind == "branch":
            parts.append(f"{p.name}({bool(p.trip)})")
        elif p.kind == "function":
            parts.append(f"function {p.name}")
    return f" in {' > '.join(parts)}" if parts else ""


def line_of(pair: tuple) -> str:
    """`file.py:12` of a (code, lasti) pair, without folders."""
    return f"{os.path.basename(pair[0].co_filename)}:{line_number(pair)}"
