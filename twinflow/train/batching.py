"""Batches by way of a queue, filled by the threads of a QueueRunner."""

from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes, shapes
from twinflow.graph.cond import cond
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.partition import dynamic_partition
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.no_op import no_op
from twinflow.ops.queues.kinds import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.summary import summaries
from twinflow.train import sparse_handles
from twinflow.train.producers import EAGERLY
from twinflow.train.queue_runner import QueueRunner, add_queue_runner


class _Batching(NamedTuple):
    """What the public functions have in common.

    Attributes:
        scope: the default name. lists: the structures to batch, one per thread or one
        for all. batch_size: int32[]. make_queue: ``(types, shapes) -> queue``.
        keep: bool, whether to put an example in; a scalar, or one per row.
        threads: how many run the same op. many: the tensors hold several rows each.
        shapes: of the components, or None. smaller: allow a smaller last batch.
        name: the name, or None.
    """

    scope: str
    lists: list[Any]
    batch_size: Any
    make_queue: Any
    keep: Any
    threads: int
    many: bool
    shapes: Any
    smaller: bool
    name: Any

    def run(self):
        """The batch, in the form of one of the structures."""
        if dispatch.current_mode().eager:
            raise ValueError(EAGERLY)
        lists = _lists(self.lists)
        with name_scope(self.name, self.scope) as scope:
            lists = [[tensor_of(t) for t in x] for x in lists]
            keep, always = keep_of(self.keep, self.many)
            lists, asides = _stored(lists, self.many, None if always else keep)
            types = _types(lists)
            queue = self.make_queue(types, shapes_of(lists, self.shapes, self.many))
            ops = [_enqueue(queue, x, self.many, keep, always) for x in lists]
            add_queue_runner(QueueRunner(queue, ops * self.threads))
            take = queue.dequeue_up_to if self.smaller else queue.dequeue_many
            found = sparse_handles.restored(take(self.batch_size, name=scope), asides)
        return packed(self.lists[0], found)


# ---------------------------------------------------------------------- structures
def _lists(structures):
    """Lists of tensors, from lists or dicts; those of a dict by sorted keys."""
    if not structures:
        raise ValueError("Expected at least one set of tensors")
    first = structures[0]
    if not isinstance(first, dict):
        if any(isinstance(x, dict) or len(x) != len(first) for x in structures):
            raise ValueError(
                "All entries of tensors_list must be of the same form and length."
            )
        if not len(first):
            raise ValueError("Expected at least one tensor in batch().")
        return [list(x) for x in structures]
    if any(not isinstance(x, dict) or set(x) != set(first) for x in structures):
        raise ValueError("All dictionaries in tensors_list must have the same keys")
    return [[x[k] for k in sorted(first)] for x in structures]


def packed(structure, found):
    """Tensors in the form of a structure: a dict, by sorted keys, or as they are."""
    if not isinstance(structure, dict):
        return found
    found = found if isinstance(found, list) else [found]
    return dict(zip(sorted(structure), found))


def tensor_of(value):
    return value if isinstance(value, SparseTensor) else convert_to_tensor(value)


# ---------------------------------------------------------------------- components
def _stored(lists, many, keep):
    first, asides = sparse_handles.stored(lists[0], many, keep)
    rest = [sparse_handles.stored(x, many, keep, asides)[0] for x in lists[1:]]
    return [first, *rest], asides


def _types(lists):
    names = [[t.dtype.base_dtype.name for t in x] for x in lists]
    for found in names:
        if found != names[0]:
            raise TypeError(
                f"Expected types to be consistent: {', '.join(names[0])} vs. "
                f"{', '.join(found)}."
            )
    return [t.dtype.base_dtype for t in lists[0]]


def shapes_of(lists, given, many):
    """The shapes of a row's components: those of all lists together."""
    if given is not None:
        return given
    found = []
    for column in zip(*lists):
        for t in column:
            if t._shape is None:
                raise ValueError(f"Cannot infer Tensor's rank: {t}")
        rows = [t.shape.with_rank_at_least(1)[1:] if many else t.shape for t in column]
        shape = rows[0]
        for other in rows[1:]:
            shape = shape.merge_with(other)
        found.append(shapes.TensorShape(shape))
    return found


# ---------------------------------------------------------------------- putting in
def keep_of(keep, many):
    """Which examples to put in, as a tensor, and whether that is all of them."""
    always = keep is True
    keep = convert_to_tensor(keep, dtypes.bool)
    if keep._shape is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if len(keep._shape) == 1 and not many:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if len(keep._shape) > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep, always


def _enqueue(queue, tensors, many, keep, always):
    put = queue.enqueue_many if many else queue.enqueue
    if keep._shape:
        chosen = cast(keep, dtypes.int32, name="ToInt32")
        return put([dynamic_partition(t, chosen, 2)[1] for t in tensors])
    return put(tensors) if always else cond(keep, lambda: put(tensors), no_op)


def _queue(capacity, dynamic_pad, shared_name):
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue

    def make(types, found):
        queue = kind(capacity, types, found, shared_name=shared_name)
        full = cast(queue.size(), dtypes.float32) * (1.0 / capacity)
        summaries.scalar(f"fraction_of_{capacity}_full", full)
        return queue

    return make


def _shuffling(capacity, min_after_dequeue, seed, shared_name):
    if capacity <= min_after_dequeue:
        raise ValueError(
            f"capacity {capacity} must be bigger than min_after_dequeue "
            f"{min_after_dequeue}."
        )
    over = capacity - min_after_dequeue

    def make(types, found):
        queue = RandomShuffleQueue(
            capacity, min_after_dequeue, types, found, seed=seed,
            shared_name=shared_name,
        )  # fmt: skip
        above = maximum(0, queue.size() - min_after_dequeue)
        full = cast(above, dtypes.float32) * (1.0 / over)
        summaries.scalar(f"fraction_over_{min_after_dequeue}_of_{over}_full", full)
        return queue

    return make


