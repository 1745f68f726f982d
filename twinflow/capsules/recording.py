"""tf.debugger.capsule: the watcher that notes steps, and writes the one that fails."""

import contextlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, watching
from twinflow.base.annotations import Path
from twinflow.base.errors import CancelledError, OutOfRangeError
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Place, Watcher, watched_by
from twinflow.capsules.archive import write
from twinflow.capsules.contents import Failure, contents_of, first_line
from twinflow.capsules.eager_steps import EagerGraph
from twinflow.capsules.steps import EagerStep, Unit
from twinflow.execute.cell_states import cells_of

MEGABYTES = 256
WHEN = ("error", "nan")
_NOT_FAILURES = (OutOfRangeError, CancelledError)  # the end of data, of a session


class Here(threading.local):
    """What a thread does.

    Attributes:
        units: the Units that it is in. runs: the OpRuns of graphs, outermost first.
        step: its EagerStep. tape: the outermost tape of that.
    """

    def __init__(self, budget: int) -> None:
        self.units: list[Unit] = []
        self.runs: list[OpRun] = []
        self.step = EagerStep(budget)
        self.tape: Any = None
        self.quiet = False
        self.states: dict[
            Any, Any
        ] = {}  # {id of a cell: its value before the op at hand}


class Recorder(Watcher):
    """Notes what runs, and writes a capsule when it fails.

    Args:
        path: of the file. when: what is a failure, some of WHEN. budget: bytes of
            arrays. say: takes a line for the user.
    Attributes:
        written: what was written: "", "error" or "nan".
    """

    wants_feeds = True

    def __init__(self, path: str, when: Sequence, budget: int, say: Any) -> None:
        self.path, self.when, self.budget, self.say = path, tuple(when), budget, say
        self.here = Here(budget)
        self.written = ""
        self._said, self._node = "", None  # the error that was written, and its node
        self._writing = threading.Lock()

    # ------------------------------------------------------------------ places
    def enters(self, place: Place) -> None:
        """A plan that no call of the program around runs is a unit of its own."""
        here = self.here
        if place.plan is None or here.quiet:
            return
        called = here.runs and hasattr(here.runs[-1].node.extra, "program")
        if not called:
            here.units.append(Unit(place))

    def leaves(self, place: Place) -> None:
        """What was open inside is so no more."""
        here = self.here
        while here.runs and place in here.runs[-1].path:
            here.runs.pop()
        if here.units and here.units[-1].place is place:
            unit = here.units.pop()
            if unit.failed and here.units:
                here.units[-1].failed = True

    # ------------------------------------------------------------------ ops
    def begins(self, run: OpRun) -> None:
        here = self.here
        if here.quiet:
            return
        here.states = _states(run) if "nan" in self.when else {}
        if run.node is not None and here.units:
            here.runs.append(run)
            here.units[-1].begins(run)
        elif run.node is None and not here.units:
            self._begin_step()
            here.step.begins(run)

    def _begin_step(self) -> None:
        """An eager step begins with the outermost tape."""
        here, tapes = self.here, dispatch.local.top.tapes
        tape = tapes[0] if tapes else None
        if tape is not None and tape is not here.tape:
            here.tape, here.step = tape, EagerStep(self.budget)

    def ended(self, run: OpRun) -> None:
        here = self.here
        if here.quiet:
            return
        if run.node is not None and here.units:
            self._closed(run)
            unit = here.units[-1]
            unit.ended(run)
            if self._is_first_nan(run) and not self._holds(run):
                self._write(Failure("nan", run), unit)
        elif run.node is None and not here.units:
            run.outputs = [_kept(v) for v in run.outputs or ()]
            here.step.ended(run)
            if self._is_first_nan(run):
                self._write(Failure("nan", run), None)

    def failed(self, run: OpRun, error: BaseException) -> None:
        here = self.here
        if here.quiet:
            return
        failure = not isinstance(error, _NOT_FAILURES) and "error" in self.when
        if run.node is not None and here.units:
            self._closed(run)
            unit = here.units[-1]
            unit.has_failed(run, error)
            if failure and not unit.failed and not self._is_passed_on(run, error):
                self._write(Failure("error", run, error), unit)
            unit.failed = True
        elif run.node is None and not here.units:
            if failure and here.step.runs and here.step.runs[-1][0] is run:
                self._write(Failure("error", run, error), None)
            here.step.forget(run)

    def _is_passed_on(self, run: OpRun, error: BaseException) -> bool:
        """Whether this is known: an op says what failed inside of it in another thread,
        or the same op fails there for the next elements."""
        if run.node is self._node and self.written == "error":
            return True
        said = first_line(error)
        return bool(said) and said == self._said and self.here.units[-1].needs(run.node)

    def _closed(self, run: OpRun) -> None:
        runs = self.here.runs
        while runs and runs.pop() is not run:
            pass

    def _holds(self, run: OpRun) -> bool:
        """Whether the values came from ops inside."""
        node: Any = run.node
        return node.type in ("While", "If") or hasattr(node.extra, "program")

    def _is_first_nan(self, run: OpRun) -> bool:
        if "nan" not in self.when or self.written == "nan":
            return False
        before, after = self.here.states, _states(run)
        changed = [v for k, v in after.items() if v is not before.get(k)]
        if not is_bad(_values(run.outputs)) and not is_bad(changed):
            return False
        return not is_bad(_values(run.inputs)) and not is_bad(list(before.values()))

    # ------------------------------------------------------------------ writing
    def _write(self, failure: Failure, unit: Unit | None) -> None:
        """The newest error counts, and the first nan, with what comes of it."""
        after_nan = self.written == "nan"
        if after_nan and (failure.kind == "nan" or _has_bad_inputs(failure.run)):
            return
        here = self.here
        here.quiet = True
        try:
            with self._writing:
                step: Any = unit
                if unit is None:
                    step = EagerGraph(here.step, (failure.run, failure.error))
                    step.lost = here.step.lost
                left_out = write(self.path, contents_of(failure, step), self.budget)
                self.written = failure.kind
                self._said, self._node = first_line(failure.error), failure.run.node
        except Exception as error:  # the program goes on, and fails as it would
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            self.say(f"twinflow: no capsule was written to {self.path}: {what}")
            return
        finally:
            here.quiet = False
        self.say(f"twinflow: wrote {self.path} ({failure.in_short()})")
        for line in left_out:
            self.say(f"twinflow: left out of it: {line}")


