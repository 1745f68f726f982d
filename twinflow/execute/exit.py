"""Leaving while the compiler is busy: at once, and with the program's own exit code.

The compiler thread is inside XLA and would, when it comes back to a finalising Python,
be ended in the middle of C++ frames, which aborts the process. So an abort only pauses
that thread, and the C library ends the process with the status Python gave it, before
static destructors run under the compiler's feet.
"""

import contextlib
import ctypes
import signal


def let_go(worker):
    """Called at exit: if a compilation is under way, leave it behind."""
    while not worker.jobs.empty():
        worker.jobs.get_nowait()
    if not worker.busy:
        return
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        pause = ctypes.cast(libc.pause, ctypes.c_void_p)
        libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
        libc.signal(signal.SIGABRT, pause)
        libc.on_exit.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)