# ---------------------------------------------------------------------- in order
def batch(
    tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of examples, in the order in which threads compute them.

    Args:
        tensors: the tensors of an example (SparseTensors too), in a list or a dict.
        batch_size: int32[], how many examples. num_threads: how many threads fill the
            queue; with one, the order is fixed.
        capacity: of the queue. enqueue_many: each tensor holds several examples, along
            its first axis.
        shapes: the shapes of an example, where the tensors' own are not known.
        dynamic_pad: fill smaller examples up with zeros, where their shapes vary.
        allow_smaller_final_batch: also give what is left at the end.
        shared_name: see FIFOQueue. name: the name of the batch.
    Returns:
        The tensors of a batch, in the form of `tensors` (a list of one: the tensor).
        Running them raises OutOfRangeError at the end of the input.
    Raises:
        ValueError: eager execution is enabled, or a shape is not known.
    Example:
        image, label = tf.random_uniform([8, 8]), tf.constant(1)
        images, labels = tf.train.batch([image, label], 32)
        sess = tf.Session()
        threads = tf.train.start_queue_runners(sess)
        sess.run(images).shape  # (32, 8, 8)
    """
    queue = _queue(capacity, dynamic_pad, shared_name)
    return _Batching(
        "batch", [tensors], batch_size, queue, True, num_threads, enqueue_many, shapes,
        allow_smaller_final_batch, name,
    ).run()  # fmt: skip


def maybe_batch(
    tensors: Any, keep_input: Any, batch_size: Any, num_threads: int = 1,
    capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """As `batch`, of chosen examples.

    Args:
        keep_input: bool[], whether the example counts; with `enqueue_many` also
            bool[examples].
    """
    queue = _queue(capacity, dynamic_pad, shared_name)
    return _Batching(
        "batch", [tensors], batch_size, queue, keep_input, num_threads, enqueue_many,
        shapes, allow_smaller_final_batch, name,
    ).run()  # fmt: skip


def batch_join(
    tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As `batch`, of examples from several places: one thread for each.

    Args:
        tensors_list: a list of structures as `batch` takes them.
    """
    queue = _queue(capacity, dynamic_pad, shared_name)
    return _Batching(
        "batch_join", tensors_list, batch_size, queue, True, 1, enqueue_many, shapes,
        allow_smaller_final_batch, name,
    ).run()  # fmt: skip


def maybe_batch_join(
    tensors_list: Any, keep_input: Any, batch_size: Any, capacity: Any = 32,
    enqueue_many: Any = False, shapes: Any = None, dynamic_pad: Any = False,
    allow_smaller_final_batch: Any = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As `batch_join`, of chosen examples; see `maybe_batch`."""
    queue = _queue(capacity, dynamic_pad, shared_name)
    return _Batching(
        "batch_join", tensors_list, batch_size, queue, keep_input, 1, enqueue_many,
        shapes, allow_smaller_final_batch, name,
    ).run()  # fmt: skip


# ---------------------------------------------------------------------- shuffled
def shuffle_batch(
    tensors: Any, batch_size: Any, capacity: Any, min_after_dequeue: Any,
    num_threads: int = 1, seed: int | None = None, enqueue_many: bool = False,
    shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of examples in random order, by way of a RandomShuffleQueue.

    Args:
        tensors, batch_size, num_threads, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name: see `batch`.
        capacity: of the queue. min_after_dequeue: how many examples wait in it at
            least, to mix well. seed: an int.
    """
    queue = _shuffling(capacity, min_after_dequeue, seed, shared_name)
    return _Batching(
        "shuffle_batch", [tensors], batch_size, queue, True, num_threads, enqueue_many,
        shapes, allow_smaller_final_batch, name,
    ).run()  # fmt: skip


def maybe_shuffle_batch(
    tensors: Any, batch_size: Any, capacity: Any, min_after_dequeue: Any,
    keep_input: Any, num_threads: Any = 1, seed: int | None = None,
    enqueue_many: Any = False, shapes: Any = None,
    allow_smaller_final_batch: Any = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As `shuffle_batch`, of chosen examples; see `maybe_batch`."""
    queue = _shuffling(capacity, min_after_dequeue, seed, shared_name)
    return _Batching(
        "shuffle_batch", [tensors], batch_size, queue, keep_input, num_threads,
        enqueue_many, shapes, allow_smaller_final_batch, name,
    ).run()  # fmt: skip


def shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: Any, min_after_dequeue: Any,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As `shuffle_batch`, of examples from several places: one thread for each."""
    queue = _shuffling(capacity, min_after_dequeue, seed, shared_name)
    return _Batching(
        "shuffle_batch_join", tensors_list, batch_size, queue, True, 1, enqueue_many,
        shapes, allow_smaller_final_batch, name,
    ).run()  # fmt: skip


def maybe_shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: Any, min_after_dequeue: Any,
    keep_input: Any, seed: int | None = None, enqueue_many: bool = False,
    shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """As `shuffle_batch_join`, of chosen examples; see `maybe_batch`."""
    queue = _shuffling(capacity, min_after_dequeue, seed, shared_name)
    return _Batching(
        "shuffle_batch_join", tensors_list, batch_size, queue, keep_input, 1,
        enqueue_many, shapes, allow_smaller_final_batch, name,
    ).run()  # fmt: skip
