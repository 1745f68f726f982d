"""Processes that compute together: what they give each other, and who is missing.

Note [Processes]: all processes of a group run the same program, and come to the same
collectives in the same order; jax's distributed runtime (lower.processes) carries them.
Each call runs in one thread of its own, so that its caller can stop waiting: a process
that died ends it at once with UnavailableError, one that does not come with
DeadlineExceededError after TWINFLOW_COLLECTIVE_SECONDS. Both name the processes at
fault, and after them the group is of no more use: what comes later raises the same.

Processes that come to different collectives learn it at once (Note [Agreement] in
execute.agreement).

Sums are made in one order on all processes, which get the same bits. Half floats are
added as float32, and rounded once.
"""

import atexit
import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors, processes
from twinflow.base.annotations import Array
from twinflow.base.drawing import drawing_apart
from twinflow.execute.agreement import Collective, collective, difference
from twinflow.execute.exit import let_go

_GIVEN_UP, _LEFT = "gave up/", "left/"
_LIMIT = "TWINFLOW_COLLECTIVE_SECONDS"
_SECONDS = 600.0
_BEAT = 1.0  # seconds between two signs of life
_SILENCE = 5.0  # seconds without one after which a process counts as dead
_LOOK = 0.5  # seconds between two looks at whether another one has given up
_MOMENT = 1.0  # seconds for the others to say what they wait for


def join(address: str, size: int, rank: int, seconds: int = 300) -> "Group":
    """Compute together with other processes from now on.

    Args:
        address: host:port where the first process can be reached; a free port.
        size: how many processes there are. rank: the number of this one, from 0.
        seconds: to wait until all have come.
    Returns:
        The Group; the same one for a second call.
    Raises:
        FailedPreconditionError: it is in another group, or XLA runs already.
        DeadlineExceededError: not all came in time.
    """
    asked, now = (address, size, rank), processes.current()
    if now is None:
        now = Group(*asked, seconds)
        processes.begin(now)
        atexit.register(now.leave)
    elif now.asked != asked:
        raise errors.FailedPreconditionError(
            None, None,
            f"This process is number {now.rank} of {now.size} at {now.asked[0]}, it "
            f"cannot become number {rank} of {size} at {address}.",
        )  # fmt: skip
    return now


