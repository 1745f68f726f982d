"""Sequences of batches, and making batches ahead in threads."""

import inspect
import queue
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Sequence:
    """The base of data that give each batch by its number.

    A subclass defines `__getitem__(index)`, a batch, and `__len__`, how many.

    Example:
        class Rows(tf.keras.utils.Sequence):
            def __len__(self):
                return 10
            def __getitem__(self, index):
                return x[index * 8 : index * 8 + 8], y[index * 8 : index * 8 + 8]
    """

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__.")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} does not define __len__.")

    def on_epoch_end(self) -> Any:
        """An epoch has ended."""

    def __iter__(self) -> Iterator[Any]:
        """Go over the batches again and again."""
        while True:
            for i in range(len(self)):
                yield self[i]


def is_generator_or_sequence(x):
    """Whether batches are taken from this one by one."""
    return inspect.isgenerator(x) or isinstance(x, Sequence)


class SequenceEnqueuer:
    """The base: makes batches ahead in threads.

    Args:
        sequence: a Sequence or generator.
        use_multiprocessing: accepted; threads make the batches.
    """

    _thread: Any

    def __init__(self, sequence: Any, use_multiprocessing: bool = False) -> None:
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self._stop, self._thread = threading.Event(), None

    def is_running(self) -> bool:
        """Whether batches are being made."""
        return self._thread is not None and not self._stop.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Begin.

        Args:
            workers: the number of threads. max_queue_size: of batches made ahead.
        """
        self.queue: queue.Queue = queue.Queue(max_queue_size)
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(workers,), daemon=True)
        self._thread.start()

    def stop(self, timeout: Any = None) -> None:
        """End the threads."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(5 if timeout is None else timeout)
            self._thread = None

    def get(self) -> Iterator[Any]:
        """A generator of the batches.

        Raises:
            whatever making a batch raised.
        """
        while self._thread is not None or not self.queue.empty():
            item, error = self.queue.get()
            if error is not None:
                self.stop()
                if isinstance(error, StopIteration):
                    return
                raise error
            yield item

    def _run(self, workers):
        """Make batches; what the sequence raises between them is raised in `get`."""
        try:
            self._fill(workers)
        except BaseException as error:  # whoever asks for a batch must not wait forever
            self._put_item((None, error))

    def _put(self, make):
        """Queue what `make` gives or raises; False when all is over."""
        try:
            found = (make(), None)
        except BaseException as error:  # it is raised where the batch is asked for
            found = (None, error)
        return self._put_item(found)

    def _put_item(self, item):
        while not self._stop.is_set():
            try:
                self.queue.put(item, timeout=0.05)
                return item[1] is None
            except queue.Full:
                continue
        return False

    def _fill(self, workers):
        raise NotImplementedError(f"{type(self).__name__} does not define _fill.")


class OrderedEnqueuer(SequenceEnqueuer):
    """Makes the batches of a Sequence ahead, in order.

    Args:
        sequence: a Sequence. use_multiprocessing: accepted.
        shuffle: whether to mix the batches in each epoch.
    """

    def __init__(
        self, sequence: Any, use_multiprocessing: bool = False, shuffle: bool = False
    ) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _fill(self, workers):
        with ThreadPoolExecutor(max(workers, 1)) as pool:
            while not self._stop.is_set():
                order = list(range(len(self.sequence)))
                if self.shuffle:
                    random.shuffle(order)
                if not self._one_round(pool, order, workers):
                    return
                self.sequence.on_epoch_end()

    def _one_round(self, pool, order, workers):
        waiting: list = []
        for i in [*order, *[None] * workers]:
            if i is not None:
                waiting.append(pool.submit(self.sequence.__getitem__, i))
            full = len(waiting) >= max(workers, 1) or i is None
            if waiting and full and not self._put(waiting.pop(0).result):
                return False
        return True


class GeneratorEnqueuer(SequenceEnqueuer):
    """Takes batches from a generator ahead.

    Args:
        generator: an iterator. use_multiprocessing, wait_time, seed: accepted.
    """

    def __init__(
        self, generator: Any, use_multiprocessing: bool = False,
        wait_time: float = 0.05, seed: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(generator, use_multiprocessing)

    def _fill(self, workers):
        while not self._stop.is_set():
            if not self._put(lambda: next(self.sequence)):
                return
