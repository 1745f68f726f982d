"""Leaving while the compiler is busy: at once, and with the program's own exit code.

While the compiler thread runs Python (it imports jax, or traces), it is asked to stop,
and does within milliseconds. Inside XLA it cannot be asked. A finalising Python ends
it, when it comes back, by unwinding its C++ frames; they do not allow that and
call std::terminate. So terminate only pauses that thread, and the C library ends the
process with the status that Python gave it, before static destructors run.
"""

import contextlib
import ctypes
import signal
import sys
import time

PATIENCE = 1.0  # seconds to wait for a thread that was asked to stop


class _Stop(SystemExit):
    """Raised in the compiler thread."""


def let_go(worker):
    """Called at exit: stop the compiler, or leave it behind."""
    while not worker.jobs.empty():
        worker.jobs.get_nowait()
    end = time.monotonic() + PATIENCE
    sys.unraisablehook = _quiet(sys.unraisablehook)
    while worker.doing == "python" and time.monotonic() < end:
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        stop(ctypes.c_ulong(worker.thread.ident), ctypes.py_object(_Stop))
        worker.thread.join(0.05)  # again: a callback may have swallowed it
        if not worker.thread.is_alive():
            return
    if worker.doing is not None:
        _leave_behind()


def _quiet(hook):
    def found(unraisable):
        if unraisable.exc_type is not _Stop:
            hook(unraisable)

    return found


def _leave_behind():
    with contextlib.suppress(OSError, AttributeError):  # other C libraries
        libc = ctypes.CDLL(None)
        pause = ctypes.cast(libc.pause, ctypes.c_void_p)
        libc.on_exit.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)
        libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
        libc.signal(signal.SIGABRT, pause)
        set_terminate = ctypes.CDLL("libstdc++.so.6")._ZSt13set_terminatePFvvE
        set_terminate.argtypes = (ctypes.c_void_p,)
        set_terminate(pause)
