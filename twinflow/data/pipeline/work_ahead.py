"""Passes whose elements are worked on ahead, in chunks, and come back in order.

Note [Ahead]: elements are taken from the pass before in the reader's thread, some
milliseconds of work at a time. They stay known until their results were read: they are
what such a pass tells of its place, so a pass that goes on from there works on them
again.
"""

import collections
import time

import numpy as np

from twinflow.base import errors
from twinflow.data.pipeline.positions import of_outcome, outcome, place_of, put
from twinflow.data.pipeline.stages import Pass, joined, row, stacked

WORK = 5e-3  # seconds of work in a chunk
_ELEMENTS, _BYTES = 1024, 16 << 20  # ahead at most; but each chunk has an element


class Chunk:
    """Some elements in a row.

    Args:
        count: how many. columns: their components, each stacked; or None.
        listed: the elements themselves if they were not stacked.
    """

    __slots__ = ("columns", "count", "listed")

    def __init__(self, count, columns, listed):
        self.count, self.columns, self.listed = count, columns, listed

    @classmethod
    def of(cls, rows):
        """The chunk of a list of elements, stacked if they have one shape."""
        try:
            return cls(len(rows), stacked(rows), None)
        except errors.InvalidArgumentError:
            return cls(len(rows), None, rows)

    def owned(self):
        """The same chunk in memory of its own."""
        if self.columns is None:
            listed = [[np.array(a) for a in element] for element in self.listed]
            return Chunk(self.count, None, listed)
        return Chunk(self.count, [np.array(c) for c in self.columns], None)

    def element(self, i):
        """Element number `i`; it looks at the chunk."""
        if self.columns is None:
            return self.listed[i]
        return [row(c, i) for c in self.columns]

    def alone(self, i):
        """Element number `i`, which does not keep the chunk alive."""
        if self.columns is None:
            return self.listed[i]
        return [a.copy() if a.ndim else a for a in self.element(i)]

    def part(self, start, stop):
        """The elements from `start` to `stop` as a chunk."""
        if self.columns is None:
            return Chunk(stop - start, None, self.listed[start:stop])
        columns = self.columns
        if start or stop < self.count:
            columns = [c[start:stop] for c in columns]
        return Chunk(stop - start, columns, None)


class Done:
    """The results of a chunk and how far they were read.

    Args:
        chunk: the results. failed: {place: exception} of the elements without one.
        rows: the elements they were made of.
    """

    def __init__(self, chunk, failed, rows):
        self.chunk, self.failed, self.rows = chunk, failed, rows
        self.place = self.lost = 0

    @property
    def left(self):
        """How many are still to be read."""
        return len(self.rows) - self.place

    def take(self, count):
        """The next results, at most `count` of them, as a Chunk; or raise an error."""
        place, failed = self.place, self.failed
        if place in failed:
            self.place, self.lost = place + 1, self.lost + 1
            raise failed.pop(place)  # kept, it would hold its frames, and they this
        self.place = min([place + count, len(self.rows), *failed])
        return self.chunk.part(place - self.lost, self.place - self.lost)


_NOTHING = Done(None, {}, [])


