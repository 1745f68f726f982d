"""Tiers: a cluster runs in the interpreter, and compiled once it is hot.

Note [Tiers]: compiling happens in one background thread, and the result is swapped in
between two calls. The compiled form stays only if it is faster than the interpreter was
without the compiler beside it: an LSTM of 50 steps took 29 ms in XLA and 20
interpreted, but 30 as well while XLA compiled on the cores that its products need. With
a seed set that is found without a trace in the numbers, and noted, so that a seeded
program is reproducible (Note [Swaps] in execute.swaps). What a compiled cluster cannot
do (a guard failed, a cell has no value yet, a shape is rare) runs in the interpreter.
No call waits for the compiler, unless it is told to. What is compiled goes with its
function; while it lives it takes a megabyte and more (20 functions of four ops: 27 MB).
"""

import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import heap
from twinflow.base.annotations import Array
from twinflow.base.state import Cell
from twinflow.base.tensor import Tensor
from twinflow.execute import swaps
from twinflow.execute.compile_spec import Spec
from twinflow.execute.interpreter import Step, execute
from twinflow.execute.lifetimes import set_frees
from twinflow.execute.places import to_host, wait_for
from twinflow.execute.session_cells import lock_of, values_of
from twinflow.execute.worker import WORKER

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Assembler
    from twinflow.execute.plan import Plan
    from twinflow.graph.program import Program
    from twinflow.ops.random.streams import Stream

# A signature is compiled after HOT_CALLS calls, if it is at least one in HOT_SHARE
# cluster runs since it was first seen. What is rarer (an evaluation, the last small
# batch of an epoch) waits for ODD_CALLS calls or, where timing may decide, for
# HOT_SECONDS spent on it.
HOT_CALLS, HOT_SHARE, ODD_CALLS, HOT_SECONDS = 3, 20, 30, 1.0
SWAP_CALLS = 9  # calls from then on until a seeded program may change over
TRIALS = 5  # runs of each engine, one after the other, before the faster is chosen
LONG_TRIALS = 0.5  # seconds after which two runs of the interpreter are enough
# If it was the slower one, it is tried again after so many calls, and later again:
# other processes may have held the cores.
AGAIN = (100, 1000, 10_000)
MOST_ENTRIES = 64  # signatures remembered per cluster
MOST_VALUES = 4  # of the inputs that are compiled in by value
MOST_UNEVEN = 3  # signatures whose shapes differ between accelerators
TINY = 20e-6  # seconds: what is faster than this has nothing to gain


class Policy:
    """When to compile.

    Args:
        enabled: whether clusters are compiled at all.
        at_once: compile on the first call and wait.
    """

    def __init__(self, enabled: bool = True, at_once: bool = False) -> None:
        self.enabled, self.at_once = enabled, at_once
        self.runs = 0  # of all clusters


_POLICIES = {
    "auto": {}, "wait": {"at_once": True}, "never": {"enabled": False},
}  # fmt: skip


def policy_of(word: str) -> Policy:
    """The Policy that `TWINFLOW_COMPILE` names.

    Raises:
        ValueError: it names none.
    """
    if word not in _POLICIES:
        raise ValueError(
            f"The environment variable TWINFLOW_COMPILE is {word!r}; expected 'auto' "
            "(compile in the background), 'wait' (compile at the first call and wait "
            "for it) or 'never' (interpret)."
        )
    return Policy(**_POLICIES[word])


POLICY = policy_of(os.environ.get("TWINFLOW_COMPILE", "auto"))
INTERPRET = Policy(enabled=False)


