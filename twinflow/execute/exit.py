"""Leaving while the compiler is busy: at once, and with the program's own exit code.

A finalising Python ends the compiler thread, when it comes back from XLA, by unwinding
its C++ frames; they do not allow that and call std::terminate. So terminate only pauses
that thread, and the C library ends the process with the status that Python gave it,
before static destructors run under the compiler's feet.
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
