"""Python numbers that a graph was built with and that change between its runs.

A learning rate that is a Python variable is a constant of the graph: later values of
the variable change nothing. Seen is a constant that a line made from a name, whose
value is another one when the same line of the program runs the graph again.
"""

import dis
import functools
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from twinflow.base.frames import line_number
from twinflow.verification.differences import Difference
from twinflow.verification.events import frame_of, is_of_program
from twinflow.verification.separate_runs import WAYS

_NUMBERS = (int, float, np.integer, np.floating)
_NAMES = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF")


class _Read(NamedTuple):
    """A number that a line reads: `name`, `name.attribute` or `name[key]`.

    Attributes:
        by: the instruction that reads the name.
    """

    name: str
    attribute: Any
    by: str

    def __str__(self) -> str:
        if self.attribute is None:
            return self.name
        plain = isinstance(self.attribute, str) and self.attribute.startswith(".")
        key = self.attribute if plain else f"[{self.attribute!r}]"
        return f"{self.name}{key}"


class _Frozen:
    """A constant that a number became.

    Attributes:
        node, read: what, from what. code: that read it. seen: its value at each run,
            by the place of the run. alike: whether it was the constant's at the first.
    """

    def __init__(self, node: Any, read: _Read, code: CodeType) -> None:
        self.node, self.read, self.code = node, read, code
        self.seen: dict = {}
        self.alike: bool | None = None


class Rebound:
    """Looks at the names that graphs were built from, at each run of a session.

    Attributes:
        found: the Differences.
    """

    def __init__(self) -> None:
        self.found: list[Difference] = []
        self._known: dict = {}  # graph: how many of its nodes were looked at
        self._frozen: list[_Frozen] = []
        self._said: set = set()
        self._above: dict = {}

    def look(self, graph: Any, fetches: set, frame: FrameType | None) -> None:
        """A run begins.

        Args:
            graph: that runs. fetches: its tensors. frame: the innermost one.
        """
        frames = list(_users(frame or sys._getframe(1)))
        if not frames:
            return
        place = frames[0].f_code, frames[0].f_lasti
        self._take(graph)
        for frozen in self._frozen:
            if frozen.node.graph is graph and frozen.node not in self._said:
                self._compare(frozen, place, fetches, frames)

    def _take(self, graph: Any) -> None:
        first = self._known.get(graph, 0)
        self._known[graph] = len(graph.nodes)
        for node in graph.nodes[first:]:
            if node.type != "Const" or node.region or not node.frames:
                continue
            if np.size(node.attrs["value"]) == 1:
                for pair in node.frames[:3]:
                    reads = numbers_read(*_line(pair))
                    self._frozen += [_Frozen(node, r, pair[0]) for r in reads]

    def _compare(
        self, frozen: _Frozen, place: tuple, fetches: set, frames: list
    ) -> None:
        now = _value(frozen, frames)
        if now is None:
            return
        if frozen.alike is None:
            frozen.alike = _is(frozen.node, now)
        then = frozen.seen.setdefault(place, now)
        if not frozen.alike or then == now or not _is(frozen.node, then):
            return
        if frozen.node not in self._needed(fetches):
            return
        self._said.add(frozen.node)
        pair = next(p for p in frozen.node.frames if p[0] is frozen.code)
        self.found.append(
            Difference(
                "captured value",
                frame_of(pair),
                0,
                WAYS,
                then,
                now,
                str(frozen.read),
                "It is a constant of the graph, which a later value does not change. "
                "Feed it through a placeholder, or keep it in a variable.",
            )
        )

    def _needed(self, fetches: set) -> set:
        key = frozenset(fetches)
        if key not in self._above:
            self._above[key] = _with_controls(fetches)
        return self._above[key]


def _with_controls(fetches: set) -> set:
    found: set = set()
    queue = [getattr(t, "op", t) for t in fetches]
    while queue:
        node = queue.pop()
        if node not in found:
            found.add(node)
            queue += [t.op for t in node.inputs]
            queue += list(getattr(node, "control_inputs", ()))
    return found


