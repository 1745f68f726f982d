"""What happened in one way of running a program, as data for other processes."""

import dataclasses
import os
from types import CodeType
from typing import Any, NamedTuple

from twinflow.base.frames import is_internal, line_number, position, source_line
from twinflow.verification.kept import Kept


class Frame(NamedTuple):
    """A place in the user's program.

    Attributes:
        file, line, function: where. place: the columns of what is computed there, the
            same in bytecode that repeats it; without them, where it is in the bytecode.
        text: the line.
    """

    file: str
    line: int
    function: str
    place: tuple
    text: str


_frames: dict[tuple[CodeType, int], Frame] = {}


def frame_of(pair: tuple[CodeType, int]) -> Frame:
    """The Frame of a (code, lasti) pair of base.frames."""
    found = _frames.get(pair)
    if found is None:
        code, lasti = pair
        found = _frames[pair] = Frame(
            code.co_filename, line_number(pair), code.co_name,
            (lasti,) if None in position(pair) else position(pair), source_line(pair),
        )  # fmt: skip
    return found


_STANDARD = os.path.dirname(os.path.abspath(dataclasses.__file__)) + os.sep


def is_of_program(file: str) -> bool:
    """Whether a file is the user's: neither of twinflow nor of Python itself."""
    standard = file.startswith((_STANDARD, "<frozen")) and "-packages" not in file
    return not standard and not is_internal(file)


def frames_of(pairs: Any) -> tuple[Frame, ...]:
    """The Frames of the user's files among (code, lasti) pairs."""
    return tuple(frame_of(p) for p in pairs if is_of_program(p[0].co_filename))


class Effect(NamedTuple):
    """Something that Python code inside a function did to what is outside of it.

    Attributes:
        kind: "state", "print", "draw" (NumPy's or Python's random numbers, the clock)
            or "variable" (one was made).
        name: of what was changed. frame: where. order: of the event.
    """

    kind: str
    name: str
    frame: Frame
    order: int


@dataclasses.dataclass
class Inner:
    """One run of an op, below an Event.

    Attributes:
        type: of the op. name: of the node. frames: the user's, innermost first, those
            of the event around it left out. values, inputs: outputs and inputs.
        stateful, draws: what kind of op it is. written: the variable that it wrote.
        attrs: what the float64 run of the op needs. order: when it ran.
    """

    type: str
    name: str | None
    frames: tuple[Frame, ...]
    values: list[Kept]
    inputs: list
    stateful: bool = False
    draws: bool = False
    written: str = ""
    attrs: Any = None
    order: int = 0

    @property
    def key(self) -> tuple:
        """The same for the op in every way of running it."""
        return self.type, tuple((f.file, f.line, f.place) for f in self.frames[:3])


@dataclasses.dataclass
class Event:
    """One step of the program that every way of running it takes.

    Attributes:
        kind: "op" (an eager one), "call" (of a function), "gradient" (of a tape),
            "element" (of a dataset), "run" (of a session), "print", "end".
        what: the type of the op, the name of the function, the text.
        frames: the user's, innermost first. order: its number among all events.
        values: the results. inner: what ran below it. error: (class, text, frames).
        mro: the names of the classes of the error.
        captured: the plain Python values that a function reads, as texts, by name.
        traced: whether the function was traced in this call. trace: which trace ran.
        traced_with: `captured` as it was when that was traced.
        stateful, draws, written, attrs, inputs: of an op, as for Inner.
        last: the order of the last thing that happened inside.
        number: of the run of a session, from 0.
        constants: those of the Course, while it is compared.
    """

    kind: str
    what: str
    frames: tuple[Frame, ...]
    order: int
    values: list[Kept] = dataclasses.field(default_factory=list)
    inner: list[Inner] = dataclasses.field(default_factory=list)
    error: tuple | None = None
    mro: tuple = ()
    captured: dict = dataclasses.field(default_factory=dict)
    traced: bool = False
    trace: int = 0
    traced_with: dict = dataclasses.field(default_factory=dict)
    stateful: bool = False
    draws: bool = False
    inputs: list = dataclasses.field(default_factory=list)
    attrs: Any = None
    written: str = ""
    last: int = 0
    number: int | None = None
    constants: list[Inner] = dataclasses.field(default_factory=list, repr=False)

    @property
    def line(self) -> tuple:
        """(file, line) of the program."""
        return (self.frames[0].file, self.frames[0].line) if self.frames else ("", 0)


@dataclasses.dataclass
class Course:
    """All that happened in one way of running a program.

    Attributes:
        way: which. events, effects: in their order. variables: the last values.
        notes: what the rules for graphs found (verification.graph_rules).
        output: what was printed. counts: of ops run and lines seen, for the report.
        inner_dropped: how many runs of ops were not kept. effects_unseen: whether some
        Python code was not watched. in_regions: effects of Python code while branches
        and bodies of loops were traced in a graph. error: a traceback.
        constants: of the functions that were traced. stopped: why the program was not
        run to its end. threads: whether other threads fill queues, as time allows.
    """

    way: str
    events: list[Event] = dataclasses.field(default_factory=list)
    effects: list[Effect] = dataclasses.field(default_factory=list)
    variables: dict = dataclasses.field(default_factory=dict)
    notes: list = dataclasses.field(default_factory=list)
    output: str = ""
    ops: int = 0
    lines: int = 0
    sessions: int = 0
    functions: int = 0
    inner_dropped: int = 0
    effects_unseen: bool = False
    in_regions: list[Effect] = dataclasses.field(default_factory=list)
    error: str = ""
    constants: list[Inner] = dataclasses.field(default_factory=list)
    stopped: str = ""
    threads: bool = False
