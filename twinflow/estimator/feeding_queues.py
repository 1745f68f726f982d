"""Queues that are fed with the rows of arrays and data frames.

What `tf.estimator.inputs` was written with; here that takes datasets, and this is for
programs that fill a queue themselves.
"""

import inspect
import random
from typing import Any

import numpy as np

from twinflow.base import errors, logging
from twinflow.base.dtypes import as_dtype, float32, int64
from twinflow.estimator.generated_feeds import GeneratorFeedFn
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import cast
from twinflow.ops.core.magnitude import maximum
from twinflow.ops.queues.kinds import FIFOQueue, RandomShuffleQueue
from twinflow.summary import summaries
from twinflow.train.queue_runner import QueueRunner, add_queue_runner

_CLOSED = (errors.OutOfRangeError, errors.CancelledError)


class FeedingQueueRunner(QueueRunner):
    """A QueueRunner whose threads feed their ops.

    Args:
        queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types: see
            QueueRunner. feed_fns: for each op () -> what it is fed.
    Raises:
        ValueError: there are not as many functions as ops.
    """

    def __init__(
        self, queue: Any = None, enqueue_ops: Any = None, close_op: Any = None,
        cancel_op: Any = None, feed_fns: Any = None,
        queue_closed_exception_types: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types
        )
        self._feed_fns = feed_fns or [lambda: None] * len(self._enqueue_ops)
        if len(self._feed_fns) != len(self._enqueue_ops):
            raise ValueError(
                "If feed_fns is not None, it must have the same length as enqueue_ops."
            )

    def _step(self, sess, place):
        op, feed = self._enqueue_ops[place], self._feed_fns[place]
        return lambda: sess.run(op, feed_dict=feed())

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Not possible: functions cannot be written.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            f"{type(self).__name__} does not support serialization to proto."
        )


def integer_indices_for_next_batch(
    batch_indices_start: int, batch_size: int, epoch_end: int, array_length: int,
    current_epoch: int, total_epochs: int | None,
) -> tuple[list[int], int]:  # fmt: skip
    """The rows of the next batch, and the number of passes that are done then.

    Args:
        batch_indices_start: the first row. batch_size: how many, at most.
        epoch_end: the row that ends a pass. array_length: how many there are.
        current_epoch: passes done. total_epochs: those there are; None: no end.
    Raises:
        OutOfRangeError: all passes are done.
    """
    if total_epochs is not None and current_epoch >= total_epochs:
        raise errors.OutOfRangeError(
            None, None, f"Already emitted {current_epoch} epochs."
        )
    found = []
    for i in range(batch_indices_start, batch_indices_start + batch_size):
        found.append(i % array_length)
        if found[-1] == epoch_end:
            current_epoch += 1
            if current_epoch == total_epochs:
                break
    return found, current_epoch


class _FeedFn:
    """Gives the next rows of some columns, again and again.

    Args:
        placeholders: what is fed: the numbers of rows, then each column.
        columns: arrays. batch_size: rows at a time.
        random_start: begin somewhere. seed: of that. num_epochs: passes; None: no end.
    """

    def __init__(
        self, placeholders, columns, batch_size, random_start, seed, num_epochs
    ):
        self._placeholders, self._columns = list(placeholders), columns
        self._max, self._batch_size = len(columns[0]), batch_size
        self._num_epochs, self._epoch = num_epochs, 0
        draw = random.Random(seed).randrange
        self._trav = draw(self._max) if random_start else 0
        self._epoch_end = (self._trav - 1) % self._max

    def __call__(self) -> dict:
        """Dict from placeholders to rows.

        Raises:
            OutOfRangeError: all passes are done.
        """
        rows, self._epoch = integer_indices_for_next_batch(
            self._trav, self._batch_size, self._epoch_end, self._max, self._epoch,
            self._num_epochs,
        )  # fmt: skip
        self._trav = (rows[-1] + 1) % self._max
        return dict(zip(self._placeholders, [self._numbers(rows), *self._rows(rows)]))

    def _numbers(self, rows):
        return rows

    def _rows(self, rows):
        return [column[rows] for column in self._columns]


class ArrayFeedFn(_FeedFn):
    """Gives the rows of an array.

    Args: see _FeedFn; array: the array.
    """

    def __init__(
        self, placeholders: list, array: np.ndarray, batch_size: int,
        random_start: bool = False, seed: Any = None, num_epochs: int | None = None,
    ) -> None:  # fmt: skip
        if len(placeholders) != 2:
            raise ValueError(
                f"_array_feed_fn expects 2 placeholders; got {len(placeholders)}."
            )
        super().__init__(
            placeholders, [array], batch_size, random_start, seed, num_epochs
        )