class Entry:
    """One signature of a cluster: how often it ran, and what was compiled for it."""

    __slots__ = (
        "__weakref__", "alone", "best", "born", "calls", "error", "executable", "lost",
        "name", "next_trial", "noted", "ran", "spent", "state", "swap", "trials",
    )  # fmt: skip

    def __init__(self, born: int) -> None:
        self.born, self.spent = born, 0.0
        self.name = ""  # of a seeded program, and the call: Note [Swaps]
        self.swap: int | None = None
        self.noted = 0  # what was noted for it
        self.calls, self.best = 0, float("inf")
        self.trials: list = []
        self.alone: list = []  # times in the interpreter, compiled and not run so yet
        self.lost = 0  # how often it was the slower engine
        self.next_trial = None  # the call of the next trial after that
        self.ran = False  # in its compiled form
        self.state = "cold"  # cold, queued, ready, chosen, refused
        self.executable: Any = None
        self.error: Exception | None = None

    @property
    def seconds(self) -> float:
        """How long a call takes in the interpreter, 0 if it was not seen."""
        return 0.0 if self.best == float("inf") else self.best

    def is_hot(self, runs: int, seeded: bool) -> bool:
        """Whether it is time to compile, by counts alone where a seed is set."""
        if self.calls < HOT_CALLS:
            return False
        often = self.calls * HOT_SHARE >= runs - self.born
        slow = not seeded and self.spent > HOT_SECONDS
        return often or slow or self.calls >= ODD_CALLS

    def is_settled(self) -> bool:
        """Whether the interpreter is faster for good, and nothing is left to count."""
        lost = self.state == "refused" and self.next_trial is None
        return lost and self.error is None

    def is_due(self) -> bool:
        """Whether a seeded program may change over in this call."""
        if self.swap is None or self.calls < self.swap:
            return False
        untimed = self.state == "ready" and not (self.noted or self.is_rested())
        if self.state == "queued" or untimed:
            self.swap = swaps.after(self.calls)
            return False
        return True

    def is_rested(self) -> bool:
        """Whether the interpreter was timed without the compiler, often enough."""
        n = len(self.alone)
        return n >= TRIALS or (n > 1 and sum(self.alone) > LONG_TRIALS)

    def note(self, spent: float) -> None:
        """A run in the interpreter took so many seconds."""
        self.spent += spent
        if self.state == "ready" and not self.is_rested():
            self.alone.append(spent)
            self.best = min(self.alone)
        else:
            self.best = min(self.best, spent)

    def describe(self) -> str:
        """The engine, the calls and the times, in a line."""
        engine = {"chosen": "compiled", "refused": "interpreted"}.get(
            self.state, f"interpreted ({self.state})"
        )
        best = (
            "" if self.best == float("inf") else f", {self.best * 1e6:.0f} us in NumPy"
        )
        if self.trials:
            best += f", {min(self.trials) * 1e6:.0f} us in XLA"
        reason = f" because {self.error}" if self.error else ""
        if self.noted == swaps.NEVER:
            reason = " because XLA was slower in earlier runs"
        return f"{engine}{reason}, {self.calls} calls watched{best}"


