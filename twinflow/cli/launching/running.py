"""Processes that live together: what they print, how they end, and who ends them.

Each process leads a group of its own, so that a signal of the terminal comes here alone
and is passed on. When all have ended, what is left of the groups is killed: the keeper
of lower.processes, processes that a program left behind. Where the launcher itself is
killed, its guard does that.
"""

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from twinflow.cli.launching.guard import guard
from twinflow.cli.launching.output import Lines, say

_ASKED = [
    s for s in map(signal.Signals.__members__.get, ("SIGINT", "SIGTERM", "SIGHUP")) if s
]
_SUBREAPER = 36  # of Linux's prctl
_KEEPER = 20.0  # seconds for processes of other hosts to learn how this one ended
_LAST_WORDS = 1.0  # seconds for pipes that others may hold open


class End(NamedTuple):
    """How all processes have ended.

    Args:
        status: 0, or that of the first that failed, as of a shell.
        asked: whether a signal to the launcher ended them.
    """

    status: int
    asked: bool = False


class Together:
    """The processes of this host, from their start to their end.

    Args:
        command: what each runs. ranks: their numbers. envs: their environments.
        grace: seconds from a polite signal to SIGKILL.
        others: whether processes of other hosts take part.
    """

    def __init__(
        self, command: Sequence[str], ranks: Sequence[int], envs: Sequence[dict],
        grace: float, others: bool,
    ) -> None:  # fmt: skip
        self._grace, self._others = grace, others
        self._signals: list[int] = []
        self._end: End | None = None  # once some process is to blame, or the user
        self._kill_at = float("inf")
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, subprocess.Popen] = {}
        self._groups: list[int] = []
        self._command, self._places = command, list(zip(ranks, envs, strict=True))

    def run(self) -> End:
        """Start them, and wait until all have ended; how they did."""
        with guard() as self._tell, _own_signals(self._signals) as self._woken:
            self._selector.register(self._woken, selectors.EVENT_READ)
            try:
                for rank, env in self._places:
                    self._start(rank, env)
                self._wait()
            finally:
                self._finish()
        return self._end or End(0)

    # ------------------------------------------------------------------ start
    def _start(self, rank: int, env: dict) -> None:
        process = subprocess.Popen(
            self._command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._running[rank] = process
        self._groups.append(process.pid)
        self._tell(process.pid)
        streams: list = [(process.stdout, sys.stdout), (process.stderr, sys.stderr)]
        for pipe, to in streams:
            os.set_blocking(pipe.fileno(), False)
            lines = Lines(pipe.fileno(), rank, to.buffer)
            self._selector.register(pipe, selectors.EVENT_READ, lines)

    # ------------------------------------------------------------------ life
    def _wait(self) -> None:
        while self._running:
            left = self._kill_at - time.monotonic()
            self._turn(None if left == float("inf") else max(left, 0.0))
            if time.monotonic() >= self._kill_at:
                self._send(signal.SIGKILL)
                self._kill_at = float("inf")

    def _turn(self, seconds: float | None) -> None:
        for key, _ in self._selector.select(seconds):
            if key.data is None:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._woken, 1 << 10)
            else:
                self._pass_on(key.data, key.fileobj)
        while self._signals:
            self._asked(self._signals.pop(0))
        self._reap()

    def _pass_on(self, lines: Lines, pipe: Any) -> None:
        try:
            more = lines.pass_on()
        except BrokenPipeError:  # as `| head` does
            self._asked(signal.SIGPIPE)
            more = False
            os.dup2(os.open(os.devnull, os.O_WRONLY), lines.to.fileno())
        if not more:
            self._selector.unregister(pipe)
            pipe.close()

    def _reap(self) -> None:
        ended = [(r, p) for r, p in self._running.items() if p.poll() is not None]
        for rank, process in ended:
            del self._running[rank]
            if process.returncode and self._end is None:
                self._failed(rank, process.returncode)

    def _failed(self, rank: int, status: int) -> None:
        how = f"ended with status {status}"
        if status < 0:
            how, status = f"was ended by {_name(-status)}", 128 - status
        say(f"process {rank} {how}" + ("; stopping the others" * bool(self._running)))
        self._end = End(status)
        self._stop(signal.SIGTERM)

    def _asked(self, number: int) -> None:
        """The user wants all to end; who says so twice does not wait."""
        if self._end is not None and self._end.asked:
            self._kill_at = time.monotonic()
            return
        self._end = End(128 + number, asked=True)
        self._stop(signal.SIGTERM if number == signal.SIGPIPE else number)

    def _stop(self, number: int) -> None:
        self._kill_at = time.monotonic() + self._grace
        self._send(number)

    def _send(self, number: int) -> None:
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)

    # ------------------------------------------------------------------ end
    def _finish(self) -> None:
        """Leave nothing behind."""
        if self._others and not (self._end and self._end.asked):
            self._let_keeper_end()
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        end = time.monotonic() + _LAST_WORDS
        while len(self._selector.get_map()) > 1 and time.monotonic() < end:
            self._turn(0.1)
        for process in self._running.values():
            process.wait()
        for group in self._groups:
            _is_there(group)
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _let_keeper_end(self) -> None:
        end = time.monotonic() + _KEEPER
        while time.monotonic() < end and any(map(_is_there, self._groups)):
            self._turn(0.2)
            if self._end is not None and self._end.asked:
                return


def _is_there(group: int) -> bool:
    """Whether processes of a group live; those that have ended are taken away."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


@contextlib.contextmanager
def _own_signals(came: list[int]) -> Iterator[int]:
    """A block in which signals are noted in a list; gives a pipe that they wake."""
    adopt_orphans()
    read, write = os.pipe()
    for end in (read, write):
        os.set_blocking(end, False)
    kept = {s: signal.signal(s, lambda n, _: came.append(n)) for s in _ASKED}
    kept[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
    woken = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    try:
        yield read
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in kept.items():
            signal.signal(number, handler)
        os.close(read)
        os.close(write)


def adopt_orphans() -> None:
    """Become the parent of what ended processes leave behind, on Linux."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
