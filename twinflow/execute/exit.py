"""Leaving while the compiler is busy: at once, and with the program's own exit code.

While the compiler thread runs Python (it imports jax, or traces), it is asked to stop, and
does within milliseconds. Inside XLA it cannot be asked. A finalising Python ends it, when
it comes back from there, by unwinding its C++ frames; they do not allow that and call
std::terminate. So terminate only pauses that thread, and the C library ends the process
with the status that Python gave it, before static destructors run under its feet.
"""

import contextlib
import ctypes
import signal

PATIENCE = 1.0  # seconds to wait for a thread that was asked to stop


def let_go(worker):
    """Called at exit: stop the compiler, or leave it behind."""
    while not worker.jobs.empty():
        worker.jobs.get_nowait()
    if worker.doing == "python":
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        stop(ctypes.c_ulong(worker.thread.ident), ctypes.py_object(SystemExit))
        worker.thread.join(PATIENCE)
    if worker.doing is not None and worker.thread.is_alive():
        _leave_behind()


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