class Cluster:
    """Nodes that one XLA program can replace."""

    def __init__(
        self, nodes: "list", program: "Program", asm: "Assembler", steps: list,
        plan: "Plan",
    ) -> None:  # fmt: skip
        self.steps, self.policy, self.plan = steps, plan.policy, plan
        self.spec = Spec(nodes, program, asm)
        self.entries: dict = {}
        self.only: Entry | None = None  # where there can be no other signature
        self.values: set = set()  # those seen of the inputs compiled in by value
        self.asm, self.lock, self.in_step = asm, None, False  # Note [In step]
        self.uneven = 0  # signatures whose shapes differ between accelerators
        self.step = Step(self.run, nodes[0], [])
        self.step.inner = self.let_go

    def connect(self, outputs: list[Tensor]) -> None:
        """Say which of its tensors are used outside; the plan knows only at its end."""
        self.spec.connect(outputs)
        slots = self.asm.slots
        self.ins = [slots[t] for t in self.spec.inputs]
        self.outs = [slots[t] for t in self.spec.outputs]
        handles = [slots[t] for t in self.spec.outside_handles]
        self.step.touched = (*self.ins, *self.outs, *handles)
        shapes = [t._shape for t in self.spec.inputs]
        self.is_fixed = not self.spec.static and not any(
            s is None or None in s for s in shapes
        )

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Let the steps let go of these values (Note [Lifetimes])."""
        kept = set(self.step.touched).difference(dying).union(self.outs)
        set_frees(self.steps, self.asm.values, kept)

    def run(self, v: list) -> None:
        """Compute the outputs into the list of values `v`."""
        cells = self.spec.find_cells(v, self.asm.slots)
        if not cells:
            self.run_locked(cells, v)
            return
        lock = self.lock
        if lock is None:
            lock = self.lock = lock_of(self.plan.cell_of, cells)
        with lock:
            self.run_locked(cells, v)

    def run_locked(self, cells: list, v: list) -> None:
        """As `run`, on these cells, whose locks the caller holds."""
        only = self.only
        if only is not None and only.is_settled():
            self._interpret(cells, v)
            return
        if not self.policy.enabled or False in [c.initialized for c in cells]:
            self._interpret(cells, v)
            return
        self.policy.runs += 1
        inputs = [v[i] for i in self.ins]
        entry = self._entry(inputs, cells)
        if entry.state == "chosen":
            self._run_compiled(entry, inputs, cells, v)
        elif entry.is_settled():
            del inputs  # the steps let go of them
            self._interpret(cells, v)
        else:
            self._warm(entry, inputs, cells, v)

    def _interpret(self, cells: list, v: list) -> None:
        """Run the steps; if one fails, every cell stays as it was, as when compiled."""
        if self.plan.places.there:
            to_host(v, self.ins)
        written = self.spec.written_cells
        before = values_of(written)
        try:
            execute(self.steps, v)
        except BaseException:
            for cell, value in zip(written, before, strict=True):
                cell.write(value)
            raise

    def _key(self, inputs: list, cells: list) -> tuple:
        values = [np.asarray(inputs[i]).tobytes() for i in self.spec.static]
        return (*[(a.shape, a.dtype) for a in inputs], *values, *cells)

    def _entry(self, inputs: list, cells: list) -> Entry:
        key = self._key(inputs, cells)
        found = self.entries.get(key)
        if found is None:
            if len(self.entries) >= MOST_ENTRIES:
                self.entries.pop(next(iter(self.entries)))
            found = self.entries[key] = Entry(self.policy.runs)
            self.only = found if self.is_fixed else None
            self._note(key[len(inputs) : len(inputs) + len(self.spec.static)])
        return found

    def _note(self, values: tuple[bytes, ...]) -> None:
        """Give up compiling by value once there are too many of them."""
        self.values.add(values)
        if len(self.values) > MOST_VALUES:
            self.plan.split(self.spec.shaped)
            self.values.clear()

    def _warm(self, entry: Entry, inputs: list, cells: list, v: list) -> None:
        entry.calls += 1
        at_once, seeded = self.policy.at_once or self.in_step, self.plan.seeded
        asked = self.spec.asked and not seeded
        if entry.state == "cold" and (
            at_once or asked or entry.is_hot(self.policy.runs, seeded)
        ):
            self._request(entry, inputs, cells, at_once, seeded)
        if at_once and entry.state == "queued":
            WORKER.wait(entry)
        due = seeded and not at_once and entry.is_due()
        if due and entry.state == "ready":
            self._try_apart(entry, inputs, cells)
        fixed = at_once or asked
        free = fixed or due or not seeded
        if entry.state == "chosen" or (entry.state == "ready" and fixed):
            entry.state = "chosen"
            self._run_compiled(entry, inputs, cells, v)
        elif not seeded and self._on_trial(entry):
            self._trial(entry, inputs, cells, v)
        else:
            inputs.clear()  # the steps let go of them
            start = time.perf_counter()
            self._interpret(cells, v)
            entry.note(time.perf_counter() - start)
            if entry.state == "refused" and free:
                self._split(entry)

    def compiled_entry(self) -> Entry:
        """The entry of the last signature, compiled now if it was not."""
        key, entry = list(self.entries.items())[-1]
        if entry.executable is None and entry.error is None:
            entry.state = "queued"
            WORKER.put(self.spec, entry, *self._examples(key), urgent=True)
            WORKER.wait(entry)
        return entry

    def _examples(self, key: tuple) -> tuple[list, list]:
        """Arrays of the shapes and dtypes of a key."""
        n = len(self.spec.inputs)
        inputs = [np.empty(shape, dtype) for shape, dtype in key[:n]]
        values = zip(self.spec.static, key[n:], strict=False)
        for place, data in values:
            kind = inputs[place]
            inputs[place] = np.frombuffer(data, kind.dtype).reshape(kind.shape)
        return inputs, [_like(c) for c in key[n + len(self.spec.static) :]]

    def _split(self, entry: Entry) -> None:
        """If one node stood in the way, let the plan run it on the host."""
        node = getattr(entry.error, "node", None)
        if node is not None and not self.plan.split([node]):
            entry.error = None
        if node is None and self.spec.mesh is not None and entry.error is not None:
            self._part(entry)

    def _part(self, entry: Entry) -> None:
        """Give each accelerator a program of its own, unless shapes seldom differ."""
        self.uneven += 1
        if not hasattr(entry.error, "uneven") or self.uneven > MOST_UNEVEN:
            self.plan.part()
        entry.error = None

    def _request(
        self, entry: Any, inputs: list, cells: list, at_once: bool, seeded: bool
    ) -> None:
        tiny = entry.best < TINY and entry.calls < 1000
        if tiny and not (at_once or seeded or self.spec.asked):
            return
        key = self._key(inputs, cells)
        if seeded:
            entry.name = swaps.name_of(self.spec.nodes, key[: len(key) - len(cells)])
            entry.noted = swaps.noted(entry.name)
            entry.swap = max(entry.calls + SWAP_CALLS, entry.noted)
        if entry.noted == swaps.NEVER and not at_once:
            entry.state = "refused"
            return
        entry.state = "queued"
        WORKER.put(self.spec, entry, *self._examples(key), urgent=at_once)

    def _trial(self, entry: Entry, inputs: list, cells: list[Cell], v: list) -> None:
        """Time the compiled form; after some runs the faster engine stays."""
        start = time.perf_counter()
        self._run_compiled(entry, inputs, cells, v)
        if self.spec.place is not None:
            wait_for([v[i] for i in self.outs] + [c.device_value for c in cells])
        entry.trials.append(time.perf_counter() - start)
        if len(entry.trials) >= TRIALS:
            self._judge(entry)

    def _try_apart(self, entry: Entry, inputs: list, cells: list[Cell]) -> None:
        """Choose the engine of a seeded program: Note [Trials apart] in swaps."""
        if not (entry.noted or self.spec.place is not None):
            self._time_apart(entry, inputs, cells)
            if min(entry.trials, default=0.0) > entry.best:
                entry.lost, entry.swap = entry.lost + 1, entry.calls + AGAIN[0]
                if entry.lost > 1:
                    entry.state = "refused"
                    swaps.note(entry.name, swaps.NEVER)
                return
        entry.state = "chosen"
        swaps.note(entry.name, entry.calls)

    def _time_apart(self, entry: Entry, inputs: list, cells: list[Cell]) -> None:
        """Time some runs of the compiled form, and put the cells back."""
        written = self.spec.written_cells
        before, entry.trials = values_of(written), []
        try:
            for cell, value in zip(written, before, strict=True):
                cell.write(np.array(value))  # a run may take its memory
            while len(entry.trials) < TRIALS and sum(entry.trials) < LONG_TRIALS:
                start = time.perf_counter()
                if entry.executable.run(inputs, cells) is None:  # it is not for these
                    break
                entry.trials.append(time.perf_counter() - start)
        finally:
            for cell, value in zip(written, before, strict=True):
                cell.write(value)

    def _judge(self, entry: Any) -> None:
        """Choose the faster engine; the compiled form may get another chance."""
        faster = min(entry.trials) < entry.best
        entry.state, entry.next_trial = "chosen" if faster else "refused", None
        if not faster and entry.lost < len(AGAIN):
            entry.next_trial = entry.calls + AGAIN[entry.lost]
            entry.lost, entry.best = entry.lost + 1, float("inf")

    def _on_trial(self, entry: Entry) -> bool:
        """Whether the compiled form is to be timed in this call."""
        if entry.next_trial is not None and entry.calls >= entry.next_trial:
            entry.state, entry.next_trial, entry.trials = "ready", None, []
        return entry.state == "ready" and entry.is_rested()

    def _run_compiled(self, entry: Any, inputs: Any, cells: Any, v: list) -> None:
        if not entry.ran:
            entry.ran = True
            heap.give_back()  # Note [Change-over] in execute.background
        values = entry.executable.run(inputs, cells)
        inputs.clear()
        if values is None:
            self._interpret(cells, v)
            if self.spec.loops:  # a stack was too short; the next one is longer
                self.entries.clear()
        else:
            for slot, value in zip(self.outs, values, strict=True):
                v[slot] = value


def _like(cell: "Cell | Stream") -> Array:
    """An array of the shape and dtype of a cell's state."""
    a = cell.state()
    return np.empty(a.shape, a.dtype)
