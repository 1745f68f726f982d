"""Queues: what threads of a session hand each other rows of tensors through."""

import functools
from operator import attrgetter
from typing import Any

from twinflow.base import dispatch, dtypes, shapes
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.queues import ops


class QueueBase:
    """A queue in a graph; each session has its own contents.

    A row has one tensor per component. Ops that find no room, or not enough rows, wait
    for other threads of the session. Rows go in as a tuple, as a dict where the
    components have names, or as the tensor itself where there is one; they come out as
    a list, a dict, or the tensor.

    Args:
        dtypes: one DType per component. shapes: one TensorShape each.
        names: their names, or None. queue_ref: the handle, a tensor.
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        q = tf.FIFOQueue(10, tf.float32)
        put, get = q.enqueue(1.), q.dequeue()
        with tf.Session() as sess:
            sess.run(put)
            sess.run(get)  # 1.0
    """

    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any) -> None:
        refuse_eagerly()
        self._dtypes, self._names, self._queue_ref = list(dtypes), names, queue_ref
        self._shapes = _checked_shapes(shapes, len(self._dtypes))
        self._full_name = queue_ref.op.name
        self._name = self._full_name.split("/")[-1]

    @staticmethod
    def from_list(index: Any, queues: Any) -> "QueueBase":
        """The queue that is chosen by a number when an op runs.

        Args:
            index: int32[]. queues: QueueBases with components of the same dtypes.
        Raises:
            TypeError: they differ in dtypes or names.
        """
        refuse_eagerly()
        if not queues or not isinstance(queues, list):
            raise TypeError("A list of queues expected")
        if not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if any(q.dtypes != first.dtypes for q in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(q.names != first.names for q in queues):
            raise TypeError("Queues do not have matching component names.")
        columns = zip(*[q.shapes for q in queues])
        common = [functools.reduce(_common, c) for c in columns]
        index = convert_to_tensor(index, dtypes.int32, "index")
        handles = [q.queue_ref for q in queues]
        handle = apply(ops.TwinQueueSelect, (index, handles), None, "GatherV2")
        return QueueBase(first.dtypes, common, first.names, handle)

    # ------------------------------------------------------------------ looking
    queue_ref = property(attrgetter("_queue_ref"), doc="The handle: a tensor.")
    name = property(attrgetter("_full_name"), doc="The name of its node.")
    dtypes = property(attrgetter("_dtypes"), doc="The DTypes of the components.")
    shapes = property(attrgetter("_shapes"), doc="The TensorShapes of the components.")
    names = property(attrgetter("_names"), doc="The names of the components, or None.")

    # ------------------------------------------------------------------ putting in
    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """An op that puts in one row; it waits for room.

        Args:
            vals: the tensors of the row. name: the name of the node.
        Raises (when run):
            CancelledError: the queue is closed, or the session.
        """
        with self._scope(name, "_enqueue") as scope:
            vals = self._tensors(vals)
            for val, shape in zip(vals, self._shapes):
                val.shape.assert_is_compatible_with(shape)
            return self._apply(ops.QueueEnqueue, scope, vals)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """An op that puts in one row per entry of the first axis; it waits for room.

        Args: see `enqueue`; each tensor has one axis more, of the same size for all.
        """
        with self._scope(name, "_EnqueueMany") as scope:
            vals = self._tensors(vals)
            batch = vals[0].shape.with_rank_at_least(1)[0]
            for val, shape in zip(vals, self._shapes):
                found = val.shape.with_rank_at_least(1)
                batch = batch.merge_with(found[0])
                found[1:].assert_is_compatible_with(shape)
            return self._apply(ops.QueueEnqueueMany, scope, vals)

    def close(
        self, cancel_pending_enqueues: bool = False, name: str | None = None
    ) -> Any:
        """An op after which nothing goes in any more; what is in still comes out.

        Args:
            cancel_pending_enqueues: call off the enqueues that wait; else they finish
                first. name: the name of the node.
        """
        attrs = {"cancel_pending_enqueues": cancel_pending_enqueues}
        name = name or f"{self._name}_Close"
        return apply(ops.QueueClose, (self._queue_ref,), attrs, name)

    # ------------------------------------------------------------------ taking out
    def dequeue(self, name: str | None = None) -> Any:
        """The next row; waits for it.

        Raises (when run):
            OutOfRangeError: the queue is closed and empty.
            CancelledError: the session is closed.
        """
        name = name or f"{self._name}_Dequeue"
        return self._row(ops.QueueDequeue, [], name, [s.tuple for s in self._shapes])

    def dequeue_many(self, n: TensorValue, name: str | None = None) -> Any:
        """The next `n` rows, stacked along a new first axis; waits for them.

        Args:
            n: int32[]. name: the name of the node.
        Raises (when run):
            OutOfRangeError: the queue is closed and has fewer.
        """
        return self._rows(ops.QueueDequeueMany, n, name or f"{self._name}_DequeueMany")

    def dequeue_up_to(self, n: TensorValue, name: str | None = None) -> Any:
        """As `dequeue_many`, but takes what is left from a closed queue."""
        name = name or f"{self._name}_DequeueUpTo"
        return self._rows(ops.QueueDequeueUpTo, n, name)

    def size(self, name: str | None = None) -> Tensor:
        """int32[], the number of rows that are in."""
        name = name or f"{self._name}_Size"
        return apply(ops.QueueSize, (self._queue_ref,), None, name)

    def is_closed(self, name: str | None = None) -> Tensor:
        """bool[], whether the queue has been closed."""
        name = name or f"{self._name}_Is_Closed"
        return apply(ops.QueueIsClosed, (self._queue_ref,), None, name)

    # ------------------------------------------------------------------ inside
    def _scope(self, name, suffix):
        return dispatch.current_mode().name_scope(name or self._name + suffix)

    def _apply(self, op, scope, vals):
        return apply(op, (self._queue_ref, vals), None, scope)

    def _tensors(self, vals):
        vals = self._listed(vals)
        return [
            convert_to_tensor(v, d, f"component_{i}")
            for i, (v, d) in enumerate(zip(vals, self._dtypes))
        ]

    def _listed(self, vals):
        names = self._names
        if isinstance(vals, dict):
            if not names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(names) != sorted(vals):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  "
                    f"Dictionary: ({sorted(vals)}), Queue: ({sorted(names)})"
                )
            return [vals[n] for n in names]
        if names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        vals = list(vals) if isinstance(vals, list | tuple) else [vals]
        if len(vals) != len(self._dtypes):
            raise ValueError(
                f"Got {len(vals)} values to enqueue, but a row of {self._name!r} has "
                f"{len(self._dtypes)} components; pass one value for each, in a tuple."
            )
        return vals

    def _rows(self, op, n, name):
        many = op.type.startswith("QueueDequeueMany")
        n = convert_to_tensor(n, dtypes.int32, "n") if hasattr(n, "dtype") else n
        known = known_int(n)
        batch = known if many else None
        found = [_with_batch(batch, s) for s in self._shapes]
        if known is not None and known < 0:
            raise ValueError(
                f"Input 'n' must be >= 0, but is {known} for '{name}' (op: '{op.type}')"
            )
        return self._row(op, [(n, dtypes.int32)], name, found)

    def _row(self, op, more, name, found):
        attrs = {"component_types": tuple(self._dtypes)}
        specs = list(zip(self._dtypes, found))
        inputs = [(self._queue_ref, None), *more]
        node = ops.append(op, inputs, attrs, name, specs)
        if not specs:
            return node
        if self._names:
            return dict(zip(self._names, node.outputs))
        return node.outputs[0] if len(specs) == 1 else list(node.outputs)


def refuse_eagerly():
    """Raises RuntimeError in eager mode, where one thread does everything."""
    if dispatch.current_mode().eager:
        raise RuntimeError("Queues are not compatible with eager execution.")


def known_int(n):
    """The value of an int or a scalar tensor, where it is known."""
    known = n._known_value() if hasattr(n, "_known_value") else n
    known = getattr(known, "tolist", lambda: known)()
    while isinstance(known, list | tuple) and len(known) == 1:
        known = known[0]
    return known if isinstance(known, int) else None


def _with_batch(batch, shape):
    s = shape.tuple
    return None if s is None else (batch, *s)


def _common(a, b):
    if a.ndims is None or a.ndims != b.ndims:
        return shapes.TensorShape(None)
    return shapes.TensorShape(
        [p if p == q else None for p, q in zip(a.as_list(), b.as_list())]
    )


def _checked_shapes(given, count):
    if given is None:
        return [shapes.TensorShape(None)] * count
    if len(given) != count:
        raise ValueError("Queue shapes must have the same length as dtypes")
    return [shapes.TensorShape(s) for s in given]