class OrderedDictNumpyFeedFn(_FeedFn):
    """Gives the rows of arrays of equal length.

    Args: see _FeedFn; ordered_dict_of_arrays: the arrays.
    """

    def __init__(
        self, placeholders: list, ordered_dict_of_arrays: dict, batch_size: int,
        random_start: bool = False, seed: Any = None, num_epochs: int | None = None,
    ) -> None:  # fmt: skip
        columns = list(ordered_dict_of_arrays.values())
        if len(placeholders) != len(columns) + 1:
            raise ValueError(
                f"Expected {len(columns)} placeholders; got {len(placeholders)}."
            )
        if len({len(column) for column in columns}) > 1:
            raise ValueError("Array lengths must match.")
        super().__init__(
            placeholders, columns, batch_size, random_start, seed, num_epochs
        )


class PandasFeedFn(_FeedFn):
    """Gives the rows of a pandas DataFrame, with their index in place of numbers.

    Args: see _FeedFn; dataframe: the DataFrame.
    """

    def __init__(
        self, placeholders: list, dataframe: Any, batch_size: int,
        random_start: bool = False, seed: Any = None, num_epochs: int | None = None,
    ) -> None:  # fmt: skip
        if len(placeholders) != len(dataframe.columns) + 1:
            raise ValueError(
                f"Expected {len(dataframe.columns)} placeholders; got "
                f"{len(placeholders)}."
            )
        self._index = dataframe.index
        columns = [dataframe[name].to_numpy() for name in dataframe.columns]
        super().__init__(
            placeholders, columns, batch_size, random_start, seed, num_epochs
        )

    def _numbers(self, rows):
        return self._index[rows].to_numpy()


def enqueue_data(
    data: Any, capacity: int, shuffle: bool = False,
    min_after_dequeue: int | None = None, num_threads: int = 1, seed: Any = None,
    name: str = "enqueue_input", enqueue_size: int = 1, num_epochs: int | None = None,
    pad_value: Any = None,
) -> Any:  # fmt: skip
    """A queue of the numbers of rows and the rows of data, which threads fill.

    Args:
        data: an array, an ordered dict of arrays, a pandas DataFrame, or a generator
            function of dicts.
        capacity: of the queue. shuffle: give rows in random order.
        min_after_dequeue: rows that stay to be shuffled; a quarter of the capacity.
        num_threads: how many fill it. seed: of the order. name: of the nodes.
        enqueue_size: rows that are put in at once.
        num_epochs: passes of each thread; None: no end.
        pad_value: what fills the rows of a generator up to one shape.
    Returns:
        A FIFOQueue or RandomShuffleQueue.
    Raises:
        TypeError: the data is something else.
    """
    with name_scope(name):
        types, shapes, make = _described(data)
        if num_threads > 1 and num_epochs is not None:
            logging.warning(
                "enqueue_data was called with num_epochs and num_threads > 1. "
                "num_epochs is applied per thread, so this will produce more epochs "
                "than you probably intend. If you want to limit epochs, use one thread."
            )
        least = 0
        if shuffle:
            least = capacity // 4 if min_after_dequeue is None else min_after_dequeue
            queue = RandomShuffleQueue(capacity, least, types, shapes, seed=seed)
        else:
            queue = FIFOQueue(capacity, types, shapes)
        ops, feeds = [], []
        more = {"pad_value": pad_value} if make is GeneratorFeedFn else {}
        for i in range(num_threads):
            fed = [placeholder(dtype) for dtype in types]
            ops.append(queue.enqueue_many(fed))
            feeds.append(make(
                fed, data, enqueue_size, random_start=shuffle and num_threads > 1,
                seed=None if seed is None else seed + i, num_epochs=num_epochs,
                **more,
            ))  # fmt: skip
        add_queue_runner(FeedingQueueRunner(
            queue, ops, feed_fns=feeds, queue_closed_exception_types=_CLOSED
        ))  # fmt: skip
        room = capacity - least
        full = cast(maximum(0, queue.size() - least), float32) * (1.0 / room)
        label = f"queue/{queue.name}fraction_over_{least}_of_{room}_full"
        summaries.scalar(label, full)
        return queue


def _described(data):
    """(types, shapes, class of the feeding functions) of data."""
    if isinstance(data, np.ndarray):
        return [int64, as_dtype(data.dtype)], [(), data.shape[1:]], ArrayFeedFn
    if isinstance(data, dict):
        arrays = data.values()
        types = [int64, *(as_dtype(a.dtype) for a in arrays)]
        return types, [(), *(a.shape[1:] for a in arrays)], OrderedDictNumpyFeedFn
    if hasattr(data, "columns") and hasattr(data, "index"):
        columns = [data[name].to_numpy() for name in data.columns]
        types = [as_dtype(a.dtype) for a in (data.index.to_numpy(), *columns)]
        return types, [()] * len(types), PandasFeedFn
    if inspect.isfunction(data):
        first = next(data())
        rows = [np.asarray(first[key]) for key in sorted(first)]
        return (
            [as_dtype(a.dtype) for a in rows],
            [a.shape for a in rows],
            GeneratorFeedFn,
        )
    raise TypeError(
        "data must be either a numpy array or pandas DataFrame if pandas is installed; "
        f"got {type(data).__name__}"
    )
