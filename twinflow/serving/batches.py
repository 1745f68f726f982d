"""Requests joined: those for the same signature and shapes run as one.

Note [Batches]: rows are joined along axis 0 and split again. A run that fails is made
again for each of its requests alone, so that only the one at fault gets the error. What
cannot be split, because an output does not have a row for each row of the inputs, is
not joined from then on. While nothing runs, a batch waits for what has been received
already and no longer; else until the run ends, it is full, or the time is over.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.serving.runs import Runs
from twinflow.serving.servable import Signature, size_of
from twinflow.serving.versions import Version


class Batches:
    """Joins requests; used on the event loop only.

    Args:
        runs: where they run. rows: at most in one run. wait: seconds that a request
            waits for others. sized: called with (Version, the rows of a run).
    """

    def __init__(
        self, runs: Runs, rows: int, wait: float,
        sized: Callable = lambda version, rows: None,
    ) -> None:  # fmt: skip
        self._runs, self._rows, self._wait, self._sized = runs, rows, wait, sized
        self._open: dict[tuple, _Batch] = {}
        self._tasks: set[asyncio.Task] = set()
        self._running: dict[tuple, int] = {}  # batches by key

    async def run(
        self, version: Version, signature: Signature, feeds: dict[str, Any],
        outputs: tuple[str, ...],
    ) -> dict[str, Any]:  # fmt: skip
        """The outputs by name; see Servable.run."""
        rows = _rows_of(signature, feeds)
        apart = version.servable.apart
        if not 0 < rows < self._rows or (signature.name, outputs) in apart:
            self._sized(version, max(rows, 1))
            servable = version.servable
            return await self._runs.run(
                version, servable.run, signature, feeds, outputs
            )
        shapes = [(n, a.dtype, a.shape[1:]) for n, a in sorted(feeds.items())]
        key = (id(version), signature.name, outputs, *shapes)
        batch = self._open.get(key)
        if batch is not None and batch.rows + rows > self._rows:
            self._close(key)
            batch = None
        if batch is None:
            batch = self._open[key] = _Batch(version, signature, outputs)
            loop = asyncio.get_running_loop()
            if self._running.get(key):
                batch.timer = loop.call_later(self._wait, self._close, key)
            else:  # those whose requests are read before the next look at the network
                batch.timer = loop.call_soon(self._close, key)
        answer = batch.add(feeds, rows)
        if batch.rows >= self._rows:
            self._close(key)
        return await answer

    def _close(self, key: tuple) -> None:
        """Run a batch; later requests go into another one."""
        batch = self._open.pop(key)
        batch.timer.cancel()
        self._running[key] = self._running.get(key, 0) + 1
        task = asyncio.get_running_loop().create_task(self._finish(batch, key))
        self._tasks.add(task)  # the loop itself keeps only weak references
        task.add_done_callback(self._tasks.discard)

    async def _finish(self, batch: "_Batch", key: tuple) -> None:
        try:
            batch.drop_cancelled()
            if batch.members:
                await self._together(batch)
        except Exception as error:
            if len(batch.members) == 1:
                batch.members[0].fail(error)
            else:
                await asyncio.gather(*(self._alone(batch, m) for m in batch.members))
        finally:
            batch.version.release()
            self._running[key] -= 1
            if not self._running[key]:
                del self._running[key]
                if key in self._open:  # they came during the run
                    self._close(key)

    async def _together(self, batch: "_Batch") -> None:
        version, members = batch.version, batch.members
        rows = sum(m.rows for m in members)
        self._sized(version, rows)
        size = sum(size_of(m.feeds) for m in members)
        if version.servable.is_quick(batch.signature, size):
            found = batch.joined_run()
        else:
            found = await self._runs.run(version, batch.joined_run)
        if len(members) > 1 and not _is_split(found, rows):
            version.servable.apart.add((batch.signature.name, batch.outputs))
            raise errors.FailedPreconditionError(None, None, "An output has no rows.")
        at = 0
        for member in members:
            part = slice(at, at + member.rows)
            at += member.rows
            alone = len(members) == 1
            member.give(found if alone else {n: a[part] for n, a in found.items()})

    async def _alone(self, batch: "_Batch", member: "_Member") -> None:
        version = batch.version
        self._sized(version, member.rows)
        try:
            run, feeds = version.servable.run, member.feeds
            member.give(
                await self._runs.run(
                    version, run, batch.signature, feeds, batch.outputs
                )
            )
        except Exception as error:
            member.fail(error)


class _Member:
    """A request in a batch."""

    def __init__(self, feeds: dict[str, Any], rows: int) -> None:
        self.feeds, self.rows = feeds, rows
        self.answer = asyncio.get_running_loop().create_future()

    def give(self, values: dict[str, Any]) -> None:
        if not self.answer.done():  # its client may have gone
            self.answer.set_result(values)

    def fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class _Batch:
    """Requests that are to run as one; it holds their version."""

    timer: asyncio.Handle

    def __init__(self, version: Version, signature: Signature, outputs: tuple) -> None:
        self.version, self.signature, self.outputs = version, signature, outputs
        self.members: list[_Member] = []
        self.rows = 0
        version.hold(more=True)

    def add(self, feeds: dict[str, Any], rows: int) -> asyncio.Future:
        """Take a request in; its answer."""
        member = _Member(feeds, rows)
        self.members.append(member)
        self.rows += rows
        return member.answer

    def drop_cancelled(self) -> None:
        """Leave out those whose clients have gone."""
        self.members = [m for m in self.members if not m.answer.done()]

    def joined_run(self) -> dict[str, Any]:
        """The outputs for all rows."""
        feeds = self.members[0].feeds
        if len(self.members) > 1:
            feeds = {
                n: np.concatenate([m.feeds[n] for m in self.members]) for n in feeds
            }
        return self.version.servable.run(self.signature, feeds, self.outputs)


def _rows_of(signature: Signature, feeds: dict[str, Any]) -> int:
    """The rows of a request, 0 if it cannot be joined with others."""
    if not feeds or any(a.ndim == 0 for a in feeds.values()):
        return 0
    for slot in signature.inputs.values():
        if slot.dims and slot.dims[0] is not None:
            return 0
    counts = {len(a) for a in feeds.values()}
    return counts.pop() if len(counts) == 1 else 0


def _is_split(found: dict[str, Any], rows: int) -> bool:
    return all(a.ndim and len(a) == rows for a in found.values())
