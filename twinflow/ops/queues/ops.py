"""The ops on queues; all run on the host."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import both, nothing
from twinflow.ops.queues.rows import QueueSpec


def append(op, inputs, attrs, name, specs):
    """A node whose outputs are given; its name is taken before those of constants.

    Args:
        inputs: one per input of the op: (value, DType or None).
        specs: one (DType, shape) per output.
    Returns:
        The Node.
    """
    graph = dispatch.current_mode().graph_of([value for value, _ in inputs])
    with graph.name_scope(name) as scope:
        names = [a.name for a in op.sig.inputs]
        args = [graph.tensor(v, d, n) for (v, d), n in zip(inputs, names)]
        attrs = {**op.sig.attrs, **attrs}
        return graph.append_node(op, args, attrs, scope, specs)


# ---------------------------------------------------------------------- handles
def spec_of(kind, component_types, shapes, capacity, **rest):
    """The QueueSpec that the attributes of a handle's node mean."""
    if kind == "PriorityQueue":  # the priority comes first in each row
        component_types, shapes = (dtypes.int64, *component_types), ((), *shapes)
    rest = {k: v for k, v in rest.items() if k in QueueSpec._fields}
    return QueueSpec(kind, component_types, shapes, capacity, **rest)


def _handle(kind):
    def kernel(cell, **asked):
        if cell.shared_name or asked.get("min_after_dequeue"):
            cell.check(spec_of(kind, **asked))
        return cell

    return both(kind, scalar, kernel, _HANDLE, cell="cell")


_HANDLE = {"cell": None}
_FIFOQueue, FIFOQueue = _handle("FIFOQueue")
_PaddingFIFOQueue, PaddingFIFOQueue = _handle("PaddingFIFOQueue")
_PriorityQueue, PriorityQueue = _handle("PriorityQueue")
_RandomShuffleQueue, RandomShuffleQueue = _handle("RandomShuffleQueue")


# ---------------------------------------------------------------------- putting in
def _enqueue(queue, components, timeout_ms):
    queue.enqueue(components)
    return ()


def _enqueue_many(queue, components, timeout_ms):
    queue.enqueue_many(components)
    return ()


def _close(queue, cancel_pending_enqueues):
    queue.close(cancel_pending_enqueues)
    return ()


_Enqueue, QueueEnqueue = both("QueueEnqueue", nothing, _enqueue)
_EnqueueMany, QueueEnqueueMany = both("QueueEnqueueMany", nothing, _enqueue_many)
_Close, QueueClose = both("QueueClose", nothing, _close)


# ---------------------------------------------------------------------- taking out
def _unknown(*_, component_types, **__):
    return (None,) * len(component_types)


def _dequeue(queue, component_types, timeout_ms):
    return queue.dequeue()


def _dequeue_many(queue, n, component_types, timeout_ms):
    return queue.dequeue_many(_count(n, "DequeueManyOp"))


def _dequeue_up_to(queue, n, component_types, timeout_ms):
    return queue.dequeue_many(_count(n, "DequeueUpToOp"), up_to=True)


def _count(n, op):
    n = int(n)
    if n < 0:
        raise invalid(f"{op} requested {n} < 0 elements")
    return n


_ROW = {"component_types": ()}
_Dequeue, QueueDequeue = both("QueueDequeue", _unknown, _dequeue, _ROW)
_DequeueMany, QueueDequeueMany = both("QueueDequeueMany", _unknown, _dequeue_many, _ROW)
_DequeueUpTo, QueueDequeueUpTo = both(
    "QueueDequeueUpTo", _unknown, _dequeue_up_to, _ROW
)

# ---------------------------------------------------------------------- looking
_Size, QueueSize = both("QueueSize", scalar, lambda queue: np.int32(queue.size()))
_IsClosed, QueueIsClosed = both(
    "QueueIsClosed", scalar, lambda queue: np.bool_(queue.closed)
)


def _select(index, handles):
    i = int(index)
    if not 0 <= i < len(handles):
        raise invalid(f"indices = {i} is not in [0, {len(handles)})")
    return handles[i]


TwinQueueSelect = define(
    "TwinQueueSelect(index: int32, handles: N*resource) -> (handle: resource)",
    infer=scalar,
    host=_select,
    stateful=True,
)

FakeQueue = define(  # a queue's handle where an older op wants its reference
    "FakeQueue", infer=scalar, host=lambda resource: resource, stateful=True
)