def _users(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if is_of_program(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _line(pair: tuple[CodeType, int]) -> tuple[CodeType, int]:
    return pair[0], line_number(pair)


@functools.cache
def numbers_read(code: CodeType, line: int) -> tuple[_Read, ...]:
    """The names and attributes that a line reads, but for the variables of loops."""
    reads = [r for r in _reads_of(code, line) if r.name not in _targets(code)]
    return tuple(dict.fromkeys(reads))


def _reads_of(code: CodeType, line: int) -> Iterator[_Read]:
    here, by, key = None, "", None
    for i in dis.get_instructions(code):
        position = i.positions
        if position is None or position.lineno != line:
            here = None
            continue
        if i.opname in _NAMES:
            here = i.argval
            by = i.opname
            yield _Read(here, None, by)
        elif i.opname == "LOAD_ATTR" and here is not None:
            yield _Read(here, f".{i.argval}", by)
            here = None
        elif i.opname == "BINARY_SUBSCR" and here is not None and key is not None:
            yield _Read(here, key, by)
            here = None
        elif i.opname == "LOAD_CONST" and isinstance(i.argval, str | int):
            key = i.argval
        else:
            here = key = None


@functools.cache
def _targets(code: CodeType) -> frozenset[str]:
    """The names that `for` gives values to."""
    return frozenset(_found_targets(code))


def _found_targets(code: CodeType) -> Iterator[str]:
    left = 0
    for i in dis.get_instructions(code):
        if i.opname == "FOR_ITER":
            left = 1
        elif left and i.opname.startswith("UNPACK"):
            left += i.arg or 0
        elif left and i.opname.startswith("STORE"):
            left -= 1
            yield str(i.argval)


def _value(frozen: _Frozen, frames: list[FrameType]) -> Any:
    """The number that a name stands for now; None where it stands for none."""
    read = frozen.read
    held = _held(frozen, frames)
    if read.attribute is not None:
        held = _part(held, read.attribute)
    plain = isinstance(held, _NUMBERS) and not isinstance(held, bool)
    return held if plain else None


def _part(held: Any, attribute: Any) -> Any:
    """An attribute of an object, or what a container has under a key."""
    if isinstance(held, dict):
        return held.get(attribute)
    if isinstance(held, list):
        index = attribute if isinstance(attribute, int) else len(held)
        return held[index] if index < len(held) else None
    if callable(held) or not isinstance(attribute, str):
        return None
    return getattr(held, "__dict__", {}).get(attribute.removeprefix("."))


def _held(frozen: _Frozen, frames: list[FrameType]) -> Any:
    """What the name stands for, in the functions that run or in the module."""
    name, code = frozen.read.name, frozen.code
    inside = frozen.read.by in ("LOAD_FAST", "LOAD_DEREF")
    for frame in frames:
        own = frame.f_code is code or (
            code in frame.f_code.co_consts and name in frame.f_code.co_cellvars
        )
        beside = frozen.read.attribute is not None and _is_method_beside(
            frame, code, name
        )
        if inside and (own or beside) and name in frame.f_locals:
            return frame.f_locals[name]
        if not inside and frame.f_code.co_filename == code.co_filename:
            module = frames[-1].f_code
            looped = module.co_filename == code.co_filename and name in _targets(module)
            return None if looped else frame.f_globals.get(name)
    return None


def _is_method_beside(frame: FrameType, code: CodeType, name: str) -> bool:
    """Whether a frame runs another method of the object that `name` is in `code`."""
    own = code.co_varnames[:1] == (name,) == frame.f_code.co_varnames[:1]
    held = frame.f_locals.get(name) if own else None
    return held is not None and any(
        getattr(vars(kind).get(code.co_name), "__code__", None) is code
        for kind in type(held).__mro__
    )


def _is(node: Any, number: Any) -> bool:
    """Whether a constant is a number, in the constant's dtype."""
    value = np.asarray(node.attrs["value"]).reshape(-1)[0]
    if isinstance(value, (bytes, str)) or value.dtype.kind not in "iuf":
        return False
    with np.errstate(all="ignore"):
        return bool(value == np.asarray(number).astype(value.dtype))
