"""Calls of several threads as one batch, and its results apart again.

A call of Batch leaves its rows with a cell, which closes a batch when
it is full, or some time after its first rows came. The call that came last gets the
whole, and an index whose rows are (id, start, end) of each call; the others get
nothing. Unbatch takes results and index from whoever has them, and waits for its own.
"""

import itertools
import secrets
import threading
import time
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.blocking import left, owner_now
from twinflow.base.dispatch import apply
from twinflow.base.errors import DeadlineExceededError, UnavailableError, invalid
from twinflow.base.op import Op, define
from twinflow.base.state import Cell

_PAUSE = 0.1  # seconds after which a waiting thread looks whether it was called off
_FULL = "The batch scheduling queue to which this task was submitted is full"
_numbers = itertools.count()


class _Together(Cell):
    """What threads that wait for each other share."""

    __slots__ = ("changed",)

    def __init__(self, name: str) -> None:
        super().__init__(name, dtypes.resource, ())
        self.changed = threading.Condition()

    def fresh(self) -> "_Together":
        """One for another session."""
        return type(self)(self.name)

    def wait(self, is_done: Any, until: float, words: str) -> None:
        """Wait, with `changed` held.

        Raises:
            DeadlineExceededError: it took too long.
        """
        while not is_done():
            rest = [until - time.monotonic(), _PAUSE, left()]
            if min(r for r in rest if r is not None) <= 0:
                raise DeadlineExceededError(None, None, words)
            self.changed.wait(min(r for r in rest if r is not None))
            owner = owner_now()
            if owner is not None and getattr(owner, "cancelled", None):
                raise DeadlineExceededError(None, None, words)


class _Task:
    """The rows of one call."""

    def __init__(self, rows: list) -> None:
        self.rows, self.size = rows, len(rows[0])
        self.id = secrets.randbits(63)
        self.result: Any = None


class BatchCell(_Together):
    """Calls that wait to be put together.

    Attributes:
        open: {number of a batch: (its tasks, when it closes)}.
        back: {place of a tensor: the cell of the parts of its slope}.
    """

    __slots__ = ("back", "open")

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.open: dict = {}
        self.back: dict = {}

    def way_back(self, place: int) -> "PartsCell":
        """The cell in which the slope of a tensor is taken apart."""
        return self.back.setdefault(place, PartsCell(f"{self.name}_{place}"))

    def put(self, rows: list, limit: int, seconds: float, most: int) -> Any:
        """(tasks of the batch, if this call has it, else None; the task)"""
        task = _Task(rows)
        with self.changed:
            number = self._place(task, limit, most, time.monotonic() + seconds)
            tasks, closes = self.open[number]
            while task.result is None:
                full = sum(t.size for t in tasks) >= limit
                if full or time.monotonic() >= closes or tasks[-1].result:
                    self._close(number)
                    break
                self.changed.wait(min(max(closes - time.monotonic(), 0), _PAUSE))
        return (tasks if task is tasks[-1] else None), task

    def _place(self, task: _Task, limit: int, most: int, closes: float) -> int:
        for number, (tasks, _) in self.open.items():
            if sum(t.size for t in tasks) + task.size <= limit:
                tasks.append(task)
                self.changed.notify_all()
                return number
        if len(self.open) >= most:
            raise UnavailableError(None, None, _FULL)
        number = next(_numbers)
        self.open[number] = [task], closes
        return number

    def _close(self, number: int) -> None:
        tasks, _ = self.open.pop(number, ((), 0))
        for t in tasks:
            t.result = True
        self.changed.notify_all()


class PartsCell(_Together):
    """Parts of batches by the number of their call.

    Attributes:
        parts: {id: array}.
    """

    __slots__ = ("_back", "parts")

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.parts: dict = {}
        self._back: PartsCell | None = None

    @property
    def way_back(self) -> "PartsCell":
        """The cell of the slopes."""
        if self._back is None:
            self._back = PartsCell(f"{self.name}_back")
        return self._back


# ---------------------------------------------------------------------- together
def _check(rows, limit, allowed):
    if allowed and allowed[-1] != limit:
        raise invalid("final entry in allowed_batch_sizes must equal max_batch_size")
    if list(allowed) != sorted(set(allowed)):
        words = "allowed_batch_sizes entries must be monotonically increasing"
        raise invalid(words)
    if any(r.ndim == 0 for r in rows):
        raise invalid("Batching input tensors must have at least one dimension")
    if len({len(r) for r in rows}) > 1:
        raise invalid(
            "Batching input tensors supplied in a given op invocation must have equal "
            "0th-dimension size"
        )
    if len(rows[0]) > limit:
        raise invalid(
            f"Task size {len(rows[0])} is larger than maximum batch size {limit}"
        )


