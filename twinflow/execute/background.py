"""How the compiler thread works beside a program: no step of that waits for long.

Note [Giving way]: importing jax and lowering are Python, under the one lock of the
interpreter, and three things made the program's steps wait for it:

- the garbage collector: a full collection walks over all that a thread has made, under
  the lock (80 to 480 ms beside jax); it is put off until the thread is done, the young
  objects are collected as ever;
- loading jaxlib's library of 350 MB: it is opened first by a call without the lock;
- the lock itself: each call of NumPy gives it away and then waits to get it back. So
  the thread lets others have short turns; and where steps are long, it pauses for three
  quarters of the time while other threads of the process are busy (native/pace.h, not
  without the C module). Short steps rather have the compiled form soon.

What XLA does itself is without the lock, on threads of low priority (lower.priority).

Note [Change-over]: what the interpreter and the compiler have freed stays in the heap
of the process, and the arrays between the steps of a compiled form come from elsewhere:
a transformer of 4 layers had both in memory (740 MB in place of 490). So the heap is
given back to the system before a compiled form first runs.
"""

import contextlib
import ctypes
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from twinflow.base.collecting import no_full_collection
from twinflow.base.library_log import quiet
from twinflow.base.native import fast

LONG_STEP = 0.01  # seconds; to be slowed down for a second is noticed from then on
_TURN = 1e-4  # seconds until another thread gets the lock that it asks for


@contextlib.contextmanager
def giving_way(step: float = 0.0) -> Iterator[None]:
    """A block that works in the background; the threads of the program go first.

    Args:
        step: seconds that a step of the program takes.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        with no_full_collection(), _paced(step):
            yield
    finally:
        sys.setswitchinterval(interval)


@contextlib.contextmanager
def _paced(step: float) -> Iterator[None]:
    possible = hasattr(fast, "set_pace") and sys.getprofile() is None
    if not possible or step < LONG_STEP:
        yield
        return
    fast.set_pace(True)
    try:
        yield
    finally:
        fast.set_pace(False)


def open_libraries() -> None:
    """Load jaxlib's library; importing jax then finds it in memory."""
    package = importlib.util.find_spec("jaxlib")
    folders = (package and package.submodule_search_locations) or []
    for path in (p for folder in folders for p in Path(folder).glob("libjax*.so")):
        with contextlib.suppress(OSError, AttributeError, TypeError):  # as on Windows
            libc = ctypes.CDLL(None)  # its calls release the lock
            libc.dlopen.argtypes = (ctypes.c_char_p, ctypes.c_int)
            libc.dlopen.restype = ctypes.c_void_p
            with quiet():
                libc.dlopen(os.fsencode(path), os.RTLD_NOW)
