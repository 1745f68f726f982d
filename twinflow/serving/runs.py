"""Runs off the event loop: a pool of threads, and limits on what waits and how long."""

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from twinflow.base import errors

_AT_ONCE = 64 * 1024  # bytes that are read or written on the event loop itself


class Runs:
    """The pool of threads of a server.

    Args:
        threads: how many. waiting: requests that may wait beside those that run.
        seconds: that a request may take.
    """

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self.most, self._seconds = threads + waiting, seconds
        self.active = 0  # requests that are not answered yet
        self._lock = threading.Lock()  # around `active` and `_jobs`
        self.places = threading.BoundedSemaphore(threads)  # of quick runs
        self._jobs = 0  # handed to the pool and not done, though nobody may wait
        self._pool = concurrent.futures.ThreadPoolExecutor(threads, "serving-run")

    def enter(self) -> None:
        """Begin a request, which ends with `leave`.

        Raises:
            ResourceExhaustedError: too many are waiting already.
        """
        with self._lock:
            if max(self.active, self._jobs) >= self.most:
                raise errors.ResourceExhaustedError(
                    None, None,
                    f"{self.active} requests are waiting already; try again later.",
                )  # fmt: skip
            self.active += 1

    def leave(self) -> None:
        """End a request."""
        with self._lock:
            self.active -= 1

    def limit(self, seconds: float | None = None) -> float:
        """The seconds that a request may take, whose client waits so long."""
        return self._seconds if seconds is None else min(seconds, self._seconds)

    async def within(self, work: Awaitable, seconds: float | None = None) -> Any:
        """The result of `work`, if it comes in time.

        Args:
            seconds: that the client waits, where it says so.
        Raises:
            DeadlineExceededError: it did not; a run that has begun ends by itself.
        """
        limit = self.limit(seconds)
        try:
            async with asyncio.timeout(limit):
                return await work
        except TimeoutError:
            raise errors.DeadlineExceededError(
                None, None, f"The request was not answered within {limit:g} seconds."
            ) from None

    async def run(self, version: Any, work: Callable, *args: Any) -> Any:
        """`work(*args)` in a thread that holds a version until it is done."""
        version.hold(more=True)
        try:
            job = self._pool.submit(work, *args)
        except BaseException:
            version.release()
            raise
        with self._lock:
            self._jobs += 1

        def done(_: Any) -> None:
            version.release()
            with self._lock:
                self._jobs -= 1

        job.add_done_callback(done)
        return await asyncio.wrap_future(job)

    async def aside(self, size: int, work: Callable, *args: Any) -> Any:
        """`work(*args)`, in a thread if it handles many bytes."""
        if size <= _AT_ONCE:
            return work(*args)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: work(*args))

    def close(self) -> None:
        """Take no more work; what has begun ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)
