"""What is told of a run while a profile is taken.

Note [Profiling]: a profile measures what really runs. native/marks.c counts and times
each kernel of eager calls and each step of the interpreter, where one flag is all that
is tested while nobody profiles; a kernel without an op, as on the way back of eager
ones and in optimizers, goes by its own name. What is written in Python (compiled
programs, the compiler, data, waiting for it) gets its methods replaced while a profile
is taken, so that they cost nothing else. A thread looks at the stacks meanwhile; what a
thread spent outside marks is Python, of the line that was found there, or waiting.
Without the C module only the replaced methods and the stacks are there.
"""

import time
from collections.abc import Callable
from typing import Any

from twinflow.base import native
from twinflow.data.iterators.handles import EagerIterator
from twinflow.data.iterators.ops import IteratorCell
from twinflow.eager import mode
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import Cluster
from twinflow.execute.worker import Worker
from twinflow.profiling.own_lines import is_library

_fast: Any = native.fast if hasattr(native.fast, "start_marks") else None
COMPUTING, DATA = 0, 1  # domains


class Engine:
    """A mark that stands for no op.

    Args:
        name: of the engine: "data", "compiling" or "interpreter".
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


DATA_MARK, COMPILE_MARK, PLAN_MARK = (
    Engine("data"), Engine("compiling"), Engine("interpreter")
)  # fmt: skip


class Hooks:
    """Replaces methods for the time of a profile.

    Attributes:
        compiled: (seconds, nodes) of each compilation in the background.
    """

    def __init__(self) -> None:
        self.compiled: list[tuple[float, int]] = []
        self._kept: list[tuple[Any, str, Any]] = []

    def put(self) -> None:
        """Begin."""
        if _fast is not None:
            _fast.start_marks(is_library)
            _fast.take_marks()
            self._replace(mode, "_computed", _first_marked)
            self._replace(Cluster, "_run_compiled", _first_marked)
            self._replace(Plan, "_use_up", _marking(PLAN_MARK, COMPUTING))
            self._replace(Worker, "wait", _marking(COMPILE_MARK, COMPUTING))
            self._replace(IteratorCell, "take", _marking(DATA_MARK, DATA))
            self._replace(EagerIterator, "__next__", _marking(DATA_MARK, DATA))
        self._replace(Worker, "_compile", self._compiling)

    def take_away(self) -> list[tuple]:
        """End; the marks, see native/marks.c."""
        for owner, name, method in reversed(self._kept):
            setattr(owner, name, method)
        self._kept.clear()
        if _fast is None:
            return []
        _fast.stop_marks()
        return _fast.take_marks()

    def _replace(self, owner: Any, name: str, make: Callable) -> None:
        method = vars(owner)[name]
        self._kept.append((owner, name, method))
        setattr(owner, name, make(method))

    def _compiling(self, method: Callable) -> Callable:
        def compile_timed(worker: Any, compiler: Any, spec: Any, *rest: Any) -> None:
            start = time.perf_counter()
            try:
                method(worker, compiler, spec, *rest)
            finally:
                self.compiled.append((time.perf_counter() - start, spec.size))

        return compile_timed


def _marking(mark: Engine, domain: int) -> Callable:
    def make(method: Callable) -> Callable:
        def call_marked(*args: Any) -> Any:
            return _fast.marked(mark, domain, method, *args)

        return call_marked

    return make


def _first_marked(method: Callable) -> Callable:
    """Marks of the first argument: the op of an eager call, or a cluster."""

    def run_marked(first: Any, *args: Any) -> Any:
        return _fast.marked(first, COMPUTING, method, first, *args)

    return run_marked


def is_kernel(what: Any) -> bool:
    """Whether a mark stands for a kernel that ran without an op around it."""
    return type(what) is getattr(_fast, "Kernel", None)


def time_in_marks(thread: int) -> int:
    """How long a thread has been in marks, in ns."""
    return 0 if _fast is None else _fast.time_in_marks(thread)
