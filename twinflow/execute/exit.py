"""Leaving while the compiler is busy: at once, and with the program's own exit code.

While the compiler thread runs Python (it imports jax, or traces), a trace function
stops it at its next line or call, before it can load libraries or call into them; it
waits there for ever, without the GIL. Only where it is inside `logging` or `threading`
it goes on to where it has left them: what others do at exit takes their locks, too
(`logging.shutdown` those of all handlers). An exception would not do: it may arrive
inside C++ frames that do not allow any. Nor a signal: it would stop the thread within
its wait for the GIL, and Python, when it hands that on, waits for all who wait.

Inside XLA the thread may hold locks, so it goes on. What it works with (its module,
jax's thread pool and client) must outlive Python's own clearing up, so references to
that are never given back. A finalising Python ends the thread, when it comes back, by
unwinding its C++ frames; they call std::terminate or abort, which therefore only pause
it (native/leave.h). Any other thread, and any other reason to abort, ends the process
as ever. Without the C module std::terminate pauses whichever thread calls it, and the
compiler gets a moment to come back: it seldom does so in the few milliseconds between
that and the end, where it could still abort.

In both cases the C library ends the process with the status that Python gave it, before
static destructors run.
"""

import contextlib
import ctypes
import logging
import sys
import threading
import time
from typing import Any

from twinflow.base.native import fast

_LONGEST = 2.0  # seconds that a library may take to load, before it is left to itself
_MOMENT = 0.5  # seconds that XLA gets to come back, without the C module
_SHARED = {logging.__file__, threading.__file__}  # their locks are taken at exit, too
_trace_all = getattr(threading, "settrace_all_threads", None)  # from Python 3.12 on
_Tracer = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)


def let_go(worker: Any) -> None:
    """Called at exit: hold the compiler where it is, or leave it behind.

    A thread that has a job but has not said so yet sees that the program leaves: it
    says that it is busy before it looks; here `leaving` is set before `doing` is read.
    """
    worker.leaving = True
    while not worker.jobs.empty():
        worker.jobs.get_nowait()
    if worker.doing is None:
        return
    with contextlib.suppress(OSError, AttributeError):  # other C libraries
        libc = ctypes.PyDLL(None)  # calls keep the GIL
        libc.on_exit.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        if worker.doing == "python":
            _hold(worker)
        _keep_alive(worker.work)
        libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)
        leave_behind(worker)


def _hold(worker: Any) -> None:
    """Stop the thread where it next runs a line or calls a function of Python."""
    held, never, me = threading.Event(), threading.Lock(), worker.thread.ident
    never.acquire()

    def stop(*_: Any) -> None:
        if threading.get_ident() == me and not _in_shared(sys._getframe()):
            held.set()
            never.acquire()
        return None

    _trace(worker, stop)
    end = time.monotonic() + _LONGEST
    while worker.doing == "python" and time.monotonic() < end:
        if held.wait(0.01):
            break
    if _trace_all is not None:
        _trace_all(None)


def _in_shared(frame: Any) -> bool:
    """Whether a function of _SHARED has called what the frame runs."""
    while frame is not None and frame.f_code.co_filename not in _SHARED:
        frame = frame.f_back
    return frame is not None


def _trace(worker: Any, stop: Any) -> None:
    """Let `stop` be called at each line or call of the thread."""
    if _trace_all is not None:
        _trace_all(stop)
        return
    tracer = _Tracer(lambda *_: stop() or 0)
    set_trace = ctypes.pythonapi._PyEval_SetTrace
    set_trace.argtypes = (ctypes.c_void_p, _Tracer, ctypes.py_object)
    set_trace(worker.state, tracer, tracer)  # which the thread then keeps


def state_of_this_thread() -> int:
    """The address of what Python keeps for the calling thread."""
    get = ctypes.pythonapi.PyThreadState_Get
    get.restype, get.argtypes = ctypes.c_void_p, ()
    return get()


def _keep_alive(work: Any) -> None:
    """Take references to `work` and to what jax's modules hold, for ever."""
    keep = ctypes.pythonapi.Py_IncRef
    keep.argtypes = (ctypes.py_object,)
    keep(work)
    for name, module in sys.modules.copy().items():
        if name.partition(".")[0] in ("jax", "jaxlib"):
            for value in list(vars(module).values()):
                keep(value)


def leave_behind(worker: Any) -> None:
    """Let the thread of `worker` pause where its end would abort the process."""
    leave = getattr(fast, "leave_behind", None)
    set_terminate = ctypes.PyDLL("libstdc++.so.6")._ZSt13set_terminatePFvvE
    if leave is not None:
        address = ctypes.cast(set_terminate, ctypes.c_void_p)
        leave(worker.thread.ident, address.value)
        return
    set_terminate(ctypes.cast(ctypes.PyDLL(None).pause, ctypes.c_void_p))
    end = time.monotonic() + _MOMENT
    while worker.doing == "xla" and time.monotonic() < end:
        time.sleep(0.01)
