"""The homes of staging areas: entries that threads put in and take out.

An area is full by its number of entries or by their bytes; 0 is no limit. Who asks for
an entry waits for it, and does not keep others waiting: not for other keys, at least.
"""

import collections

import numpy as np

from twinflow.base import errors
from twinflow.base.blocking import Attempt, WaitingCell
from twinflow.base.errors import invalid

_PUT, _TAKE = 0, 1  # the lines


class _Once(Attempt):
    """Wait until `step(cell)` gives a list or another value than None."""

    __slots__ = ("step",)

    def __init__(self, step):
        super().__init__()
        self.step = step

    def advance(self, cell):
        """See Attempt."""
        try:
            found = self.step(cell)
        except errors.OpError as error:
            return self.fail(error)
        return False if found is None else self.finish(found)


class StagingCell(WaitingCell):
    """What both kinds of areas have.

    Args:
        node: its name. capacity: entries at most. memory_limit: bytes at most.
    """

    __slots__ = ("bytes", "capacity", "memory_limit", "node")

    def __init__(self, node, capacity, memory_limit):
        super().__init__(node, lines=2)
        self.node, self.capacity, self.memory_limit = node, capacity, memory_limit
        self.bytes = 0

    def fresh(self):
        """An empty area of the same kind, for a session of its own."""
        return type(self)(self.node, self.capacity, self.memory_limit)

    def _serve(self, line):
        moved = False
        for attempt in list(line):
            moved = attempt.advance(self) or moved
            if attempt.done:
                line.remove(attempt)
        return moved

    def _has_room(self, size, count):
        fits = not self.memory_limit or self.bytes + size <= self.memory_limit
        return fits and not 0 < self.capacity <= count

    def _check_bytes(self, size):
        if 0 < self.memory_limit < size:
            raise errors.ResourceExhaustedError(
                None, None,
                f"Attempted to insert tensors with combined size of '{size}' bytes "
                f"into Staging Area with a memory limit of '{self.memory_limit}'.",
            )  # fmt: skip


def _bytes(values):
    return sum(np.asarray(v).nbytes for v in values if v is not None)


class ListCell(StagingCell):
    """The home of a StagingArea: entries in order."""

    __slots__ = ("entries",)

    def __init__(self, node, capacity, memory_limit):
        super().__init__(node, capacity, memory_limit)
        self.entries: collections.deque = collections.deque()

    def put(self, values):
        """Put an entry in; waits for room."""
        size = _bytes(values)
        self._check_bytes(size)
        self.attempt(_PUT, _Once(lambda cell: cell._put(tuple(values), size)))

    def _put(self, values, size):
        if not self._has_room(size, len(self.entries)):
            return None
        self.entries.append(values)
        self.bytes += size
        return True

    def get(self):
        """Take the first entry out; waits for it."""
        return self.attempt(_TAKE, _Once(ListCell._get))

    def _get(self):
        if not self.entries:
            return None
        values = self.entries.popleft()
        self.bytes -= _bytes(values)
        return list(values)

    def peek(self, index):
        """The entry at a place, which stays; waits for it."""
        return self.attempt(_TAKE, _Once(lambda cell: cell._peek(index)))

    def _peek(self, index):
        return list(self.entries[index]) if index < len(self.entries) else None

    def size(self):
        """How many entries there are."""
        with self.changed:
            return len(self.entries)

    def clear(self):
        """Drop all entries."""
        with self.changed:
            self.entries.clear()
            self.bytes = 0
            self.flush()


class MapCell(StagingCell):
    """The home of a MapStagingArea: entries by keys, which may come in parts."""

    __slots__ = ("entries", "parts")

    def __init__(self, node, capacity, memory_limit):
        super().__init__(node, capacity, memory_limit)
        self.entries: dict = {}
        self.parts: dict = {}  # entries that lack some tensors

    def put(self, key, indices, values, count):
        """Put in some of the `count` tensors of an entry; waits for room."""
        size = _bytes(values)
        self._check_bytes(size)
        pairs = list(zip(indices, values, strict=True))
        for index, _ in pairs:
            _check_index(index, count)
        self.attempt(_PUT, _Once(lambda cell: cell._put(key, pairs, size, count)))

    def _put(self, key, pairs, size, count):
        if not self._has_room(size, len(self.entries)):
            return None
        entry = self.parts.setdefault(key, [None] * count)
        for index, value in pairs:
            if entry[index] is not None:
                raise invalid(
                    f"The tensor for index '{index}' for key '{key}' was already "
                    f"initialized '{count}'."
                )
            entry[index] = value
        self.bytes += size
        if all(v is not None for v in entry):
            self.entries.setdefault(key, self.parts.pop(key))
        return True

    def get(self, key, indices, remove=True):
        """Tensors of the entry of a key; waits for it."""
        return self.attempt(_TAKE, _Once(lambda c: c._get(key, indices, remove)))

    def _get(self, key, indices, remove):
        entry = self.entries.get(key)
        if entry is None:
            return None
        found = []
        for index in indices:
            _check_index(index, len(entry))
            if entry[index] is None:
                raise invalid(
                    f"Tensor at index '{index}' for key '{key}' has already been "
                    "removed."
                )
            found.append(entry[index])
        if remove:
            self._remove(key, entry, indices)
        return found

    def _remove(self, key, entry, indices):
        for index in indices:
            self.bytes -= _bytes([entry[index]])
            entry[index] = None
        if all(v is None for v in entry):
            del self.entries[key]

    def get_any(self, indices, ordered):
        """(key, tensors) of an entry, the one of the least key if `ordered`."""
        return self.attempt(_TAKE, _Once(lambda c: c._get_any(indices, ordered)))

    def _get_any(self, indices, ordered):
        if not self.entries:
            return None
        key = min(self.entries) if ordered else next(iter(self.entries))
        return key, self._get(key, indices, True)

    def size(self):
        """How many entries are whole."""
        with self.changed:
            return len(self.entries)

    def incomplete_size(self):
        """How many entries lack tensors."""
        with self.changed:
            return len(self.parts)

    def clear(self):
        """Drop all entries."""
        with self.changed:
            self.entries.clear()
            self.parts.clear()
            self.bytes = 0
            self.flush()


def _check_index(index, count):
    if not 0 <= index < count:
        raise invalid(f"Index '{index}' is out of bounds '{count}'.")
