"""The threads in which XLA compiles give way to those that run the program.

Linux has a priority for each thread. XLA's client starts the thread that compiles (and
that starts others for machine code) together with those that compute, which it names.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

NICE = 10  # the program goes first, but does not starve the compiler
_COMPUTING = "tf_XLAEigen"
_TASKS = Path("/proc/self/task")


def _threads() -> set[int]:
    try:
        return {int(path.name) for path in _TASKS.iterdir()}
    except OSError:  # elsewhere than on Linux
        return set()


@contextlib.contextmanager
def lowered() -> Iterator[None]:
    """A block that starts XLA's client: what it starts for compiling gives way."""
    before = _threads()
    yield
    for thread in _threads() - before:
        with contextlib.suppress(OSError, AttributeError):
            name = (_TASKS / str(thread) / "comm").read_text().strip()
            if name != _COMPUTING:
                nice = os.getpriority(os.PRIO_PROCESS, thread) + NICE
                os.setpriority(os.PRIO_PROCESS, thread, nice)
