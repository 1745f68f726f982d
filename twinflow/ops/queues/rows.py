"""What a queue holds: a spec of it, and its rows in the order in which they leave."""

import collections
import heapq
import itertools
from typing import NamedTuple

from twinflow.base import dtypes
from twinflow.ops.core.infer import text
from twinflow.ops.random.philox_words import seeds_or_entropy, words


class QueueSpec(NamedTuple):
    """What a queue holds.

    Attributes:
        kind: the OpDef without its version. types: one DType per component.
        shapes: one tuple per component, with None for what varies; () = not known.
        capacity: how many rows; below 0 = any number.
        min_after_dequeue, seed, seed2: of a RandomShuffleQueue.
    """

    kind: str
    types: tuple
    shapes: tuple = ()
    capacity: int = -1
    min_after_dequeue: int = 0
    seed: int = 0
    seed2: int = 0

    def problem(self):
        """What is wrong with it, or None."""
        least = self.min_after_dequeue
        if least < 0:
            return f"min_after_dequeue {least} must be >= 0"
        if least and 0 <= self.capacity <= least:
            return f"min_after_dequeue {least} must be < capacity {self.capacity}"
        return None

    def conflict(self, asked, name):
        """Why the queue `name` of this spec is not the one `asked` for, or None."""
        start = f"Shared queue '{name}' has"
        if self.kind != asked.kind:
            return f"Expected {self.kind}, found {asked.kind}V2"
        if self.capacity != asked.capacity:
            wanted = f"requested capacity was {asked.capacity}"
            return f"{start} capacity {self.capacity} but {wanted}"
        if self.types != asked.types:
            wanted = f"requested component types were {_names(asked.types)}"
            return f"{start} component types {_names(self.types)} but {wanted}"
        if self.shapes != asked.shapes:
            wanted = f"requested component shapes were {_texts(asked.shapes)}"
            return f"{start} component shapes {_texts(self.shapes)} but {wanted}"
        if self.min_after_dequeue != asked.min_after_dequeue:
            return (
                f"{start} min_after_dequeue {self.min_after_dequeue} but requested "
                f"min_after_dequeue was {asked.min_after_dequeue}."
            )
        if self[-2:] != asked[-2:] and asked[-2:] != (0, 0):
            return (
                f"{start} random seeds {self[-2:]} but requested seeds are "
                f"{asked[-2:]}."
            )
        return None


def _names(types):
    return ", ".join(map(dtypes.cpp_name, types))


def _texts(shapes):
    return "[" + ",".join(map(text, shapes)) + "]"


# ---------------------------------------------------------------------- order
class _InOrder(collections.deque):
    """Rows that leave in the order in which they came."""

    def __init__(self, spec):
        super().__init__()

    add, take = collections.deque.append, collections.deque.popleft

    def give_back(self, rows):
        """Put rows to the front again."""
        self.extendleft(reversed(rows))


class _AtRandom(list):
    """Rows that leave in random order: the last one takes the place of one that left.

    The order is that of TensorFlow 1.12 for the same seeds: Philox words, taken modulo
    the number of rows.
    """

    def __init__(self, spec):
        super().__init__()
        self._draw = words(*seeds_or_entropy(spec.seed, spec.seed2))

    add, give_back = list.append, list.extend

    def take(self):
        """Remove a row."""
        place = next(self._draw) % len(self)
        row, self[place] = self[place], self[-1]
        self.pop()
        return row


class _ByPriority:
    """Rows that leave with the smallest first component first, the oldest of those."""

    def __init__(self, spec):
        self._heap: list = []
        self._numbers = itertools.count()

    def __len__(self):
        return len(self._heap)

    def add(self, row):
        """Put a row in."""
        heapq.heappush(self._heap, (int(row[0]), next(self._numbers), row))

    def take(self):
        """Remove the first row."""
        return heapq.heappop(self._heap)[2]

    def give_back(self, rows):
        """Put rows in again, as older than all others."""
        for i, row in enumerate(rows, -len(rows)):
            heapq.heappush(self._heap, (int(row[0]), i, row))


_ORDERS: dict = {"RandomShuffleQueue": _AtRandom, "PriorityQueue": _ByPriority}


def rows_for(spec):
    """What holds the rows of a queue of this spec; it is empty."""
    return _ORDERS.get(spec.kind, _InOrder)(spec)
