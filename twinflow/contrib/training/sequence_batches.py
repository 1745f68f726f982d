"""tf.contrib.training.batch_sequences_with_states: long sequences by way of threads.

A SparseTensor goes through the Barrier as strings: one for each of its rows if it is a
sequence, or for the whole of it if it belongs to the context.
"""

from typing import Any

from twinflow.base import dtypes, errors
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.training.sequence_state_saver import (
    NextQueuedSequenceBatch,
    SequenceQueueingStateSaver,
)
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import fill
from twinflow.ops.core.division import floordiv
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_all, reduce_max
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.serialize import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.strings.basic import string_join
from twinflow.ops.strings.number import as_string
from twinflow.summary import summaries
from twinflow.train.queue_runner import QueueRunner, add_queue_runner


def batch_sequences_with_states(
    input_key: TensorValue, input_sequences: dict[Any, Any],
    input_context: dict[Any, Any],
    input_length: Any, initial_states: dict[Any, Any], num_unroll: int,
    batch_size: TensorValue,
    num_threads: int = 3, capacity: int = 1000, allow_small_batch: bool = True,
    pad: bool = True, make_keys_unique: bool = False, make_keys_unique_seed: Any = None,
    name: str | None = None,
) -> NextQueuedSequenceBatch:  # fmt: skip
    """Batches of pieces of long sequences, with states from one piece to the next.

    A queue runner puts examples in. Each state of the batch must be saved with
    `save_state`, for the next pieces to come.

    Args:
        input_key: string[], a key of its own for each example.
        input_sequences: dict of [length, ...] tensors or SparseTensors.
        input_context: dict of tensors or SparseTensors, the same for all pieces.
        input_length: int32[], how much of the sequences counts; None: all.
        initial_states: dict of tensors, at least one.
        num_unroll: the length of a piece. batch_size: int32[], how many are in a batch.
        num_threads: of the queue runner. capacity: how many examples are there at once.
        allow_small_batch: give less at the end.
        pad: fill sequences up with zeros to a multiple of `num_unroll`.
        make_keys_unique: put a random number behind each key.
        make_keys_unique_seed: of these numbers. name: of the nodes.
    Returns:
        A NextQueuedSequenceBatch.
    Raises:
        ValueError: `num_unroll` is no int, or see SequenceQueueingStateSaver.
    Example:
        batch = tf.contrib.training.batch_sequences_with_states(
            tf.constant("a"), {"x": tf.constant([[1.], [2.], [3.]])}, {}, None,
            {"sum": tf.zeros([1])}, 2, 1, make_keys_unique=True)
        total = batch.state("sum") + tf.reduce_sum(batch.sequences["x"], 1)
        save = batch.save_state("sum", total)
        sess = tf.Session()
        threads = tf.train.start_queue_runners(sess)
        sess.run([total, save])[0]  # [[3.0]]
    """
    if not isinstance(num_unroll, int):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    with name_scope(name, "batch_sequences_with_states"):
        if make_keys_unique:
            input_key = _unique(input_key, make_keys_unique_seed)
        sequences = dict(input_sequences)
        if pad:
            length, sequences = padding(sequences, num_unroll)
            input_length = length if input_length is None else input_length
        sequences, sparse, kinds = deconstruct_sparse_tensor_seq(sequences)
        context, context_kinds = _deconstruct_context(input_context)
        saver = SequenceQueueingStateSaver(
            batch_size, num_unroll, input_length, input_key, sequences, context,
            initial_states, capacity, allow_small_batch,
        )  # fmt: skip
        barrier = saver.barrier
        summaries.scalar(
            f"queue/{barrier.name}/ready_segment_batches_",
            cast(barrier.ready_size(), dtypes.float32),
        )
        closed = (errors.OutOfRangeError, errors.CancelledError)
        add_queue_runner(QueueRunner(
            saver, [saver.prefetch_op] * num_threads, saver.close(),
            saver.close(cancel_pending_enqueues=True), closed,
        ))  # fmt: skip
        batch = saver.next_batch
        n = batch.batch_size
        reconstruct_sparse_tensor_seq(batch.sequences, sparse, kinds, n, num_unroll)
        for key, (dtype, rank) in context_kinds.items():
            found = deserialize_many_sparse(batch.context[key], dtype, rank)
            batch.context[key] = found
        return batch


def _unique(key, seed):
    """The key with two random numbers behind it."""
    with name_scope("make_keys_unique"):
        numbers = [
            as_string(random_uniform(
                [], 0, dtypes.int64.max, dtypes.int64, seed=None if seed is None else
                seed + i,
            ))
            for i in range(2)
        ]  # fmt: skip
        return string_join([key, *numbers], "_", name="key")


