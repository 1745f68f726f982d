"""Threads for the calls of a server: as many as there are calls that wait."""

import concurrent.futures
import queue
import threading
from typing import Any


class Threads(concurrent.futures.Executor):
    """Runs each call at once, in a thread that does nothing else.

    A call may wait at a queue for what another call puts in, so none may stand behind
    another. The threads end with the process, whatever they wait for.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: list = []  # the queues of threads that have nothing to do

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        """See concurrent.futures.Executor."""
        future: concurrent.futures.Future = concurrent.futures.Future()
        job = future, fn, args, kwargs
        with self._lock:
            jobs = self._free.pop() if self._free else None
        if jobs is not None:
            jobs.put(job)
            return future
        jobs = queue.SimpleQueue()
        jobs.put(job)
        threading.Thread(target=self._work, args=(jobs,), daemon=True).start()
        return future

    def _work(self, jobs: Any) -> None:
        while True:
            future, fn, args, kwargs = jobs.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    future.set_exception(error)
            del future, fn, args, kwargs
            with self._lock:
                self._free.append(jobs)
