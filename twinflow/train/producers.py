"""Input producers: queues filled with the elements of a tensor, epoch by epoch."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import greater
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.index import gather
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.queues.kinds import FIFOQueue
from twinflow.ops.random.choice import random_shuffle
from twinflow.ops.variables.cells import count_up_to
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable
from twinflow.summary import summaries
from twinflow.train.queue_runner import QueueRunner, add_queue_runner

EAGERLY = (
    "Input pipelines based on Queues are not supported when eager execution is "
    "enabled. Please use tf.data to ingest data into your model instead."
)


def limit_epochs(
    tensor: Any, num_epochs: Any = None, name: str | None = None
) -> Tensor:
    """The tensor, `num_epochs` times; then running it raises OutOfRangeError.

    The count is a local variable: run tf.local_variables_initializer() before.

    Args:
        tensor: any tensor. num_epochs: an int above 0; None = no limit.
        name: the name of the result.
    Raises:
        ValueError: num_epochs is not above 0.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        epochs = Variable(
            np.int64(0), trainable=False, name="epochs",
            collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip
        with control_dependencies([count_up_to(epochs, num_epochs, name="CountUpTo")]):
            return identity(tensor, name=scope)


def input_producer(
    input_tensor: Any, element_shape: Any = None, num_epochs: Any = None,
    shuffle: bool = True, seed: int | None = None, capacity: int = 32,
    shared_name: Any = None, summary_name: str | None = None, name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:  # fmt: skip
    """A queue with the entries of a tensor's first axis, again and again.

    Its QueueRunner joins the graph's collection; see tf.train.start_queue_runners.

    Args:
        input_tensor: T[n, ...]. element_shape: the shape of an entry, where the
            tensor's own is not known.
        num_epochs: how often each entry comes (see `limit_epochs`); None = no limit.
        shuffle: in a new random order each time. seed: an int, of that order.
        capacity: of the queue. shared_name: see FIFOQueue.
        summary_name: of a summary of how full the queue is; None for none.
        name: the name scope.
        cancel_op: see QueueRunner.
    Returns:
        A FIFOQueue.
    Raises:
        RuntimeError: eager execution is enabled. ValueError: the shape is not known.
    Example:
        q = tf.train.input_producer([[1, 2], [3, 4]], num_epochs=1, shuffle=False)
        x = q.dequeue()
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        threads = tf.train.start_queue_runners(sess)
        sess.run(x)  # [1, 2]
    """
    _refuse_eagerly()
    with name_scope(name, "input_producer", [input_tensor]):
        x = convert_to_tensor(input_tensor, name="input_tensor")
        entry = x.shape.with_rank_at_least(1)[1:].merge_with(element_shape)
        if not entry.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or "
                "`element_shape` must be specified"
            )
        if shuffle:
            x = random_shuffle(x, seed=seed, name="RandomShuffle")
        x = limit_epochs(x, num_epochs)
        queue = FIFOQueue(
            capacity, [x.dtype.base_dtype], [entry], shared_name=shared_name, name=name
        )
        enqueue = queue.enqueue_many([x])
        add_queue_runner(QueueRunner(queue, [enqueue], cancel_op=cancel_op))
        if summary_name is not None:
            full = cast(queue.size(), dtypes.float32) * (1.0 / capacity)
            summaries.scalar(summary_name, full)
        return queue


def _fraction(capacity):
    return f"fraction_of_{capacity}_full"


def string_input_producer(
    string_tensor: Any, num_epochs: Any = None, shuffle: bool = True,
    seed: int | None = None, capacity: int = 32, shared_name: Any = None,
    name: str | None = None, cancel_op: Any = None,
) -> FIFOQueue:  # fmt: skip
    """A queue with strings, such as names of files; see `input_producer`.

    Args:
        string_tensor: string[n].
    Raises:
        ValueError: there are no strings; InvalidArgumentError if only the run shows it.
    """
    _refuse_eagerly()
    problem = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not np.size(string_tensor):
        raise ValueError(problem)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        strings = convert_to_tensor(string_tensor, dtypes.string)
        with control_dependencies([Assert(greater(size(strings), 0), [problem])]):
            strings = identity(strings)
        return input_producer(
            strings, [], num_epochs, shuffle, seed, capacity, shared_name,
            _fraction(capacity), scope, cancel_op,
        )  # fmt: skip


def range_input_producer(
    limit: Any, num_epochs: Any = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: Any = None, name: str | None = None,
) -> FIFOQueue:  # fmt: skip
    """A queue with the numbers from 0 to `limit` - 1; see `input_producer`.

    Args:
        limit: int32[].
    """
    _refuse_eagerly()
    with name_scope(name, "input_producer", [limit]) as scope:
        numbers = range_of(limit)
        return input_producer(
            numbers, [], num_epochs, shuffle, seed, capacity, shared_name,
            _fraction(capacity), scope,
        )  # fmt: skip


def slice_input_producer(
    tensor_list: Any, num_epochs: Any = None, shuffle: bool = True,
    seed: int | None = None, capacity: int = 32, shared_name: Any = None,
    name: str | None = None,
) -> list[Tensor]:  # fmt: skip
    """One entry of each tensor, taken at a place that moves on; see `input_producer`.

    Args:
        tensor_list: tensors of the same size along their first axis.
    Returns:
        A list of tensors, without that axis.
    Raises:
        ValueError: the list is empty.
    Example:
        image, label = tf.train.slice_input_producer(
            [[[1, 2], [3, 4]], [0, 1]], shuffle=False)
        sess = tf.Session()
        threads = tf.train.start_queue_runners(sess)
        sess.run([image, label])  # [[1, 2], 0]
    """
    _refuse_eagerly()
    with name_scope(name, "input_producer", tensor_list):
        tensors = [convert_to_tensor(t) for t in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        count = shape(tensors[0])[0]
        queue = range_input_producer(
            count, num_epochs, shuffle, seed, capacity, shared_name
        )
        place = queue.dequeue()
        return [gather(t, place) for t in tensors]


def _refuse_eagerly():
    if dispatch.current_mode().eager:
        raise RuntimeError(EAGERLY)
