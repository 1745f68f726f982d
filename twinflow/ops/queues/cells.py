"""The homes of queues: rows of arrays that threads put in and take out.

Note [Queues]: a row has one array per component. Who puts in waits while the queue is
full, who takes out while it is empty (Note [Turns] in base.blocking). A request for
several rows keeps what it has got so far, and gives it back if it cannot be completed.
"""

import collections

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.blocking import Attempt, WaitingCell
from twinflow.base.errors import invalid
from twinflow.ops.core.infer import fits, text
from twinflow.ops.queues.resource_names import private_name
from twinflow.ops.queues.rows import rows_for

_PUT, _TAKE = 0, 1  # the lines


# ---------------------------------------------------------------------- attempts
class _Put(Attempt):
    """Put rows in, one after another."""

    __slots__ = ("left",)

    cancelled = "Enqueue operation was cancelled"

    def __init__(self, rows):
        super().__init__()
        self.left = collections.deque(rows)

    def advance(self, queue):
        """See Attempt."""
        if queue.closed:
            return self.fail(_cancelled(f"{queue.kind()} '{queue.name}' is closed."))
        moved = False
        while self.left and queue.has_room():
            queue.rows.add(self.left.popleft())
            moved = True
        return moved if self.left else self.finish()


class _Close(Attempt):
    """Close the queue, once those before have put in what they have."""

    __slots__ = ()

    def advance(self, queue):
        """See Attempt."""
        if queue.closed:
            return self.fail(_cancelled(f"Queue '{queue.name}' is already closed."))
        queue.closed = True
        return self.finish()


class _Take(Attempt):
    """Take rows out: so many, or what is left in a closed queue if `up_to` is set."""

    __slots__ = ("kind", "taken", "up_to", "wanted")

    cancelled = "Dequeue operation was cancelled"

    def __init__(self, count, up_to, kind):
        super().__init__()
        self.wanted, self.up_to, self.kind = count, up_to, kind
        self.taken: list = []

    def advance(self, queue):
        """See Attempt."""
        if queue.closed and len(queue.rows) < self.wanted:
            return self._end(queue)
        least = 0 if queue.closed else queue.spec.min_after_dequeue
        moved = False
        while self.wanted and len(queue.rows) > least:
            self.taken.append(queue.rows.take())
            self.wanted -= 1
            moved = True
        return moved if self.wanted else self.finish(self.taken)

    def _end(self, queue):
        """There will never be enough."""
        wanted, size = self.wanted, len(queue.rows)
        self.withdraw(queue)
        if self.up_to and len(queue.rows):
            self.wanted = len(queue.rows)
            return self.advance(queue)
        message = (
            f"{self.kind} '{queue.name}' is closed and has insufficient elements "
            f"(requested {wanted}, current size {size})"
        )
        return self.fail(errors.OutOfRangeError(None, None, message))

    def withdraw(self, queue):
        """See Attempt."""
        queue.rows.give_back(self.taken)
        self.taken = []


def _cancelled(message):
    return errors.CancelledError(None, None, message)


# ---------------------------------------------------------------------- the cell
class QueueCell(WaitingCell):
    """A queue: see Note [Queues].

    Args:
        node: the name of its node. spec: the QueueSpec.
        shared_name: the name that its users know it by, or "".
    """

    __slots__ = ("closed", "node", "rows", "shared_name", "spec")

    def __init__(self, node, spec, shared_name="", name=None):
        super().__init__(name or shared_name or node, lines=2)
        self.node, self.spec, self.shared_name = node, spec, shared_name
        self.rows = rows_for(spec)
        self.closed = False

    def fresh(self):
        """An empty queue of the same kind, for a session of its own."""
        name = self.shared_name or private_name(self.node)
        return QueueCell(self.node, self.spec, self.shared_name, name)

    def kind(self, many=False):
        """The name of its kind, as errors have it."""
        kind = self.spec.kind
        return "FIFOQueue" if kind == "PaddingFIFOQueue" and not many else kind

    def has_room(self):
        """Whether one more row fits."""
        return not 0 <= self.spec.capacity <= len(self.rows)

    def check(self, asked):
        """Raises InvalidArgumentError where a node asks for another queue than this."""
        problem = asked.problem() or self.spec.conflict(asked, self.name)
        if problem:
            raise invalid(problem)

    # ------------------------------------------------------------------ putting in
    def enqueue(self, components):
        """Put in one row; waits for room."""
        for i, (wanted, a) in enumerate(zip(self.spec.shapes, components)):
            _check_shape(i, wanted, np.shape(a))
        self.attempt(_PUT, _Put([tuple(components)]))

    def enqueue_many(self, components):
        """Put in one row per entry of the first axis; waits for room."""
        first = np.shape(components[0])
        count = first[0] if first else 0
        shapes = self.spec.shapes
        for i, a in enumerate(components):
            if shapes:
                _check_shape(i, (count, *shapes[i]), np.shape(a))
            else:
                _check_length(i, count, np.shape(a))
        if count:
            self.attempt(_PUT, _Put(zip(*components)))

    def close(self, cancel_pending_enqueues):
        """Let nothing more in; those that wait finish first, or are called off."""
        if not cancel_pending_enqueues:
            self.attempt(_PUT, _Close())
            return
        with self.changed:
            self.closed = True
            self.call_off(_PUT)
            self.flush()

    # ------------------------------------------------------------------ taking out
    def dequeue(self):
        """The arrays of the next row; waits for it."""
        (row,) = self.attempt(_TAKE, _Take(1, False, self.kind()))
        return [np.asarray(a, t.np) for a, t in zip(row, self.spec.types)]

    def dequeue_many(self, count, up_to=False):
        """The next rows, stacked; waits for them.

        Args:
            count: how many. up_to: take what is left where the queue is closed.
        """
        spec = self.spec
        if len(spec.shapes) != len(spec.types):
            raise invalid(
                f"{spec.kind}'s DequeueMany and DequeueUpTo require the components to "
                "have specified shapes."
            )
        kind = self.kind(many=True)
        rows = self.attempt(_TAKE, _Take(count, up_to, kind)) if count else []
        columns = zip(*rows) if rows else [[] for _ in spec.types]
        return list(map(_stacked, columns, spec.types, spec.shapes))

    # ------------------------------------------------------------------ looking
    def size(self):
        """How many rows it has."""
        with self.changed:
            return len(self.rows)


def _check_shape(component, wanted, found):
    if not fits(wanted, found):
        raise invalid(
            f"Shape mismatch in tuple component {component}. Expected {text(wanted)}, "
            f"got {text(found)}"
        )


def _check_length(component, count, found):
    if not found or found[0] != count:
        raise invalid(
            "All input tensors must have the same size in the 0th dimension. Component "
            f"{component} has {text(found)}, and should have {count}"
        )


def _stacked(values, dtype, shape):
    """Arrays as one, with zeros (empty strings) where one is smaller than others."""
    if None in shape:
        sizes = [np.shape(v) for v in values] or [(0,) * len(shape)]
        shape = tuple(
            max(s[i] for s in sizes) if d is None else d for i, d in enumerate(shape)
        )
    elif dtype is not dtypes.string and values:
        return np.array(values, dtype.np)
    blank = b"" if dtype is dtypes.string else 0
    out = np.full((len(values), *shape), blank, dtype.np)
    for i, v in enumerate(values):
        place: tuple = (i, *map(slice, np.shape(v)))
        out[place] = v if np.ndim(v) else np.asarray(v, dtype.np)[()]
    return out