def _has_bad_inputs(run: OpRun) -> bool:
    return is_bad(_values(run.inputs)) or is_bad(list(_states(run).values()))


def _states(run: OpRun) -> dict:
    """The values of the variables that an op works on, by their ids."""
    return {id(c): c._array for c in cells_of(run) if type(c) is Cell}


def _values(listed: Any) -> list:
    """What is among inputs or outputs and no variable."""
    return [v for v in listed or () if not isinstance(v, Cell)]


def is_bad(value: Any) -> bool:
    """Whether a value has an infinite entry or one that is no number."""
    if isinstance(value, list | tuple):
        return any(map(is_bad, value))
    if not isinstance(value, np.ndarray | np.generic):
        return False
    if value.dtype.kind not in "fc" and value.dtype.name != "bfloat16":
        return False
    return not bool(np.isfinite(value).all())


def _kept(value: Any) -> Any:
    """An eager result as the array that later ops take."""
    return np.array(value, object) if type(value) is bytes else value


def _said(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def capsule(
    path: Path, when: Sequence[str] = WHEN, megabytes: float = MEGABYTES
) -> Iterator[Recorder]:
    """A block whose first failing step is written to a file, to be run again anywhere.

    A step is a run of a session, a call of a function, or the eager ops since the
    outermost tape was opened. `twinflow replay FILE` runs it again, up to the op that
    failed, on any machine and without the program.

    Args:
        path: of the file; it is written at once or not at all.
        when: what is a failure: "error" (an op raises; a later one takes the place of
            one that the program survived), "nan" (an op makes the first infinite value
            or nan, which no error takes the place of that comes of it).
        megabytes: how much of arrays it may hold; what does not fit is left out, which
            is said.
    Raises:
        ValueError: `when` is something else, or the folder of `path` is not there.
    Example:
        with tf.debugger.capsule("/tmp/step.capsule", when=["nan"]):
            tf.add(1., 2.)  # 3.0
    """
    with watched_by(recorder(path, when, megabytes)) as found:
        yield found


def recorder(path: Path, when: Sequence[str], megabytes: float) -> Recorder:
    """What `capsule` starts.

    Raises:
        ValueError: see `capsule`.
    """
    listed = [when] if isinstance(when, str) else list(when)
    if not listed or not set(listed) <= set(WHEN):
        raise ValueError(
            f"when={when!r}: a capsule is written for {' and '.join(map(repr, WHEN))}."
        )
    if not megabytes > 0:
        raise ValueError(f"megabytes={megabytes!r}: a capsule needs some room.")
    full = os.path.abspath(os.fsdecode(path))
    if not os.path.isdir(os.path.dirname(full)):
        raise ValueError(f"There is no folder {os.path.dirname(full)!r} for a capsule.")
    return Recorder(full, listed, int(megabytes * 2**20), _said)


_begun: list[Recorder] = []


def begin(path: Path) -> None:
    """As `capsule`, for all that this process runs from now on.

    Args:
        path: of the file; `{pid}` in it is the number of the process.
    """
    full = os.fsdecode(path).replace("{pid}", str(os.getpid()))
    _begun.append(recorder(full, WHEN, MEGABYTES))
    watching.start(_begun[-1])


def end() -> None:
    """Take back what was begun."""
    while _begun:
        watching.stop(_begun.pop())
