"""The homes of barriers: rows that come in component by component, under keys.

Note [Barriers]: a key that has all its components becomes a row of a PriorityQueue:
the number of the insertion that brought it first, the key, the components. A closed
barrier takes no new keys; it ends once the last of those that wait is complete.
"""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.ops.core.infer import text
from twinflow.ops.queues.cells import QueueCell
from twinflow.ops.queues.resource_names import private_name
from twinflow.ops.queues.rows import QueueSpec


class BarrierCell(QueueCell):
    """A barrier: see Note [Barriers].

    Args:
        node: the name of its node. types: the DTypes of the components.
        shapes: one tuple each; () = not known. shared_name: or "".
    """

    __slots__ = ("barred", "called_off", "count", "shapes", "types", "waiting")

    def __init__(self, node, types, shapes, shared_name="", name=None):
        full = ((), (), *shapes) if shapes else ()
        kinds = dtypes.int64, dtypes.string, *types
        super().__init__(
            node, QueueSpec("PriorityQueue", kinds, full), shared_name, name
        )
        self.types, self.shapes = types, shapes
        self.waiting: dict = {}
        self.count, self.barred, self.called_off = -(2**63), False, False

    def fresh(self):
        """An empty barrier of the same kind, for a session of its own."""
        name = self.shared_name or private_name(self.node)
        return BarrierCell(self.node, self.types, self.shapes, self.shared_name, name)

    # ------------------------------------------------------------------ putting in
    def insert(self, place, keys, values):
        """Give keys a component.

        Args:
            place: the number of the component. keys: string[n]. values: [n, ...].
        Raises:
            InvalidArgumentError: a key has it already.
            CancelledError: the barrier is closed.
        """
        self._check(place, keys, values)
        with self.changed:
            self._check_open(len(keys))
            new = False
            for i, key in enumerate(keys.tolist()):
                new = self._insert_one(place, key, values[i], i) or new
            self.count += new
            if self.barred and not self.waiting:
                self.closed = True
            self.flush()

    def _check(self, place, keys, values):
        shape = np.shape(values)
        if len(keys) and not values.size:
            raise invalid(
                f"Tensors with no elements are not supported {self.name}: received "
                f"shape {text(shape)}"
            )
        if self.shapes and tuple(self.shapes[place]) != shape[1:]:
            raise invalid(
                f"Shape mismatch in tuple component {place}. Expected "
                f"{text(self.shapes[place])}, got {text(shape[1:])}"
            )

    def _check_open(self, count):
        if self.barred and (self.called_off or (count and not self.waiting)):
            raise _cancelled(
                f"Barrier {self.name} is closed.  Pending enqueues cancelled: "
                f"{int(self.called_off)}.  Number of new insertions: {count}.  Number "
                f"of incomplete keys: {len(self.waiting)}."
            )

    def _insert_one(self, place, key, value, i):
        """Whether the key is new."""
        if self.barred and key not in self.waiting:
            raise _cancelled(
                f"Barrier {self.name} is closed, but attempted to insert a brand new "
                f"key: {_plain(key)}.  Pending enqueues cancelled: "
                f"{int(self.called_off)}.  Insertion index: {i}.  Number of incomplete "
                f"keys: {len(self.waiting)}."
            )
        new = key not in self.waiting
        number, parts = self.waiting.setdefault(key, (self.count, {}))
        if place in parts:
            raise invalid(
                f"Key {_plain(key)} already has a value for component {place} in "
                f"barrier {self.name}"
            )
        parts[place] = value
        if len(parts) == len(self.types):
            del self.waiting[key]
            ordered = [parts[k] for k in range(len(self.types))]
            self.rows.add((np.int64(number), key, *ordered))
        return new

    def close(self, cancel_pending_enqueues):
        """Let no new keys in; those that wait for components go on, or are dropped.

        Raises:
            CancelledError: it is closed already, in this way.
        """
        with self.changed:
            if self.barred and (self.called_off or not cancel_pending_enqueues):
                raise _cancelled(f"Barrier '{self.name}' is already closed.")
            self.barred, self.called_off = True, cancel_pending_enqueues
            if cancel_pending_enqueues:
                self.waiting.clear()
            self.closed = self.closed or not self.waiting
            self.flush()

    # ------------------------------------------------------------------ taking out
    def take(self, count, small):
        """The numbers, keys and components of the next complete keys; waits for them.

        Args:
            count: how many. small: take what is there where the barrier is closed.
        """
        with self.changed:
            count = self._deliverable(count, small)
        found = self.dequeue_many(count, up_to=small)
        return found[0], found[1], found[2:]

    def dequeue_many(self, count, up_to=False):
        """See QueueCell; components of unknown shapes are stacked all the same."""
        if not self.shapes:
            raise invalid(
                "PriorityQueue's DequeueMany and DequeueUpTo require the components to "
                "have specified shapes."
            )
        return super().dequeue_many(count, up_to)

    def _deliverable(self, count, small):
        if not self.barred:
            return count
        there = len(self.rows)
        if small:
            count = min(count, there)
        else:
            there += len(self.waiting)
        if there < max(count, 1):
            raise errors.OutOfRangeError(
                None, None,
                f"Barrier '{self.name}' is closed and has insufficient elements "
                f"(requested {count}, total size {there})",
            )  # fmt: skip
        return count


def _plain(key):
    return key.decode("utf-8", "replace") if isinstance(key, bytes) else key


def _cancelled(message):
    return errors.CancelledError(None, None, message)
