"""Batches of serialized examples and of their features, through queues."""

from collections.abc import Callable
from typing import Any

from twinflow.base.files import Glob
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.parsing.public import parse_example
from twinflow.ops.queues.kinds import FIFOQueue
from twinflow.ops.queues.readers import TFRecordReader
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.train.batching import batch, shuffle_batch
from twinflow.train.producers import string_input_producer
from twinflow.train.queue_runner import QueueRunner, add_queue_runner


def read_keyed_batch_examples(
    file_pattern: Any, batch_size: int, reader: Callable[..., Any],
    randomize_input: bool = True,
    num_epochs: Any = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: int = 1, parse_fn: Any = None, name: Any = None, seed: Any = None,
) -> tuple[Tensor, Any]:  # fmt: skip
    """Batches of records, with keys.

    Args:
        file_pattern: names of files with wildcards, one or a list.
        batch_size: how many records a batch has.
        reader: () -> a reader, such as tf.TFRecordReader.
        randomize_input: shuffle files and records. num_epochs: passes; None: no end.
        queue_capacity: of the queue of records. num_threads: that read.
        read_batch_size: how many records are read at a time.
        parse_fn: from a record to what stands for it. name: the scope of the ops.
        seed: of the shuffling.
    Returns:
        (string[batch], the keys; string[batch] or what parse_fn gives)
    Raises:
        ValueError: there are no files, or a number is below 1.
    """
    files = _files(file_pattern)
    for value, what in ((batch_size, "batch_size"), (num_threads, "num_threads")):
        if value < 1:
            raise ValueError(f"Invalid {what} {value}.")
    if queue_capacity < batch_size:
        raise ValueError(
            f"queue_capacity {queue_capacity} must be at least batch_size {batch_size}."
        )
    with name_scope(name, "read_batch_examples", [file_pattern]):
        queue = string_input_producer(
            files, num_epochs=num_epochs, shuffle=randomize_input, seed=seed,
            capacity=max(1, len(files)), name="file_name_queue",
        )  # fmt: skip
        parts = _read(reader(), queue, read_batch_size, parse_fn)
        options = {
            "num_threads": num_threads, "capacity": queue_capacity,
            "enqueue_many": parse_fn is None, "name": "batch_examples",
            "allow_smaller_final_batch": num_epochs is not None,
        }  # fmt: skip
        if not randomize_input:
            key, value = batch(parts, batch_size, **options)
        else:
            least = min(queue_capacity // 2, max(0, queue_capacity - 3 * batch_size))
            key, value = shuffle_batch(
                parts, batch_size, min_after_dequeue=least, seed=seed, **options
            )
        return key, value


def _read(reader, queue, count, parse_fn):
    """The keys and records of a read, or what a function makes of one record."""
    if parse_fn is None:
        return list(reader.read_up_to(queue, count))
    key, record = reader.read(queue)
    return [key, parse_fn(record)]


def _files(pattern):
    names = [pattern] if isinstance(pattern, str) else list(pattern)
    if not names:
        raise ValueError("No files given to dequeue_examples.")
    found = [f for p in names for f in sorted(Glob(p))]
    if not found:
        raise ValueError(f"No files match {pattern}.")
    return found


def read_keyed_batch_examples_shared_queue(
    file_pattern: Any, batch_size: int, reader: Callable[..., Any],
    randomize_input: bool = True,
    num_epochs: Any = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: int = 1, parse_fn: Any = None, name: Any = None, seed: Any = None,
) -> tuple[Tensor, Any]:  # fmt: skip
    """As `read_keyed_batch_examples`; 1.12 shares the queue between workers."""
    return read_keyed_batch_examples(
        file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity,
        num_threads, read_batch_size, parse_fn, name, seed,
    )  # fmt: skip


def read_batch_examples(
    file_pattern: Any, batch_size: int, reader: Callable[..., Any],
    randomize_input: bool = True,
    num_epochs: Any = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: int = 1, parse_fn: Any = None, name: Any = None, seed: Any = None,
) -> Any:  # fmt: skip
    """As `read_keyed_batch_examples`, without the keys."""
    return read_keyed_batch_examples(
        file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity,
        num_threads, read_batch_size, parse_fn, name, seed,
    )[1]  # fmt: skip


def read_keyed_batch_features(
    file_pattern: Any, batch_size: int, features: dict[Any, Any],
    reader: Callable[..., Any],
    randomize_input: bool = True, num_epochs: Any = None, queue_capacity: int = 10000,
    reader_num_threads: int = 1, feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2, parse_fn: Any = None, name: Any = None,
    read_batch_size: Any = None,
) -> tuple[Tensor, dict[Any, Any]]:  # fmt: skip
    """Batches of the features of tf.Examples, with keys.

    Args: see `read_keyed_batch_examples`, and
        features: {key: a FixedLenFeature, VarLenFeature ...}.
        feature_queue_capacity, num_enqueue_threads: of the queue of batches.
    Returns:
        (string[batch], {key: tensor or SparseTensor})
    """
    with name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = read_keyed_batch_examples(
            file_pattern, batch_size, reader, randomize_input, num_epochs,
            queue_capacity, reader_num_threads, read_batch_size or batch_size, parse_fn,
            scope,
        )  # fmt: skip
        found = parse_example(examples, features)
        return queue_parsed_features(
            found, keys, feature_queue_capacity, num_enqueue_threads, scope
        )


def read_keyed_batch_features_shared_queue(
    file_pattern: Any, batch_size: int, features: dict[Any, Any],
    reader: Callable[..., Any],
    randomize_input: bool = True, num_epochs: Any = None, queue_capacity: int = 10000,
    reader_num_threads: int = 1, feature_queue_capacity: int = 100,
    num_queue_runners: int = 2, parse_fn: Any = None, name: Any = None,
) -> tuple[Tensor, dict[Any, Any]]:  # fmt: skip
    """As `read_keyed_batch_features`; 1.12 shares the queue between workers."""
    return read_keyed_batch_features(
        file_pattern, batch_size, features, reader, randomize_input, num_epochs,
        queue_capacity, reader_num_threads, feature_queue_capacity, num_queue_runners,
        parse_fn, name,
    )  # fmt: skip


def read_batch_features(
    file_pattern: Any, batch_size: int, features: dict[Any, Any],
    reader: Callable[..., Any],
    randomize_input: bool = True, num_epochs: Any = None, queue_capacity: int = 10000,
    feature_queue_capacity: int = 100, reader_num_threads: int = 1,
    num_enqueue_threads: int = 2, parse_fn: Any = None, name: Any = None,
    read_batch_size: Any = None,
) -> dict[Any, Any]:  # fmt: skip
    """As `read_keyed_batch_features`, without the keys."""
    return read_keyed_batch_features(
        file_pattern, batch_size, features, reader, randomize_input, num_epochs,
        queue_capacity, reader_num_threads, feature_queue_capacity, num_enqueue_threads,
        parse_fn, name, read_batch_size,
    )[1]  # fmt: skip


def read_batch_record_features(
    file_pattern: Any, batch_size: int, features: dict[Any, Any],
    randomize_input: bool = True,
    num_epochs: Any = None, queue_capacity: int = 10000, reader_num_threads: int = 1,
    name: str = "dequeue_record_examples",
) -> dict[Any, Any]:  # fmt: skip
    """As `read_batch_features`, of TFRecords."""
    return read_batch_features(
        file_pattern, batch_size, features, TFRecordReader, randomize_input, num_epochs,
        queue_capacity, reader_num_threads=reader_num_threads, name=name,
    )  # fmt: skip


def queue_parsed_features(
    parsed_features: dict[Any, Any], keys: Any = None,
    feature_queue_capacity: int = 100, num_enqueue_threads: int = 2, name: Any = None,
) -> Any:  # fmt: skip
    """Put batches of features into a queue, and take them out of it.

    Args:
        parsed_features: {key: tensor or SparseTensor}. keys: string[batch], or None.
        feature_queue_capacity: how many batches. num_enqueue_threads: that put them.
        name: the scope of the ops.
    Returns:
        (keys or None, {key: tensor or SparseTensor})
    """
    with name_scope(name, "queue_parsed_features"):
        given = dict(parsed_features)
        if keys is not None:
            given[_KEYS] = keys
        names = sorted(given)
        flat: list = []
        for key in names:
            value = given[key]
            sparse = isinstance(value, SparseTensor)
            flat += (
                [value.indices, value.values, value.dense_shape] if sparse else [value]
            )
        queue = FIFOQueue(feature_queue_capacity, [t.dtype for t in flat])
        put = queue.enqueue(flat)
        add_queue_runner(QueueRunner(queue, [put] * num_enqueue_threads))
        taken = queue.dequeue()
        taken = iter(taken if isinstance(taken, list) else [taken])
        return _restored(given, names, taken)


_KEYS = "__keys"


def _restored(given, names, taken):
    """The tensors from a queue, as they were put in."""
    found = {}
    for key in names:
        like = given[key]
        if isinstance(like, SparseTensor):
            parts = [next(taken) for _ in range(3)]
            for part, old in zip(parts, (like.indices, like.values, like.dense_shape)):
                part.set_shape(old.shape)
            found[key] = SparseTensor(*parts)
        else:
            found[key] = next(taken)
            found[key].set_shape(like.shape)
    return found.pop(_KEYS, None), found
