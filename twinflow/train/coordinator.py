"""Coordinator: how threads agree to stop, and what they died of is not lost."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import errors, logging
from twinflow.base.text import as_str_any

_POLL = 0.01  # seconds between looks at threads: nothing announces their end


class Coordinator:
    """Lets threads stop together.

    Any thread may ask for the stop, with an exception if it has a reason; `join` then
    raises that exception in the thread that waits for the others.

    Args:
        clean_stop_exception_types: exceptions that are no reason for alarm;
            tf.errors.OutOfRangeError by default.
    Example:
        x = tf.train.batch([tf.constant(1)], 2)
        sess, coord = tf.Session(), tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with coord.stop_on_exception():
            sess.run(x)
        coord.request_stop()
        coord.join(threads)
    """

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (errors.OutOfRangeError,)
        self._clean = tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._joined = False
        self._reason: Any = None  # the exception to raise
        self._registered_threads: set[Any] = set()

    @property
    def joined(self) -> bool:
        """Whether `join` has come to its end."""
        return self._joined

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop.

        Args:
            ex: why: an exception, or what sys.exc_info() returns; `join` raises it,
                unless it is one of the clean ones. Only the first one counts; after
                `join` it is raised here.
        """
        with self._lock:
            ex = self._alarming(_exception(ex))
            if self._joined and ex is not None:
                raise ex
            if self._stop_event.is_set():
                return
            if ex is not None:
                kind, text = type(ex), as_str_any(ex)
                logging.info("Error reported to Coordinator: %s, %s", kind, text)
                self._reason = ex
            self._stop_event.set()

    def _alarming(self, ex):
        return None if isinstance(ex, self._clean) else ex

    def clear_stop(self) -> None:
        """Forget that a stop was asked for, and why."""
        with self._lock:
            self._joined, self._reason = False, None
            self._stop_event.clear()

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop_event.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A block whose exceptions become requests to stop, and end there."""
        try:
            yield
        except BaseException:
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout: Any = None) -> bool:
        """Wait until a stop is asked for.

        Args:
            timeout: seconds; None = without end.
        Returns:
            Whether it was asked for.
        """
        return self._stop_event.wait(timeout)

    def register_thread(self, thread: Any) -> None:
        """Add a thread to those that `join` waits for."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(
        self, threads: Any = None, stop_grace_period_secs: Any = 120,
        ignore_live_threads: bool = False,
    ) -> None:  # fmt: skip
        """Wait for the threads.

        Until a stop is asked for, as long as it takes; from then on for the grace
        period.

        Args:
            threads: those to wait for besides the registered ones.
            stop_grace_period_secs: float. ignore_live_threads: do not mind threads that
                still run.
        Raises:
            The exception that the stop was asked for with.
            RuntimeError: a thread still runs.
        """
        with self._lock:
            threads = [*self._registered_threads.union(threads or ())]
        _wait(threads, self.wait_for_stop)
        _wait(threads, _until(time.monotonic() + stop_grace_period_secs))
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._reason is not None:
                raise self._reason
        names = " ".join(t.name for t in threads if t.is_alive())
        message = f"Coordinator stopped with threads still running: {names}"
        if names and not ignore_live_threads:
            raise RuntimeError(message)
        if names:
            logging.info(message)

    def raise_requested_exception(self) -> None:
        """Raise the exception that the stop was asked for with, if there is one."""
        with self._lock:
            if self._reason is not None:
                raise self._reason


def _exception(ex):
    """The exception of sys.exc_info(), or the exception itself."""
    return ex[1] if isinstance(ex, tuple) else ex


def _wait(threads, enough):
    """Wait until the threads have ended, or ``enough(seconds)``, which waits, says so.

    A thread that was not started yet has nothing to wait for.
    """
    while any(t.is_alive() for t in threads) and not enough(_POLL):
        pass


def _until(deadline):
    def enough(seconds):
        left = deadline - time.monotonic()
        time.sleep(min(seconds, max(left, 0)))
        return left <= 0

    return enough


class LooperThread(threading.Thread):
    """A thread that calls a function again and again until its Coordinator stops.

    Args:
        coord: the Coordinator. timer_interval_secs: float, the time between two calls;
            None = without a pause.
        target: the function; or override `run_loop`. args, kwargs: its arguments.
    Raises:
        ValueError: `coord` is no Coordinator, or arguments come without a function.
    """

    def __init__(
        self, coord: Any, timer_interval_secs: Any, target: Any = None,
        args: Any = None, kwargs: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord, self._timer_interval_secs = coord, timer_interval_secs
        if not target and (args or kwargs):
            raise ValueError(
                "'args' and 'kwargs' argument require that you also pass 'target'"
            )
        self._target, self._args, self._kwargs = target, args or (), kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Any, timer_interval_secs: Any, target: Callable[..., Any],
        args: Any = None, kwargs: Any = None,
    ) -> "LooperThread":  # fmt: skip
        """Start a LooperThread; see there.

        Returns:
            The thread.
        """
        looper = LooperThread(
            coord, timer_interval_secs, target=target, args=args, kwargs=kwargs
        )
        looper.start()
        return looper

    def run(self) -> None:
        """What the thread does; exceptions stop the Coordinator."""
        with self._coord.stop_on_exception():
            self.start_loop()
            interval, next_time = self._timer_interval_secs, time.monotonic()
            while not self._pause(next_time):
                next_time += interval or 0
                self.run_loop()
            self.stop_loop()

    def _pause(self, next_time):
        """Wait for the next turn; whether it is time to stop instead."""
        if self._timer_interval_secs is None:
            return self._coord.should_stop()
        return self._coord.wait_for_stop(max(next_time - time.monotonic(), 0))

    isAlive = threading.Thread.is_alive  # the name that Python 3.9 took away

    def start_loop(self) -> Any:
        """Called once before the loop."""

    def stop_loop(self) -> Any:
        """Called once after the loop."""

    def run_loop(self) -> None:
        """Called at each turn: calls the function."""
        if self._target:
            self._target(*self._args, **self._kwargs)