class Ahead(Pass):
    """A pass that gives its elements to workers.

    A subclass says who they are: `_begin`, `_has_room`, `_give`, `_is_ready`, `_take`
    and `_end`.

    Args:
        inner: the pass before.
        share: how many chunks there are at once.
    """

    def __init__(self, inner, share):
        self.inner, self.share, self.elements = inner, share, None
        self.begun = self.ended = False
        self.queue: collections.deque = collections.deque()  # (handle, rows or error)
        self.saved: collections.deque = collections.deque()  # inputs of a place
        self.done, self.size, self.wanted = _NOTHING, 1, 0

    def __next__(self):
        part = self._part(1)
        if part is None:
            raise StopIteration
        return part.alone(0)

    def block(self, count):
        self.wanted, parts = count, []
        while count:
            part = self._part(count)
            if part is None:
                break
            parts.append(part)
            count -= part.count
        if not parts:
            return None
        if all(p.columns is not None for p in parts):
            try:
                return joined([p.columns for p in parts])
            except errors.InvalidArgumentError:
                pass  # `stacked` says which element is the first to differ
        return stacked([p.element(i) for p in parts for i in range(p.count)])

    def _part(self, count):
        while not self.done.left:
            if not self._advance():
                return None
        return self.done.take(count)

    def _advance(self):
        """Make the next chunk of results the current one; False at the end."""
        self.done = _NOTHING
        try:
            if not self.begun and not self.ended:
                self._begin()
                self.begun = True
            self._fill()
            handle, rows = self.queue[0] if self.queue else (None, None)
            if handle is not None:
                chunk, failed, seconds = self._take(handle)
        except Exception:  # there are no workers any more
            self.ended = True
            self.queue.clear()
            self._end(False)
            raise
        except BaseException:  # Ctrl-C: the user may go on
            self._interrupted()
            raise
        if rows is None:
            self._end(True)
            return False
        self.queue.popleft()
        if handle is None:
            raise rows  # the error of the pass before, in its place
        self.done = Done(chunk, failed, rows)
        self._adapt(seconds)
        return True

    # ------------------------------------------------------------------ giving
    def _fill(self):
        """Give chunks to workers; not for long if a result waits already."""
        end = time.perf_counter() + WORK
        while not self.ended and self._has_room():
            rows, error = self._pulled(time.perf_counter() + WORK)
            if rows:
                self.queue.append((self._given_to_one(rows), rows))
            if error is not None:
                self.queue.append((None, error))
            if time.perf_counter() > end and self.queue:
                handle = self.queue[0][0]
                if handle is None or self._is_ready(handle):
                    return

    def _given_to_one(self, rows):
        try:
            return self._give(rows)
        except BaseException:
            self.saved.extendleft(reversed(rows))
            raise

    def _pulled(self, end):
        """Elements for a chunk, and the error that came after them or None."""
        rows: list = []
        try:
            while len(rows) < self.size:
                rows.append(self._input())
                if time.perf_counter() > end:
                    break
        except StopIteration:
            self.ended = True
        except Exception as error:
            return rows, error
        except BaseException:
            self.saved.extendleft(reversed(rows))
            raise
        return rows, None

    def _input(self):
        if self.saved:
            found = self.saved.popleft()
            if isinstance(found, Exception):
                raise found
            return found
        if self.elements is None:
            self.elements = iter(self.inner)
        return next(self.elements)

    def _adapt(self, seconds):
        """Choose how many elements the next chunks have: some milliseconds of work, or
        so many that all chunks are two batches; not more than fits."""
        each = max(seconds / len(self.done.rows), 1e-7)
        size = max(int(WORK / each), -(-2 * self.wanted // self.share))
        most = min(_ELEMENTS, _BYTES // max(self._bytes(), 1))
        self.size = max(1, min(size, most // self.share))

    def _bytes(self):
        """Bytes of an element, or of a result if it has more."""
        done = self.done
        found = [done.rows[0], *([done.chunk.element(0)] if done.chunk.count else [])]
        return max(sum(np.asarray(a).nbytes for a in element) for element in found)

    # ------------------------------------------------------------------ places
    def state(self):
        """The place of the pass before, and what was taken from it but not read."""
        kept = [*self.done.rows[self.done.place :], *self._given(), *self.saved]
        return [place_of(self.inner), list(map(_told, kept))]

    def resume(self, place, kept):
        put(self.inner, place)
        pairs = map(of_outcome, kept)
        self.saved.extend(e if error is None else error for e, error in pairs)

    def _given(self):
        """What workers have, and the errors in between."""
        for handle, rows in self.queue:
            yield from [rows] if handle is None else rows

    # ------------------------------------------------------------------ workers
    def _begin(self):
        """Get workers."""

    def _has_room(self):
        """Whether a worker can be given a chunk."""
        return False

    def _give(self, rows):
        """Give a chunk to a worker; returns a handle for `_take`."""

    def _is_ready(self, handle):
        """Whether `_take` would not wait."""
        return True

    def _take(self, handle):
        """(Chunk of the results, {place: exception}, seconds of work)."""

    def _interrupted(self):
        """Ctrl-C came; the queue is to stay as it is, or to be given anew."""

    def _end(self, well):
        """Let the workers go: at the end, or because one of them failed."""


def _told(found):
    is_error = isinstance(found, Exception)
    return outcome(None, found) if is_error else outcome(found, None)


def worked(function, rows, is_over=lambda: False, failure=lambda error: error):
    """(results, {place: failure}, seconds) of a function of each of `rows`.

    Args:
        is_over: whether nobody waits for them any more, asked before each one.
        failure: what is kept of an exception.
    """
    found: list = []
    failed, start = {}, time.perf_counter()
    for i, element in enumerate(rows):
        if is_over():
            break
        try:
            found.append(function(element))
        except BaseException as error:
            failed[i] = failure(error)
    return found, failed, time.perf_counter() - start