# ------------------------------------------------------------------ filling up
def padding(sequences: dict, num_unroll: int) -> tuple[Tensor, dict]:
    """Sequences filled up with zeros, or "", to a multiple of a length.

    Args:
        sequences: dict of [length, ...] tensors or SparseTensors; where all of them are
            SparseTensors, the longest one counts.
        num_unroll: the length of a piece.
    Returns:
        (int32[]: the length before, the dict)
    Raises:
        ValueError: one of them is a scalar.
        InvalidArgumentError: the tensors are not of one length.
    """
    if not isinstance(num_unroll, int):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    found = {
        key: value if isinstance(value, SparseTensor) else convert_to_tensor(value)
        for key, value in sequences.items()
    }
    for key, value in found.items():
        if value.shape.ndims is not None and value.shape.ndims < 1:
            raise ValueError(f"sequence {key} cannot be a scalar, got {value}")
    dense = [v for v in found.values() if isinstance(v, Tensor)]
    if dense:
        lengths = stack([shape(value)[0] for value in dense])
        same = Assert(
            reduce_all(equal(lengths, lengths[0])),
            ["All sequence lengths must match, but received lengths: ", lengths],
        )
        with control_dependencies([same]):
            length = identity(lengths[0])
    else:
        sparse = [cast(v.dense_shape[0], dtypes.int32) for v in found.values()]
        length = reduce_max(stack(sparse))
    wanted = floordiv(length + num_unroll - 1, num_unroll) * num_unroll
    return length, {key: _padded(v, length, wanted) for key, v in found.items()}


def _padded(value, length, wanted):
    if isinstance(value, SparseTensor):
        rows = cast([wanted], dtypes.int64)
        sizes = concat([rows, value.dense_shape[1:]], 0)
        return SparseTensor(value.indices, value.values, sizes)
    zero = "" if value.dtype == dtypes.string else cast(0, value.dtype)
    sizes = concat([[wanted - length], shape(value)[1:]], 0)
    found = concat([value, fill(sizes, zero)], 0)
    if value.shape.ndims is not None:
        found.set_shape([None, *value.shape.as_list()[1:]])
    return found


# ------------------------------------------------------------------ SparseTensors
def deconstruct_sparse_tensor_seq(
    input_sequence: dict, shared_name: str | None = None
) -> tuple[dict, list, list]:
    """The sequences, with strings for the rows of SparseTensors.

    Args:
        input_sequence: dict of tensors and SparseTensors. shared_name: accepted.
    Returns:
        (dict of tensors, the keys of SparseTensors, and their (dtype, rank))
    """
    keys = sorted(k for k, v in input_sequence.items() if isinstance(v, SparseTensor))
    found, kinds = dict(input_sequence), []
    for key in keys:
        value = input_sequence[key]
        kinds.append(_kind(value))
        found[key] = serialize_many_sparse(value)
        found[key].set_shape([None, 3])
    return found, keys, kinds


def reconstruct_sparse_tensor_seq(
    sequence: dict, sparse_tensor_keys: list, tensor_op_list: list,
    batch_size: TensorValue, num_unroll: TensorValue,
) -> None:  # fmt: skip
    """Put SparseTensors of [batch, num_unroll, ...] into a dict of batches.

    Args:
        sequence: the dict, with strings for them.
        sparse_tensor_keys, tensor_op_list: see `deconstruct_sparse_tensor_seq`.
        batch_size, num_unroll: int32[], the first sizes.
    """
    for key, (dtype, rank) in zip(sparse_tensor_keys, tensor_op_list, strict=True):
        rows = reshape(sequence[key], [-1, 3])
        flat = deserialize_many_sparse(rows, dtype, rank)
        first = cast(stack([batch_size, num_unroll]), dtypes.int64)
        sizes = concat([first, flat.dense_shape[1:]], 0)
        sequence[key] = sparse_reshape(flat, sizes)


def _deconstruct_context(context):
    """The context with strings for SparseTensors, and their kinds by key."""
    found, kinds = dict(context), {}
    for key, value in context.items():
        if isinstance(value, SparseTensor):
            dtype, rank = _kind(value)
            kinds[key] = dtype, rank and rank + 1
            found[key] = serialize_sparse(value)
            found[key].set_shape([3])
    return found, kinds


def _kind(value):
    return value.dtype, value.dense_shape.shape.num_elements()
