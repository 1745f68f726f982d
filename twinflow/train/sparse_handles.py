"""SparseTensors on their way through a queue: kept aside, a number goes through."""

from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.sparse.map import (
    add_many_sparse_to_tensors_map,
    add_sparse_to_tensors_map,
    take_many_sparse_from_tensors_map,
)
from twinflow.ops.sparse.tensor import SparseTensor


class Aside(NamedTuple):
    """Where SparseTensors of one component are: the node that keeps them; the rank."""

    node: Any
    rank: int | None


def stored(tensors, enqueue_many, keep, before=None):
    """The tensors, numbers in place of SparseTensors.

    Args:
        tensors: a list. enqueue_many: they hold several rows each.
        keep: a bool scalar; False = nothing is put aside. None = always.
        before: the Asides of another list whose places these share.
    Returns:
        (tensors, a list with an Aside for each that was sparse, else None)
    """
    before = before or [None] * len(tensors)
    pairs = [_stored(t, enqueue_many, keep, b) for t, b in zip(tensors, before)]
    return [t for t, _ in pairs], [a for _, a in pairs]


def _stored(t, enqueue_many, keep, before):
    if not isinstance(t, SparseTensor):
        return t, None
    put = add_many_sparse_to_tensors_map if enqueue_many else add_sparse_to_tensors_map
    shared = before.node.name if before else None
    nodes: list = []

    def number():
        found = put(t, shared_name=shared)
        nodes.append(found.op)
        return found

    def nothing():
        return constant([-1] if enqueue_many else -1, dtypes.int64)

    found = number() if keep is None else cond(keep, number, nothing)
    rank = t.dense_shape.shape.with_rank(1)[0].value
    if enqueue_many:
        found.set_shape([None])
        return expand_dims(found, [-1]), Aside(nodes[0], rank and rank - 1)
    found.set_shape([])
    return expand_dims(found, [-1]), Aside(nodes[0], rank)


def restored(dequeued, asides):
    """The SparseTensors in place of their numbers.

    None of the results is there before all were taken back, so that nothing stays.
    """
    if not any(asides):
        return dequeued
    single = not isinstance(dequeued, list | tuple)
    tensors = [dequeued] if single else dequeued
    found = [_restored(t, a) if a else t for t, a in zip(tensors, asides)]
    ready = [t.values if isinstance(t, SparseTensor) else t for t in found]
    with control_dependencies(ready):
        out = [_after(t) for t in found]
    return out[0] if single else out


def _restored(numbers, aside):
    rank = None if aside.rank is None else aside.rank + 1
    return take_many_sparse_from_tensors_map(
        aside.node, squeeze(numbers, [1]), rank=rank
    )


def _after(t):
    if isinstance(t, SparseTensor):
        return SparseTensor(*map(identity, t._components()))
    return identity(t)
