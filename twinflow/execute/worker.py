"""The one thread that compiles clusters (Note [Tiers] in execute.tiers)."""

import atexit
import importlib
import itertools
import queue
import threading
import weakref
from types import ModuleType
from typing import TYPE_CHECKING, Any

from twinflow.base import logging
from twinflow.base.annotations import Array
from twinflow.base.drawing import drawing_apart
from twinflow.execute.background import LONG_STEP, giving_way, open_libraries
from twinflow.execute.compile_spec import Spec
from twinflow.execute.exit import let_go, state_of_this_thread

if TYPE_CHECKING:
    from twinflow.execute.tiers import Entry


class Worker:
    """The one thread that compiles: first what is waited for, then in turn.

    What nobody can run any more when its turn comes is left out.
    """

    def __init__(self) -> None:
        self.jobs: queue.PriorityQueue = queue.PriorityQueue()
        self.numbers = itertools.count()
        self.thread: Any = None
        self.first_step = 0.0  # seconds, of what is compiled first
        self.done = threading.Condition()
        self.doing: str | None = None  # "python" or "xla", see execute.exit
        self.work: Any = None  # the Executable that XLA is compiling
        self.state: Any = None  # of the thread, in Python's own records
        self.leaving = False  # see execute.exit

    def put(
        self, spec: Spec, entry: "Entry", inputs: list, states: list[Array],
        urgent: bool = False,
    ) -> None:  # fmt: skip
        """Compile `spec` for these shapes when its turn comes."""
        if self.thread is None:
            self.first_step = entry.seconds
            self.thread = threading.Thread(
                target=self._loop, name="twinflow-compiler", daemon=True
            )
            self.thread.start()
            atexit.register(let_go, self)
            logging.info(
                "XLA compiles what is called often, in the background: first %d nodes. "
                "Steps are interpreted until it is done. TWINFLOW_COMPILE=wait waits "
                "for it, TWINFLOW_COMPILE=never does without.", spec.size,
            )  # fmt: skip
        place = not urgent, next(self.numbers)
        self.jobs.put((place, spec, weakref.ref(entry), inputs, states))

    def is_busy(self) -> bool:
        """Whether something is compiled or waits for it."""
        return self.doing is not None or not self.jobs.empty()

    def wait(self, entry: "Entry") -> None:
        """Wait until `entry` is compiled."""
        with self.done:
            self.done.wait_for(lambda: entry.state != "queued")

    def _loop(self) -> None:
        self.state = state_of_this_thread()
        self._busy()
        try:
            compiler, broken = self._start(), None
        except Exception as error:  # jax is not in order: the interpreter goes on
            compiler, broken = None, error
        while True:
            self.doing = None
            _, spec, entry_of, inputs, states = self.jobs.get()
            self._busy()
            entry = entry_of()
            if entry is None or entry.state != "queued":
                pass  # its plan is gone, or it has been compiled out of turn
            elif compiler is None:
                self._settle(entry, "refused", broken)
            else:
                self._compile(compiler, spec, entry, inputs, states)
            del spec, entry, inputs, states

    def _busy(self) -> None:
        """Say that Python runs here; once the program leaves, wait for ever."""
        self.doing = "python"
        if self.leaving:
            never = threading.Lock()
            never.acquire()
            never.acquire()

    def _start(self) -> ModuleType:
        open_libraries()
        with giving_way(self.first_step), drawing_apart():
            compiler = importlib.import_module("twinflow.lower.executables")
            self.doing = "xla"
            compiler.start()
        return compiler

    def _compile(
        self, compiler: ModuleType, spec: Spec, entry: "Entry", inputs: list,
        states: list,
    ) -> None:  # fmt: skip
        error = None
        try:
            with giving_way(entry.seconds):
                self.work = executable = compiler.executable(spec, inputs, states)
                self.doing = "xla"
                executable.compile()
                if entry.seconds > LONG_STEP:
                    executable.warm()
            entry.executable = executable
            state = "ready"
        except Exception as raised:
            error, state = raised, "refused"
        finally:
            self.doing, self.work = "python", None
        self._settle(entry, state, error)

    def _settle(
        self, entry: "Entry", state: str, error: Exception | None = None
    ) -> None:
        """Say what became of an entry."""
        with self.done:
            entry.error, entry.state = error, state
            self.done.notify_all()


WORKER = Worker()