class Group:
    """Processes that compute together, as one of them sees them.

    Attributes:
        size: how many there are. rank: the number of this one.
        broken: why they cannot go on together, or None.
    """

    def __init__(self, address: str, size: int, rank: int, seconds: int) -> None:
        self.asked = address, size, rank
        self.size, self.rank = size, rank
        self.jobs: queue.SimpleQueue = queue.SimpleQueue()
        self._count = 0
        self.broken: errors.OpError | None = None
        self._lock = threading.Lock()
        self._runtime = _runtime(address, size, rank, seconds)
        self.doing: str | None = None  # as execute.exit reads it, and `work`
        self.work = self._runtime
        self.thread = threading.Thread(
            target=self._loop, name="collectives", daemon=True
        )
        self._ended = threading.Event()
        self._beats = threading.Thread(target=self._live, name="beats", daemon=True)
        self.thread.start()
        self._beats.start()

    # ------------------------------------------------------------------ values
    def all_reduce(
        self, arrays: Sequence[Array], merge: str = "sum", names: Sequence[str] = ()
    ) -> list[Array]:
        """What arrays of all processes become, element by element.

        Args:
            arrays: of the same shapes and dtypes in all processes.
            merge: "sum", "prod", "min" or "max".
            names: of the arrays, which must be the same in all processes.
        Returns:
            One array for each.
        Raises:
            FailedPreconditionError: the processes have come to different collectives.
        """
        arrays = [np.asarray(a) for a in arrays]
        if self.size == 1:
            return [a.copy() for a in arrays]
        found: list = [None] * len(arrays)
        kinds: dict = {}
        asked = collective(merge, arrays, names)
        for i, a in enumerate(arrays):
            kinds.setdefault(_carried(a.dtype), []).append(i)
        for kind, places in kinds.items():
            flat = np.concatenate([arrays[i].ravel().astype(kind) for i in places])
            flat = self._merged(flat, merge, asked)
            start = 0
            for i in places:
                a = arrays[i]
                part = flat[start : start + a.size].reshape(a.shape)
                found[i], start = part.astype(a.dtype), start + a.size
        return found

    def _merged(self, flat: Array, merge: str, asked: Collective) -> Array:
        if flat.dtype.kind == "c":
            if merge != "sum":
                raise errors.invalid(f"Complex numbers have no {merge!r} of processes")
            part = flat.real.dtype
            return self._merged(flat.view(part), merge, asked).view(flat.dtype)
        if merge != "prod":
            return self._do(lambda r, digest: r.reduced(flat, merge, digest), asked)
        rows = self._do(lambda r, digest: r.gathered(flat, digest), asked)
        return np.prod(rows, axis=0, dtype=flat.dtype)

    def all_gather(self, array: Array, names: Sequence[str] = ()) -> list[Array]:
        """The arrays of all processes, in the order of their numbers.

        Args:
            array: of the same dtype and number of axes in all processes; of sizes too,
                other than the first. names: of the array, if it has one.
        Raises:
            FailedPreconditionError: as for `all_reduce`.
        """
        array = np.asarray(array)
        if self.size == 1:
            return [array.copy()]
        asked = collective("gather", [array], names, free=True)
        shape = np.array([*array.shape, 0], np.int64)
        shapes = self._do(lambda r, digest: r.gathered(shape, digest), asked)[:, :-1]
        sizes = [int(np.prod(s)) for s in shapes]
        raw = _bytes_of(array, max(sizes))
        rows = self._do(lambda r, digest: r.gathered(raw, digest), asked)
        step = array.dtype.itemsize
        return [
            np.frombuffer(row.tobytes()[: n * step], array.dtype).reshape(s).copy()
            for row, n, s in zip(rows, sizes, shapes, strict=True)
        ]

    def broadcast(
        self, arrays: Sequence[Array], root: int = 0, names: Sequence[str] = ()
    ) -> list[Array]:
        """The arrays of one process, in all of them, bit for bit.

        Args:
            arrays: of the same shapes and dtypes in all processes. root: whose.
            names: of the arrays, where they have any.
        Raises:
            FailedPreconditionError: as for `all_reduce`.
        """
        arrays = [np.asarray(a) for a in arrays]
        if self.size == 1 or not arrays:
            return [a.copy() for a in arrays]
        raw = [_bytes_of(a, a.size) for a in arrays]
        flat = np.concatenate(raw)
        if self.rank != root:
            flat[:] = 0
        asked = collective(f"broadcast from process {root}", arrays, names)
        flat = self._do(lambda r, digest: r.reduced(flat, "sum", digest), asked)
        parts = np.split(flat, np.cumsum([r.size for r in raw])[:-1])
        return [
            np.frombuffer(part.tobytes()[: a.nbytes], a.dtype).reshape(a.shape).copy()
            for a, part in zip(arrays, parts, strict=True)
        ]

    def barrier(self) -> None:
        """Wait until all processes have come here."""
        self.all_reduce([np.zeros(1, np.int32)])

    # ------------------------------------------------------------------ calls
    def _do(self, call: Callable, asked: Collective) -> Any:
        digest = asked.digest
        with self._lock:
            if self.broken is not None:
                raise self.broken
            self._count += 1
            done = threading.Event()
            found: list = []
            self.jobs.put((lambda r: call(r, digest), done, found))
            self.broken = self._waited(done)
            if done.is_set() and isinstance(found[0], Exception):
                self.broken = self._died(found[0])
            if self.broken is not None:
                raise self.broken
            if found[0] is None:
                raise difference(self._runtime, self.rank, self._count, asked)
            return found[0]

    def _waited(self, done: threading.Event) -> errors.OpError | None:
        """Wait until a call is done; the error if that takes too long."""
        if done.wait(_LOOK):
            return None
        limit = float(os.environ.get(_LIMIT, _SECONDS))
        end = time.monotonic() + limit
        while not done.wait(_LOOK):
            if time.monotonic() > end:
                return self._not_there(limit)
            with contextlib.suppress(Exception):
                if self._runtime.said(_GIVEN_UP) and not done.is_set():
                    return self._died(None)  # nobody breaks off this one
        return None

    def _loop(self) -> None:
        while True:
            self.doing = None
            call, done, found = self.jobs.get()
            self.doing = "xla"
            try:
                found.append(call(self._runtime))
            except Exception as error:
                found.append(error)
            done.set()

    def _died(self, error: Exception | None) -> errors.OpError:
        """The error for a collective that was broken off, here or elsewhere."""
        missing: list[int] = []
        left: list[int] = []
        with contextlib.suppress(Exception):  # nobody knows then
            self._runtime.say(f"{_GIVEN_UP}{self.rank}", "")
            before = self._runtime.beats()
            time.sleep(_SILENCE)
            after = self._runtime.beats()
            left = sorted(_ranks(self._runtime.said(_LEFT)))
            missing = [i for i in range(self.size) if before.get(i) == after.get(i)]
            missing = [i for i in missing if i not in left]
        who = _named(missing, "has died", "have died")
        who = who or _named(left, "has left", "have left")
        who = who or str(error or "another process gave up").splitlines()[0]
        return errors.UnavailableError(
            None, None,
            f"Collective {self._count} of {self.size} processes was broken off in "
            f"process {self.rank}: {who}. Start them again from the last checkpoint.",
        )  # fmt: skip

    def _not_there(self, limit: float) -> errors.OpError:
        """The error for a collective to which not all have come."""
        key, waits = f"waits/{self._count}/", set()
        with contextlib.suppress(Exception):
            self._runtime.say(f"{key}{self.rank}", "")
            time.sleep(_MOMENT)
            waits = _ranks(self._runtime.said(key))
        absent = [i for i in range(self.size) if i not in waits] if waits else []
        who = _named(absent, "has not come", "have not come") or "it did not end"
        return errors.DeadlineExceededError(
            None, None,
            f"Collective {self._count} of {self.size} processes did not end within "
            f"{limit:g} s in process {self.rank}: {who}. All processes must come to "
            f"the same collectives in the same order; {_LIMIT} says how long to wait.",
        )  # fmt: skip

    def leave(self) -> None:
        """Leave the group; what comes later raises."""
        with self._lock:
            if self.broken is None:
                self.broken = errors.UnavailableError(
                    None, None, "This process has left its group."
                )
        self._ended.set()
        self._beats.join(_SILENCE)
        with contextlib.suppress(Exception):
            self._runtime.say(f"{_LEFT}{self.rank}", "")
            self._runtime.leave()
        let_go(self)  # where the thread waits for a process that does not come

    def _live(self) -> None:
        """Give signs of life until the list of processes is gone."""
        with contextlib.suppress(Exception):
            while not self._ended.wait(_BEAT):
                self._runtime.beat()


