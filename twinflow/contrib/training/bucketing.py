"""tf.contrib.training.bucket: batches of examples of one kind, by way of queues."""

import itertools
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.shapes import TensorShape
from twinflow.graph.cond import cond
from twinflow.graph.scopes import group, name_scope
from twinflow.graph.static import constant_value
from twinflow.ops.arrays.sorting import searchsorted
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.no_op import no_op
from twinflow.ops.queues.kinds import FIFOQueue, PaddingFIFOQueue
from twinflow.train import sparse_handles
from twinflow.train.batching import keep_of, packed, shapes_of, tensor_of
from twinflow.train.producers import EAGERLY
from twinflow.train.queue_runner import QueueRunner, add_queue_runner

_CLOSED = (errors.OutOfRangeError, errors.CancelledError)


def bucket(
    tensors: Any, which_bucket: Any, batch_size: Any, num_buckets: Any,
    num_threads: Any = 1, capacity: Any = 32, bucket_capacities: Any = None,
    shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, keep_input: bool = True,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of examples that lie in the same bucket.

    Args:
        tensors: the tensors of an example (SparseTensors too), in a list or a dict, or
            one tensor.
        which_bucket: int32[], the bucket of the example.
        batch_size: int32[], how many examples, or a list with one for each bucket.
        num_buckets: how many. num_threads: how many threads fill the queues.
        capacity: of the queue of batches, and of each bucket without
            `bucket_capacities`, a list of one for each.
        shapes: of an example, where the tensors' own are not known.
        dynamic_pad: fill smaller examples up with zeros, where their shapes vary.
        allow_smaller_final_batch: also give what is left at the end.
        keep_input: bool[], whether the example counts.
        shared_name: see FIFOQueue. name: the name of the batch.
    Returns:
        (int32[]: a bucket, the tensors of a batch from it in the form of `tensors`).
    Raises:
        ValueError: eager execution is enabled, or there are not as many sizes or
            capacities as buckets.
    Example:
        words, label = tf.constant([3, 1, 2]), tf.constant(1)
        which, (words, label) = tf.contrib.training.bucket(
            [words, label], tf.size(words) // 10, 32, 5, dynamic_pad=True)
        sess = tf.Session()
        threads = tf.train.start_queue_runners(sess)
        sess.run(words).shape  # (32, 3)
    """
    if dispatch.current_mode().eager:
        raise ValueError(EAGERLY)
    several = isinstance(batch_size, list | tuple)
    sizes = list(batch_size) if several else [batch_size] * num_buckets
    if len(sizes) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    room = [capacity] * num_buckets if bucket_capacities is None else bucket_capacities
    if len(room) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({room}) must have exactly num_buckets "
            f"({num_buckets}) elements."
        )
    flat = _flat(tensors)
    with name_scope(name, "bucket"):
        keep, always = keep_of(keep_input, False)
        parts = [tensor_of(t) for t in flat]
        aside = None if always else keep
        parts, asides = sparse_handles.stored(parts, False, aside)
        types = [t.dtype.base_dtype for t in parts]
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        shared = itertools.repeat(None) if shared_name is None else (
            f"{shared_name}_{i}" for i in itertools.count())  # fmt: skip
        found = shapes_of([parts], shapes, False)
        queues = [kind(n, types, found, shared_name=s) for n, s in zip(room, shared)]
        fixed = not (allow_smaller_final_batch or several)
        known = _known(sizes[0]) if fixed and num_buckets else None
        batches = [TensorShape([known]).concatenate(s) for s in queues[0].shapes]
        top = PaddingFIFOQueue(
            capacity, [dtypes.int32, *types], [TensorShape([]), *batches],
            shared_name=shared_name,
        )  # fmt: skip
        put = _put(queues, parts, which_bucket, keep, always)
        _run(queues, top, [put] * num_threads, sizes, allow_smaller_final_batch)
        which, *taken = top.dequeue(name="dequeue_top")
        taken = taken[0] if len(taken) == 1 else taken
        taken = sparse_handles.restored(taken, asides)
    return which, packed(tensors, taken)


def _known(size):
    """The static value of a batch size, or None."""
    size = convert_to_tensor(size, dtypes.int32)
    found = constant_value(size)
    return None if found is None else int(found)


def _flat(tensors):
    """The tensors of a structure as a list; those of a dict by sorted keys."""
    if isinstance(tensors, dict):
        tensors = [tensors[k] for k in sorted(tensors)]
    found = list(tensors) if isinstance(tensors, list | tuple) else [tensors]
    if not found:
        raise ValueError("Expected at least one tensor in bucket().")
    return found


def _put(queues, parts, which_bucket, keep, always):
    """The op that puts an example into the queue of its bucket."""
    which = convert_to_tensor(which_bucket, dtypes.int32, name="which_bucket")

    def chosen():
        ops = [
            cond(equal(which, i), lambda q=q: q.enqueue(parts), no_op)
            for i, q in enumerate(queues)
        ]
        return group(*ops, name="group_enqueues")

    return chosen() if always else cond(keep, chosen, no_op)


def _run(queues, top, puts, sizes, smaller):
    """Have threads fill the buckets, and others take batches out of them."""
    ready = []
    for i, (queue, size) in enumerate(zip(queues, sizes, strict=True)):
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        rows = take(size, name=f"read_bucket_{i}")
        rows = rows if isinstance(rows, list | tuple) else [rows]
        ready.append(top.enqueue([constant(i), *rows], name=f"enqueue_from_bucket_{i}"))
    add_queue_runner(QueueRunner(
        queues[0], ready, top.close(), top.close(cancel_pending_enqueues=True), _CLOSED
    ))  # fmt: skip
    add_queue_runner(QueueRunner(
        top, puts, group(*[q.close() for q in queues]),
        group(*[q.close(cancel_pending_enqueues=True) for q in queues]), _CLOSED,
    ))  # fmt: skip


def bucket_by_sequence_length(
    input_length: Any, tensors: Any, batch_size: Any, bucket_boundaries: Any,
    num_threads: Any = 1, capacity: Any = 32, bucket_capacities: Any = None,
    shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, keep_input: bool = True,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of examples of about one length; see `bucket`.

    Args:
        input_length: int32[], the length of the example.
        bucket_boundaries: ascending ints: the first lengths of all buckets but one.
    Returns:
        (int32[batch_size]: the lengths, the tensors of the batch: a list or dict).
    Raises:
        TypeError: the boundaries are no list of ints. ValueError: they do not ascend.
    """
    _check_boundaries(bucket_boundaries)
    with name_scope(name, "bucket_by_sequence_length"):
        length = convert_to_tensor(input_length, dtypes.int32, name="input_length")
        edges = np.array(bucket_boundaries, np.int32)
        which = searchsorted(edges, _row(length), side="right")[0]
        flat = _flat(tensors)
        shapes = None if shapes is None else [TensorShape([]), *shapes]
        _, (lengths, *found) = bucket(
            [length, *flat], which, batch_size, len(bucket_boundaries) + 1, num_threads,
            capacity, bucket_capacities, shapes, dynamic_pad, allow_smaller_final_batch,
            keep_input, shared_name,
        )  # fmt: skip
    if isinstance(tensors, dict) and len(found) == 1:
        found = [found]  # as TensorFlow 1.12 gives it
    return lengths, packed(tensors, found)


def _row(length):
    return convert_to_tensor([length])


def _check_boundaries(boundaries):
    if not isinstance(boundaries, list | tuple):
        raise TypeError(
            f"bucket_boundaries must be a list or tuple, but received: {boundaries}"
        )
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for a, b in itertools.pairwise(boundaries):
        if not isinstance(a, int) or not isinstance(b, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {a} and {b}")
        if a >= b:
            raise ValueError(
                "Buckets must contain sequential increasing lengths, but saw: "
                f"{a} before {b}"
            )