def _whole(tasks, allowed):
    """The tensors of a batch, filled up with its first row, and its index."""
    ends = list(itertools.accumulate(t.size for t in tasks))
    size = next((a for a in allowed if a >= ends[-1]), ends[-1])
    whole = []
    for parts in zip(*(t.rows for t in tasks), strict=True):
        more = [parts[0][:1]] * (size - ends[-1])
        whole.append(np.concatenate([*parts, *more]))
    spans = zip(tasks, [0, *ends], ends, strict=False)
    return whole, np.array([[t.id, a, b] for t, a, b in spans], np.int64)


def _batch(
    in_tensors, cell, max_batch_size, max_enqueued_batches, batch_timeout_micros,
    allowed_batch_sizes, **_,
):  # fmt: skip
    rows = [np.asarray(t) for t in in_tensors]
    _check(rows, max_batch_size, allowed_batch_sizes)
    seconds = batch_timeout_micros / 1e6
    tasks, task = cell.put(rows, max_batch_size, seconds, max_enqueued_batches)
    if tasks is None:
        whole, index = [r[:0] for r in rows], np.zeros((0, 3), np.int64)
    else:
        whole, index = _whole(tasks, allowed_batch_sizes)
    return [*whole, index, np.int64(task.id)]


def _infer_batch(in_tensors, **_):
    shapes = [t._shape for t in in_tensors]
    return [*((None, *s[1:]) if s else None for s in shapes), (None, 3), ()]


def _batch_back(dy, batch_index, id, cell, grad_timeout_micros):
    """The rows of each call, of the slopes of the whole."""
    slopes = []
    for place, slope in enumerate(dy[:-2]):
        attrs = {"timeout_micros": grad_timeout_micros, "cell": cell.way_back(place)}
        args = slope, batch_index, id
        slopes.append(None if slope is None else apply(Unbatch, args, attrs))
    return (slopes,)


Batch = define(
    "Batch",
    attrs={"cell": None},
    infer=_infer_batch,
    host=_batch,
    cell="cell",
    stateful=True,
    grad=_batch_back,
    none_ok=True,
)


# ---------------------------------------------------------------------- apart
def _late(micros):
    return time.monotonic() + micros / 1e6, "Batched part did not come in time"


def _unbatch(batched_tensor, batch_index, id, cell, timeout_micros, **_):
    with cell.changed:
        for key, start, end in batch_index.tolist():
            cell.parts[key] = batched_tensor[start:end]
        cell.changed.notify_all()
        key = int(id)
        cell.wait(lambda: key in cell.parts, *_late(timeout_micros))
        return cell.parts.pop(key)


def _infer_unbatch(batched_tensor, *_, **__):
    s = batched_tensor._shape
    return (None, *s[1:]) if s else None


_MINUTES = 600_000_000  # what a gradient waits for those of the other calls, in us


def _unbatch_grad(original_input, batch_index, grad, id, cell, **_):
    with cell.changed:
        cell.parts[int(id)] = grad
        cell.changed.notify_all()
        keys = batch_index[:, 0].tolist()
        cell.wait(lambda: all(k in cell.parts for k in keys), *_late(_MINUTES))
        parts = [cell.parts.pop(k) for k in keys]
    if not parts:
        return grad[:0]
    added = len(original_input) - int(batch_index[-1, 2])  # to fill the batch up
    return np.concatenate([*parts, np.zeros((added, *grad.shape[1:]), grad.dtype)])


def _unbatch_back(dy, batched_tensor, batch_index, id, cell):
    attrs = {"cell": cell.way_back}
    return apply(UnbatchGrad, (batched_tensor, batch_index, dy, id), attrs), None, None


Unbatch: Op = define(
    "Unbatch",
    attrs={"cell": None},
    infer=_infer_unbatch,
    host=_unbatch,
    cell="cell",
    stateful=True,
    grad=_unbatch_back,
)
UnbatchGrad: Op = define(
    "UnbatchGrad",
    attrs={"cell": None},
    infer=_infer_unbatch,
    host=_unbatch_grad,
    cell="cell",
    stateful=True,
)
