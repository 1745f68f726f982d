"""Records of files, read by several readers into one queue."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes as types
from twinflow.base import files, shapes
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.queues.kinds import FIFOQueue, RandomShuffleQueue
from twinflow.ops.queues.readers import ReaderBase, ReaderRead, ReaderReadUpTo
from twinflow.train.producers import string_input_producer
from twinflow.train.queue_runner import QueueRunner, add_queue_runner

_PATTERN = set("*?[")


class ParallelReader(ReaderBase):
    """Readers that put what they read into one queue.

    Args:
        reader_class: of the readers. common_queue: a queue of (key, value), strings.
        num_readers: how many. reader_kwargs: their arguments.
    Raises:
        TypeError: `reader_kwargs` are no dict.
    """

    def __init__(
        self, reader_class: Callable[..., Any], common_queue: Any, num_readers: int = 4,
        reader_kwargs: Any = None,
    ) -> None:  # fmt: skip
        if len(common_queue.dtypes) != 2 or set(common_queue.dtypes) != {types.string}:
            raise TypeError("common_queue must hold pairs of strings")
        options = reader_kwargs or {}
        self._readers = [reader_class(**options) for _ in range(num_readers)]
        self._common_queue = common_queue

    num_readers = property(lambda self: len(self._readers))
    common_queue = property(lambda self: self._common_queue)

    def read(self, queue: Any, name: str | None = None) -> ReaderRead:
        """The next record of the queue of all readers.

        Args:
            queue: of the names of the files. name: of the node.
        Returns:
            (key, value): string scalars.
        """
        self._fill([r.read(queue) for r in self._readers], many=False)
        return ReaderRead(*self._common_queue.dequeue(name=name))

    def read_up_to(
        self, queue: Any, num_records: Any, name: str | None = None
    ) -> ReaderReadUpTo:
        """The next records of the queue of all readers.

        Args:
            queue: of the names of the files. num_records: how many at most.
        Returns:
            (keys, values): string[n].
        """
        self._fill([r.read_up_to(queue, num_records) for r in self._readers], many=True)
        return ReaderReadUpTo(*self._common_queue.dequeue_up_to(num_records, name))

    def _fill(self, records, many):
        queue = self._common_queue
        put = queue.enqueue_many if many else queue.enqueue
        add_queue_runner(QueueRunner(queue, [put(list(pair)) for pair in records]))

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records all readers have given: int64 scalar."""
        return add_n([r.num_records_produced() for r in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files all readers have finished: int64 scalar."""
        return add_n([r.num_work_units_completed() for r in self._readers], name=name)


def get_data_files(data_sources: Any) -> Any:
    """The files of a name, a pattern, or a list of either.

    Raises:
        ValueError: there are none.
    """
    if isinstance(data_sources, list | tuple):
        found = [file for one in data_sources for file in get_data_files(one)]
    elif _PATTERN & set(data_sources):
        found = files.Glob(data_sources)
    else:
        found = [data_sources]
    if not found:
        raise ValueError(f"No data files found in {data_sources}")
    return found


def _queue(shuffle, capacity, keep, dtypes, seed):
    shape = [shapes.TensorShape([])] * len(dtypes)
    if shuffle:
        return RandomShuffleQueue(
            capacity, keep, dtypes, shape, seed=seed, name="common_queue"
        )
    return FIFOQueue(capacity, dtypes, shape, name="common_queue")


def parallel_read(
    data_sources: Any, reader_class: Callable[..., Any], num_epochs: Any = None,
    num_readers: int = 4, reader_kwargs: Any = None, shuffle: bool = True,
    dtypes: Any = None, capacity: int = 256, min_after_dequeue: int = 128,
    seed: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """The next record of files that several readers read.

    Args:
        data_sources: names of files, or patterns. reader_class: of the readers.
        num_epochs: how often each file is read; None: without end.
        num_readers, reader_kwargs: how many readers, and their arguments.
        shuffle: mix files and records. dtypes: of key and value.
        capacity: of the queue. min_after_dequeue: how many stay in it for mixing.
        seed: of the mixing. scope: of the nodes.
    Returns:
        (key, value): string scalars.
    """
    names = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        filenames = string_input_producer(
            names, num_epochs, shuffle, seed=seed, name="filenames"
        )
        kinds = dtypes or [types.string, types.string]
        queue = _queue(shuffle, capacity, min_after_dequeue, kinds, seed)
        reader = ParallelReader(reader_class, queue, num_readers, reader_kwargs)
        return reader.read(filenames)


def single_pass_read(
    data_sources: Any, reader_class: Callable[..., Any], reader_kwargs: Any = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """The next record of files, in order and each once.

    Args:
        data_sources: names of files, or patterns. reader_class: of the reader.
        reader_kwargs: its arguments. scope: of the nodes.
    Returns:
        (key, value): string scalars.
    """
    names = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        filenames = string_input_producer(
            names, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(filenames)
