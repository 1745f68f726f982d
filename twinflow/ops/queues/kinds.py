"""The kinds of queues: by the order in which rows leave."""

import hashlib
from typing import Any

from twinflow.base import dtypes, shapes
from twinflow.base.dispatch import apply
from twinflow.ops.queues import ops, resource_names
from twinflow.ops.queues.cells import QueueCell
from twinflow.ops.queues.queue import QueueBase, refuse_eagerly
from twinflow.ops.random.streams import get_seed

_SCALAR = shapes.TensorShape(())


class FIFOQueue(QueueBase):
    """A queue whose rows leave in the order in which they came.

    Args:
        capacity: how many rows fit; below 0 = any number.
        dtypes: a DType, or a list of one per component.
        shapes: a fully defined shape per component; needed for `dequeue_many`.
        names: a name per component. name: the name of the node.
        shared_name: queues of this name in one graph are one.
    """

    def __init__(
        self, capacity: Any, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str | None = "fifo_queue",
    ) -> None:  # fmt: skip
        refuse_eagerly()
        types = type_list(dtypes)
        found = shape_list(shapes, len(types))
        attrs = _attrs(types, found, capacity)
        ref = _made(ops.FIFOQueue, attrs, shared_name, name)
        super().__init__(types, found, _name_list(names, len(types)), ref)


class PaddingFIFOQueue(QueueBase):
    """A FIFOQueue of tensors of various shapes: stacked, they get zeros at their ends.

    Args:
        capacity, dtypes, names, shared_name, name: see FIFOQueue.
        shapes: a shape of known rank per component; None is a size that varies.
    """

    def __init__(
        self, capacity: Any, dtypes: Any, shapes: Any, names: Any = None,
        shared_name: Any = None, name: str | None = "padding_fifo_queue",
    ) -> None:  # fmt: skip
        refuse_eagerly()
        types = type_list(dtypes)
        if not shapes or not isinstance(shapes, list | tuple) or shapes[0] is None:
            raise ValueError(
                "When providing partial shapes, a list of shapes must be provided."
            )
        found = shape_list(shapes, len(types), unknown_dims=True)
        attrs = _attrs(types, found, capacity)
        ref = _made(ops.PaddingFIFOQueue, attrs, shared_name, name)
        super().__init__(types, found, _name_list(names, len(types)), ref)


class RandomShuffleQueue(QueueBase):
    """A queue whose rows leave in random order.

    Args:
        capacity, dtypes, shapes, names, shared_name, name: see FIFOQueue.
        min_after_dequeue: how many rows stay at least, until the queue is closed.
        seed: an int; see tf.set_random_seed.
    """

    def __init__(
        self, capacity: Any, min_after_dequeue: Any, dtypes: Any, shapes: Any = None,
        names: Any = None, seed: int | None = None, shared_name: str | None = None,
        name: str | None = "random_shuffle_queue",
    ) -> None:  # fmt: skip
        refuse_eagerly()
        types = type_list(dtypes)
        found = shape_list(shapes, len(types))
        attrs = _attrs(types, found, capacity)
        attrs["min_after_dequeue"] = min_after_dequeue
        attrs["seed"], attrs["seed2"] = _seeds(seed, shared_name)
        ref = _made(ops.RandomShuffleQueue, attrs, shared_name, name)
        super().__init__(types, found, _name_list(names, len(types)), ref)


class PriorityQueue(QueueBase):
    """A queue whose rows leave with the smallest number first.

    A row starts with that number, int64[]; `types` are those of what follows.

    Args:
        capacity, shapes, names, shared_name, name: see FIFOQueue.
        types: a DType, or a list of one per component.
    """

    def __init__(
        self, capacity: Any, types: Any, shapes: Any = None, names: Any = None,
        shared_name: Any = None, name: str | None = "priority_queue",
    ) -> None:  # fmt: skip
        refuse_eagerly()
        types = type_list(types)
        found = shape_list(shapes, len(types))
        ref = _made(
            ops.PriorityQueue, _attrs(types, found, capacity), shared_name, name
        )
        types = [dtypes.int64, *types]
        found = None if found is None else [_SCALAR, *found]
        super().__init__(types, found, _name_list(names, len(types)), ref)


def _attrs(types, found, capacity):
    return {
        "component_types": tuple(types),
        "shapes": _plain(found),
        "capacity": capacity,
    }


def _seeds(seed, shared_name):
    """The two seeds of a queue; a shared one has the same for all its nodes."""
    first, second = get_seed(seed)
    if first is None:
        return 0, 0
    if seed is None and shared_name is not None:
        text = (str(first) + shared_name).encode()
        second = int(hashlib.md5(text).hexdigest()[:8], 16) & 0x7FFFFFFF
    return first, second


def type_list(given):
    """A list of DTypes, from one or several."""
    given = given if isinstance(given, list | tuple) else [given]
    return [_dtype(d) for d in given]


def _dtype(given):
    try:
        return dtypes.as_dtype(given).base_dtype
    except TypeError:
        raise TypeError(
            f"Expected DataType for argument 'component_types' not {given!r}."
        ) from None


def shape_list(given, count, unknown_dims=False):
    """TensorShapes, or None where none are given; one shape may stand for a list."""
    if given is None:
        return None
    single = isinstance(given, shapes.TensorShape)
    if single or all(d is None or isinstance(d, int) for d in given):
        given = [given]
    found = [shapes.TensorShape(s) for s in given]
    if not unknown_dims and any(not s.is_fully_defined() for s in found):
        raise ValueError(f"All shapes must be fully defined: {found}")
    if any(s.ndims is None for s in found):
        raise ValueError(f"All shapes must have a defined rank: {found}")
    if len(found) != count:
        raise ValueError("Queue shapes must have the same length as dtypes")
    return found


def _name_list(given, count):
    if given is None:
        return None
    given = list(given) if isinstance(given, list | tuple) else [given]
    if len(given) != count:
        raise ValueError(
            "List of names must have the same length as the list of dtypes"
        )
    return given


def _made(op, attrs, shared_name, name):
    """The handle of a new queue, or of one that other nodes have as well."""
    attrs = {**op.sig.attrs, **attrs, "shared_name": shared_name or ""}
    kind, name = op.type.removesuffix("V2"), name or op.type
    asked = {k: attrs[k] for k in op.sig.attrs if k not in ("cell", "container")}
    node, spec = resource_names.node_name(name), ops.spec_of(kind, **asked)

    def make():
        return QueueCell(node, spec, shared_name or "")

    named = bool(shared_name)
    cell = resource_names.shared("queue", shared_name, make) if named else make()
    return apply(op, (), {**attrs, "cell": cell}, name)


def _plain(found):
    return () if found is None else tuple(s.tuple for s in found)
