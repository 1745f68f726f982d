"""tf.debugger.lines: ops of graphs run their lines again, for any debugger of Python.

Note [Line events]: debuggers of Python (debugpy, pydevd, bdb) look at lines as they
run, through sys.settrace or sys.monitoring. Ops of a graph run no line. So for each of
them a piece of code runs that says it is from the user's file and line (Note [Line
frames] in debugger.line_frames), with the values of the op as its local names: a
breakpoint at the line stops there, and what is put into `out` is what the op gives.
"""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from twinflow.base.watching import OpRun, Watcher, watched_by
from twinflow.debugger.breakpoints import names_in
from twinflow.debugger.line_frames import run_line
from twinflow.debugger.places import label, where
from twinflow.debugger.values import as_output, short


class LineEvents(Watcher):
    """Runs the line of each op of a graph that has run."""

    def __init__(self) -> None:
        self._here = threading.local()

    def ended(self, run: OpRun) -> None:
        """The line of an op, with what it gives."""
        if run.node is None or not run.frames or getattr(self._here, "busy", False):
            return
        self._here.busy = True  # what is computed at the prompt is not shown again
        try:
            self._show(run)
        finally:
            self._here.busy = False

    def failed(self, run: OpRun, error: BaseException) -> None:
        """The line of an op that failed, with `error`."""
        if run.node is not None and run.frames:
            run_line(run.frames[0], label(run), {**names_in(run), "error": error})

    def _show(self, run: OpRun) -> None:
        local: dict = {**names_in(run), "place": where(run).strip()}
        outputs: Any = run.outputs
        local["shown"] = [short(v) for v in outputs]
        out = local.get("out")
        run_line(run.frames[0], label(run), local)
        if local.get("out") is not out:
            outputs[0] = as_output(local["out"], outputs[0])


@contextlib.contextmanager
def lines() -> Iterator[None]:
    """A block whose graphs run the lines that made them, for debuggers of Python.

    Breakpoints of VS Code (debugpy), PyCharm, pdb and others at lines that make ops
    stop there again when these run: in `Session.run`, functions, loops, maps of data
    and gradients. The local names are those of the op: `out`, `outputs`, `inputs`,
    `trip` (the iteration), `name`, `op`, `place`; a new value for `out` is what the op
    gives.

    Example:
        with tf.debugger.lines():  # b 12 in VS Code stops in the run as well
            tf.add(1., 2.)  # 3.0
    """
    with watched_by(LineEvents()):
        yield
