"""Threads for short work, of which some may have to wait for something else."""

import concurrent.futures
import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any


class Threads(concurrent.futures.Executor):
    """An executor with so many threads that work; those that wait count beside them.

    With a thread for each request, many requests fight for the interpreter's lock; with
    a fixed number, those that wait for slow models would keep out all others.

    Args:
        working: threads that do not wait. name: of the threads.
    """

    def __init__(self, working: int, name: str) -> None:
        self._working, self._name = working, name
        self._tasks: queue.SimpleQueue = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = self._waiting = 0
        self._closed = False

    def submit(self, fn: Callable, /, *args: Any, **kwargs: Any) -> Any:
        """See concurrent.futures.Executor."""
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        found: concurrent.futures.Future = concurrent.futures.Future()
        self._tasks.put((found, fn, args, kwargs))
        if self._threads - self._waiting < self._working:
            self._fill()
        return found

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """A block in which a thread of these waits: another one works meanwhile."""
        with self._lock:
            self._waiting += 1
        self._fill()
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1

    def _fill(self) -> None:
        """Start a thread if too few of them work."""
        with self._lock:
            if self._threads - self._waiting >= self._working:
                return
            self._threads += 1
        threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        while not self._is_one_too_many():
            task = self._tasks.get()
            if task is None:  # the end, for all
                self._tasks.put(None)
                return
            _run(*task)
            del task  # or it would be kept until the next one

    def _is_one_too_many(self) -> bool:
        with self._lock:
            if self._threads - self._waiting <= 2 * self._working:
                return False
            self._threads -= 1
            return True

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; the threads end by themselves."""
        self._closed = True
        self._tasks.put(None)


def _run(found: Any, fn: Callable, args: tuple, kwargs: dict) -> None:
    if not found.set_running_or_notify_cancel():
        return
    try:
        found.set_result(fn(*args, **kwargs))
    except BaseException as error:
        found.set_exception(error)
