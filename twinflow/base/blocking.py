"""Threads that wait for each other: in turns, up to a time limit, until called off.

Note [Turns]: what a thread wants of a shared resource is an Attempt. Attempts of one
kind stand in a line; only the first of a line makes progress, in several steps if need
be, and whoever changes the resource lets all lines go on. So a large request is served
before a later small one, and one that is larger than the resource is served at all.
"""

import collections
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import dtypes, errors
from twinflow.base.state import Cell


class _Local(threading.local):
    deadline: float | None = None
    owner: Any = None
    held: tuple = ()


_local = _Local()


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Limit the time that this thread may wait in the block, all in all."""
    outer = _local.deadline
    _local.deadline = time.monotonic() + seconds
    try:
        yield
    finally:
        _local.deadline = outer


@contextlib.contextmanager
def owned(owner: Any) -> Iterator[None]:
    """Note whose the attempts are that this thread makes in the block: an object whose
    `cancelled` is the text of the error once they are called off, and None before; its
    `outer`, if it has one, owns them as well."""
    outer = _local.owner
    _local.owner = owner
    try:
        yield
    finally:
        _local.owner = outer


def left() -> float | None:
    """The seconds that this thread may still wait; None = as long as it takes."""
    deadline = _local.deadline
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)


def owner_now() -> Any:
    """Whose the attempts of this thread are; see `owned`."""
    return _local.owner


def _is_of(attempt: Any, owner: Any) -> bool:
    """Whether an attempt is of an owner, or of a part of what that does."""
    own = attempt.owner
    while own is not None and own is not owner:
        own = getattr(own, "outer", None)
    return own is owner


def hold(thing: Any) -> None:
    """Note what this thread gives back where its run fails, by `release()`."""
    _local.held = (*_local.held, thing)


def let_go() -> None:
    """Give back what this thread holds: its run has failed."""
    held, _local.held = _local.held, ()
    for thing in held:
        thing.release()


def forget(thing: Any) -> None:
    """Note that this thread has given something back."""
    if thing in _local.held:
        _local.held = tuple(t for t in _local.held if t is not thing)


def until(condition: Any, ready: Callable) -> None:
    """Wait, with `condition` held, until `ready()` is true.

    Raises:
        DeadlineExceededError: the limit of this thread passed before; see `limited`.
    """
    if not condition.wait_for(ready, left()):
        text = "Timed out waiting for notification"
        raise errors.DeadlineExceededError(None, None, text)


class Attempt:
    """What a thread wants of a resource.

    Subclasses give ``advance(cell)``, which does what can be done now and says whether
    that was anything, and ``withdraw(cell)``, which gives back what was taken.

    Attributes:
        cancelled: the text of the error where it is called off.
        done: whether it has come to an end: with `result`, or with `error`.
        owner: whose it is; see `owned`.
    """

    __slots__ = ("done", "error", "owner", "result")

    cancelled = "Operation was cancelled"

    def __init__(self) -> None:
        self.done, self.error, self.result = False, None, None
        self.owner = _local.owner

    def finish(self, result: Any = None) -> bool:
        """Come to an end; returns True."""
        self.done, self.result = True, result
        return True

    def fail(self, error: Any) -> bool:
        """Come to an end with an error; returns True."""
        self.done, self.error = True, error
        return True

    def advance(self, cell: Any) -> Any:
        """Do what can be done now; returns whether that was anything."""
        return self.finish()

    def withdraw(self, cell: Any) -> None:
        """Give back what was taken so far."""


class WaitingCell(Cell):
    """The home of a resource that threads wait at (Note [Turns]).

    Args:
        name: for errors. lines: how many lines there are.
    Attributes:
        changed: the condition that guards everything in the cell.
    """

    __slots__ = ("changed", "ended", "lines")

    def __init__(self, name: str, lines: int) -> None:
        super().__init__(name, dtypes.resource, ())
        self.changed, self.ended = threading.Condition(), False
        self.lines: list[collections.deque[Attempt]]
        self.lines = [collections.deque() for _ in range(lines)]

    def attempt(self, line: int, attempt: Any) -> Any:
        """Stand in a line until `attempt` is done.

        Returns:
            Its result.
        Raises:
            tf.errors.OpError: what it failed with; CancelledError if it was called off.
        """
        with self.changed:
            self.lines[line].append(attempt)
            if self.ended:
                self.call_off(line)
            elif attempt.owner is not None and attempt.owner.cancelled:
                self.cancel_of(attempt.owner)
            self.flush()
            try:
                if not attempt.done:
                    until(self.changed, lambda: attempt.done)
            finally:
                if not attempt.done:
                    self._leave(line, attempt)
        if attempt.error is not None:
            raise attempt.error
        return attempt.result

    def _leave(self, line: int, attempt: Any) -> None:
        self.lines[line].remove(attempt)
        attempt.withdraw(self)
        self.flush()

    def flush(self) -> None:
        """Let the lines go on; `changed` is held."""
        moved = True
        while moved:
            moved = sum(self._serve(line) for line in self.lines) > 0
        self.changed.notify_all()

    def _serve(self, line: Any) -> bool:
        """Let the first attempts of a line go on; whether anything happened."""
        moved = False
        while line:
            moved = line[0].advance(self) or moved
            if not line[0].done:
                break
            line.popleft()
        return moved

    def call_off(self, line: int) -> None:
        """End all attempts of a line with a CancelledError; `changed` is held."""
        waiting = self.lines[line]
        while waiting:
            attempt = waiting.popleft()
            attempt.withdraw(self)
            attempt.fail(errors.CancelledError(None, None, attempt.cancelled))
        self.changed.notify_all()

    def cancel(self) -> None:
        """End all attempts, those to come as well: the session is closed."""
        with self.changed:
            self.ended = True
            for line in range(len(self.lines)):
                self.call_off(line)

    def cancel_of(self, owner: Any) -> None:
        """End the attempts of an owner, with its text; others go on."""
        with self.changed:
            for line in self.lines:
                for attempt in [a for a in line if _is_of(a, owner)]:
                    line.remove(attempt)
                    attempt.withdraw(self)
                    error = errors.CancelledError(None, None, owner.cancelled)
                    attempt.fail(error)
            self.flush()

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError(f"{self.name}: what threads wait at cannot be copied.")

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.name}: what threads wait at cannot be pickled.")
