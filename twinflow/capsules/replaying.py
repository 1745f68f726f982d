"""Running what is in a capsule, up to the op that failed."""

import contextlib
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.base.annotations import Path
from twinflow.base.damage import reported
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Watcher, watched_by
from twinflow.capsules.archive import read
from twinflow.capsules.contents import after
from twinflow.capsules.lines import Texts
from twinflow.capsules.outside import needs_given
from twinflow.capsules.rebuilt import ProgramReader
from twinflow.capsules.values import Lost, Unpacker, digest
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.graph.node import Node
from twinflow.graph.program import build


class _Reached(BaseException):
    """Raised where a run has come to the op that failed."""


class Missing(Exception):
    """Something that a step needs was left out of its capsule."""


class Capsule:
    """What is in a file, ready to run.

    Args:
        path: of the file.
    Attributes:
        versions: of what wrote it. failure: what it told of the failure. node: the Node
            that failed. time: which of its runs. frames, forward: the user's frames of
            it, innermost first; stack: those of the call. inputs, outputs: what it had
            and gave, a Lost for what was left out.
        kind: "run", "function" or "eager". name: of the function.
    Raises:
        OSError: it cannot be read. ValueError: it is no capsule, or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        with reported(self.path):
            head, arrays = read(self.path)
            self._read(head, arrays)

    def _read(self, head: dict, arrays: list) -> None:
        self.versions = {str(k): str(v) for k, v in head["versions"].items()}
        self.texts = Texts(head["frames"], head["files"])
        unpacker = Unpacker(arrays, head["cells"], head["handles"])
        reader = ProgramReader(head["graphs"], unpacker, self.texts)
        unit, told = head["unit"], head["failure"]
        self.kind, self.name = str(unit["kind"]), str(unit["name"])
        self.lost = int(unit["lost"])
        self.arguments = reader.arguments(unit)
        self.values = [unpacker.value(v) for v in unit["values"]]
        _check_feeds(self.arguments.feeds, self.values)
        self.given: dict = {}
        for place, time, what in head["given"]:
            if place is not None:
                self.given[reader.node(place), int(time)] = _gave(what, unpacker)
        self._failure(told, reader, unpacker)
        self.left_out = [a for a in arrays if isinstance(a, Lost)]
        cells = [unpacker.cell(i) for i in range(len(head["cells"]))]
        self.cells = [c for c in cells if type(c) is Cell or hasattr(c, "seeds")]
        self._states = [(c, c._array) for c in self.cells]
        self._nodes = [n for g in reader.graphs for n in g.nodes]

    def _failure(self, told: dict, reader: ProgramReader, unpacker: Unpacker) -> None:
        self.failure = told
        if told["kind"] not in ("error", "nan"):
            raise ValueError(f"{told['kind']!r} is no kind of failure")
        self.node: Node = reader.node(told["node"])
        self.time = int(told["time"])
        pairs = self.texts.pairs
        self.frames, self.forward = pairs(told["frames"]), pairs(told["forward"])
        self.stack = pairs(told["stack"])
        self.inputs = [unpacker.value(v) for v in told["inputs"]]
        outputs = told["outputs"]
        self.outputs = outputs and [unpacker.value(v) for v in outputs]
        error = told["error"]
        self.error = None if error is None else (str(error["type"]), str(error["text"]))
        self.place = [(str(k), str(n), int(t), str(p)) for k, n, t, p in told["path"]]

    def check_whole(self) -> None:
        """Refuse to run what is not there.

        Raises:
            Missing: values that the step needs were left out.
        """
        held = [("an input", v) for v in self.values]
        held += [(f"the value of {c.name!r}", state) for c, state in self._states]
        held += [(f"{k!r} of {n.name!r}", v) for n in self._nodes
                 for k, v in n.attrs.items()]  # fmt: skip
        for name, value in held:
            if isinstance(value, Lost):
                raise Missing(
                    f"{name}, {value}, did not fit into the capsule: let it be written "
                    "with more megabytes"
                )

    def run(self, *watchers: Any, outcome: "Outcome | None" = None) -> "Outcome":
        """Run the step: up to the op that failed, or with watchers to its end.

        Args:
            outcome: what is filled and returned; a new one by default.
        Raises:
            Missing: see `check_whole`. ValueError, OpError: it is no program.
        """
        self.check_whole()
        self.texts.show()
        for cell, state in self._states:
            cell._array, cell.device_value = state, None
        a = self.arguments
        with reported(self.path):
            program = build(a.graph, a.fetches, a.targets, a.feeds, a.effects)
            plan = Plan(program, lambda cell: cell, INTERPRET, a.graph)
        outcome = Outcome(self) if outcome is None else outcome
        look, give = Looker(self, outcome), Giver(self, stops=not watchers)
        for w in watchers:
            w.on_again += [look.begin, give.begin]
        with contextlib.ExitStack() as stack:
            for w in (look, *watchers, give):  # who gives may raise: others come before
                stack.enter_context(watched_by(w))
            try:
                outcome.gave = plan.run(list(self.values))
            except Exception as error:
                outcome.raised = error
            except _Reached:
                pass
        return outcome


def _gave(what: dict, unpacker: Unpacker) -> Any:
    """What an op gave: (values, ("input", place) for one of its inputs; the cells and
    their values), or what it raised."""
    if "error" in what:
        return _error(str(what["error"]["type"]), str(what["error"]["text"]))
    outputs = [
        ("input", v["i"]) if isinstance(v, dict) and "i" in v else unpacker.value(v)
        for v in what["outputs"]
    ]
    cells = [(unpacker.value(c), unpacker.value(a)) for c, a in what["cells"]]
    for cell, state in cells:
        if not isinstance(cell, Cell) or not isinstance(state, np.ndarray | Lost):
            raise ValueError(f"{str(cell)[:60]} is no cell with a value")
    return outputs, cells


def _error(kind: str, text: str) -> Exception:
    """The error that an op raised, as far as it is one of tf.errors."""
    found = getattr(errors, kind, None)
    if isinstance(found, type) and issubclass(found, errors._CodedError):
        return found(None, None, text)
    return errors.UnknownError(None, None, f"{kind}: {text}")


def _check_feeds(feeds: list, values: list) -> None:
    if len(feeds) != len(values):
        raise ValueError(f"it has {len(values)} values for {len(feeds)} inputs")
    for t, value in zip(feeds, values, strict=True):
        if not isinstance(value, np.ndarray) or t.dtype.np is None:
            continue
        wanted = np.dtype(t.dtype.base_dtype.np)
        fits = value.dtype == wanted or "O" in (value.dtype.kind, wanted.kind)
        if not fits and not _is_from_python(t):
            raise ValueError(f"the input {t.name!r} is {value.dtype}, not {wanted}")


def _is_from_python(t: Any) -> bool:
    return t._shape is None  # of an eager op: any number will do


class _Counting(Watcher):
    """Counts how often nodes run.

    Args:
        capsule: whose run it looks at.
    """

    def __init__(self, capsule: Capsule) -> None:
        self.capsule = capsule
        self.begin()

    def begin(self) -> None:
        """A run begins, or begins anew."""
        self.counts: dict = {}

    def begins(self, run: OpRun) -> None:
        self.counts[run.node] = self.counts.get(run.node, 0) + 1

    def is_it(self, run: OpRun) -> bool:
        """Whether this is the run of the op that failed."""
        time = self.counts.get(run.node)
        return run.node is self.capsule.node and time == self.capsule.time


class Looker(_Counting):
    """Looks for the failure."""

    def __init__(self, capsule: Capsule, outcome: "Outcome") -> None:
        super().__init__(capsule)
        self.outcome = outcome

    def ended(self, run: OpRun) -> None:
        if self.capsule.error is None and self.is_it(run):
            self.outcome.compare(run, None)

    def failed(self, run: OpRun, error: BaseException) -> None:
        if self.outcome.first is None:
            self.outcome.first = run, error
        if self.capsule.error is not None and self.is_it(run):
            self.outcome.compare(run, error)


class Giver(_Counting):
    """Gives ops that reach outside what they gave.

    Args:
        stops: whether the run is over once it came to the op that failed.
    """

    def __init__(self, capsule: Capsule, stops: bool) -> None:
        super().__init__(capsule)
        self.stops = stops
        self._needs: dict = {}

    def begins(self, run: OpRun) -> None:
        super().begins(run)
        node: Any = run.node
        if run.outputs is not None or not self._is_given(node):
            return
        gave = self.capsule.given.get((node, self.counts[node]))
        if isinstance(gave, Exception):
            raise gave
        if gave is not None:
            outputs, cells = gave
            run.outputs = [_output(node, run, v) for v in outputs]
            for cell, state in cells:
                cell._array = state

    def _is_given(self, node: Any) -> bool:
        found = self._needs.get(node)
        if found is None:
            found = self._needs[node] = node is not None and needs_given(node)
        return found

    def ended(self, run: OpRun) -> None:
        if self.stops and self.capsule.error is None and self.is_it(run):
            raise _Reached


def _output(node: Node, run: OpRun, value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 2 and value[0] == "input":
        place = value[1]
        if type(place) is not int or not 0 <= place < len(run.inputs):
            raise errors.DataLossError(None, None, f"{node.name!r} has no such input")
        return run.inputs[place]
    if isinstance(value, Lost):
        raise errors.FailedPreconditionError(
            None, None, f"what {node.type} {node.name!r} gave, {value}, did not fit "
            "into the capsule: let it be written with more megabytes",
        )  # fmt: skip
    return value


class Outcome:
    """What came of a run.

    Attributes:
        reached: whether the op that failed ran. same_inputs, same_outputs: whether its
            values are those of then, bit for bit (None: nobody knows).
        error: what it raised now: (type, text) or None. raised: what the run raised.
        gave: the results of a run that came to its end, else None.
        first: (OpRun, error) of what failed first, wherever that is.
    """

    def __init__(self, capsule: Capsule) -> None:
        self.capsule = capsule
        self.reached = False
        self.same_inputs: bool | None = None
        self.same_outputs: bool | None = None
        self.error: tuple | None = None
        self.raised: BaseException | None = None
        self.gave: list | None = None
        self.first: tuple | None = None

    def compare(self, run: OpRun, error: BaseException | None) -> None:
        """Look at the op that failed, the first time that it runs."""
        if self.reached:
            return
        self.reached = True
        self.same_inputs = same(self.capsule.inputs, run.inputs)
        if self.capsule.outputs is not None and run.outputs is not None:
            self.same_outputs = same(self.capsule.outputs, run.outputs)
            self.same_outputs &= after(run) == self.capsule.failure["after"]
        if error is not None:
            text = str(getattr(error, "message", error))
            self.error = type(error).__name__, text

    @property
    def reproduced(self) -> bool:
        """Whether the same op failed in the same way, on the same values."""
        if not self.reached or not self.same_inputs or self.same_outputs is False:
            return False
        wanted = self.capsule.error
        if wanted is None:
            return True
        if self.error is None:
            return False
        (kind, text), (now, said) = wanted, self.error
        return kind == now or _first_line(text) in said or _first_line(said) in text


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), text)


def same(then: Any, now: Any) -> bool:
    """Whether values are equal bit for bit; what stays in its process is."""
    if isinstance(then, list | tuple) and isinstance(now, list | tuple):
        return len(then) == len(now) and all(map(same, then, now))
    if isinstance(then, Lost):
        return isinstance(now, np.ndarray | np.generic) and then.entry[
            "sha256"
        ] == digest(now)
    if isinstance(now, np.ndarray | np.generic):
        return isinstance(then, np.ndarray | np.generic) and digest(then) == digest(now)
    if isinstance(then, bool | int | float | str | bytes) or then is None:
        return then == now
    return True