def _runtime(address: str, size: int, rank: int, seconds: int) -> Any:
    if size == 1:
        return _Alone()
    with drawing_apart():
        from twinflow.lower import processes as lowered
    return lowered.Runtime(address, size, rank, seconds)


class _Alone:
    """The runtime of one process, which needs none."""

    def beat(self) -> None:
        raise EOFError

    say = leave = lambda self, *_: None


def _ranks(said: dict[str, str]) -> set[int]:
    return {int(key.rpartition("/")[2]) for key in said}


def _named(ranks: list[int], one: str, many: str) -> str:
    if not ranks:
        return ""
    if len(ranks) == 1:
        return f"process {ranks[0]} {one}"
    return f"processes {', '.join(map(str, ranks))} {many}"


def _carried(dtype: Any) -> Any:
    """The dtype in which values travel and are added."""
    if dtype in (dtypes.float16.np, dtypes.bfloat16.np):
        return np.dtype(np.float32)
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


def _bytes_of(array: Array, count: int) -> Array:
    """The bits of an array, with zeros up to a number of elements, as int32."""
    raw = np.zeros(-(-count * array.dtype.itemsize // 4), np.int32)
    raw.view(np.uint8)[: array.nbytes] = np.frombuffer(array.tobytes(), np.uint8)
    return raw
