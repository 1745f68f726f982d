"""Leaving while the compiler is busy: at once, and with the program's own exit code.

While the compiler thread runs Python (it imports jax, or traces), it needs the GIL to
go on, and the exiting thread has it: a signal whose handler never returns keeps it
where it is, before it can load libraries or call into them. An exception would not do:
it may arrive inside C++ frames that do not allow any.

Inside XLA the thread may hold locks, so it goes on. What it works with (its module,
jax's thread pool and client) must outlive Python's own clearing up, so references to
that are never given back. A finalising Python ends the thread, when it comes back, by
unwinding its C++ frames; they call std::terminate, which therefore only pauses it.

In both cases the C library ends the process with the status that Python gave it, before
static destructors run.
"""

import contextlib
import ctypes
import signal
import sys
import time


def let_go(worker):
    """Called at exit: hold the compiler where it is, or leave it behind."""
    while not worker.jobs.empty():
        worker.jobs.get_nowait()
    if worker.doing is None:
        return
    with contextlib.suppress(OSError, AttributeError):  # other C libraries
        libc = ctypes.PyDLL(None)  # calls keep the GIL
        pause = ctypes.cast(libc.pause, ctypes.c_void_p)
        libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
        if worker.doing == "python":
            _hold(worker.thread, libc, pause)
        _keep_alive(worker.work)
        _exit_with_status(libc, pause)


def _hold(thread, libc, pause):
    """Stop a thread that waits for the GIL, while it does nothing but wait.

    With a long switch interval it asks for the GIL only after that time. A moment after
    this thread has got the GIL back the other one is deep in its wait, without a lock
    and without a request that this thread would have to answer.
    """
    libc.signal(signal.SIGRTMAX, pause)
    sys.setswitchinterval(0.05)
    time.sleep(0.001)
    libc.usleep(2000)  # in C, with the GIL
    signal.pthread_kill(thread.ident, signal.SIGRTMAX)


def _keep_alive(work):
    """Take references to `work` and to what jax's modules hold, for ever."""
    keep = ctypes.pythonapi.Py_IncRef
    keep.argtypes = (ctypes.py_object,)
    keep(work)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("jax", "jaxlib"):
            for value in list(vars(module).values()):
                keep(value)


def _exit_with_status(libc, pause):
    libc.on_exit.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)
    libc.signal(signal.SIGABRT, pause)
    set_terminate = ctypes.PyDLL("libstdc++.so.6")._ZSt13set_terminatePFvvE
    set_terminate.argtypes = (ctypes.c_void_p,)
    set_terminate(pause)
