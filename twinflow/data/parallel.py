"""Work ahead in other threads: maps of several elements at once, and prefetching.

Note [Threads end]: a thread knows only what it works on, never the pass that the user
holds; when that pass is dropped, its finalizer lets the thread end.
"""

import collections
import concurrent.futures
import threading
import time
import weakref

from twinflow.data.iterators import Elements, Pass

_TRIALS = 4  # calls that tell how long one takes
_WORTH = 200e-6  # seconds: shorter calls gain nothing (handing one over costs 30 us)


def mapped_in_parallel(source, function, workers):
    """As iterators.mapped, with up to `workers` calls at once; the order is kept.

    Quick functions are called in turn: handing them over would cost more than it gives.
    """
    return lambda: InOrder(source(), function, workers)


class InOrder(Pass):
    """The results of a function, computed ahead by threads."""

    def __init__(self, elements, function, workers):
        self.elements, self.function = iter(elements), function
        self.workers, self.ended, self.pool = workers, False, None
        self.pending: collections.deque = collections.deque()
        self.trials, self.quickest = _TRIALS, float("inf")

    def __next__(self):
        if self.pool is None:
            if self.trials or self.quickest < _WORTH:
                return self._call_now()
            self.pool = concurrent.futures.ThreadPoolExecutor(
                self.workers, "twinflow-data-map"
            )
            stop = self.pool.shutdown
            weakref.finalize(self, stop, wait=False, cancel_futures=True)
        self._fill()
        if not self.pending:
            raise StopIteration
        return self.pending.popleft().result()

    def _call_now(self):
        element = next(self.elements)
        if not self.trials:
            return self.function(element)
        self.trials -= 1
        start = time.perf_counter()
        found = self.function(element)
        self.quickest = min(self.quickest, time.perf_counter() - start)
        return found

    def _fill(self):
        while len(self.pending) < self.workers and not self.ended:
            try:
                element = next(self.elements)
            except StopIteration:
                self.ended = True
            except Exception as error:
                failed: concurrent.futures.Future = concurrent.futures.Future()
                failed.set_exception(error)
                self.pending.append(failed)
            else:
                self.pending.append(self.pool.submit(self.function, element))


class _Buffer:
    """What the thread and the reader share: up to `size` results, and when to stop."""

    def __init__(self, size):
        self.size, self.stopped = size, False
        self.results: collections.deque = collections.deque()
        self.changed = threading.Condition()

    def put(self, result):
        """Add a result when there is room; False if nobody reads any more."""
        with self.changed:
            while len(self.results) >= self.size and not self.stopped:
                self.changed.wait()
            self.results.append(result)
            self.changed.notify_all()
            return not self.stopped

    def get(self):
        """Take the oldest result when there is one."""
        with self.changed:
            while not self.results:
                self.changed.wait()
            self.changed.notify_all()
            return self.results.popleft()

    def stop(self):
        """Let the thread end."""
        with self.changed:
            self.stopped = True
            self.changed.notify_all()


def _produce(source, buffer):
    """The thread: (element, error) pairs, (None, None) at the end."""
    try:
        elements = iter(source())
    except Exception as error:
        buffer.put((None, error))
        elements = Elements(iter(()))
    more = True
    while more:
        try:
            more = buffer.put((next(elements), None))
        except StopIteration:
            break
        except Exception as error:
            more = buffer.put((None, error))
    buffer.put((None, None))


class Prefetched(Pass):
    """The elements of a source, computed ahead by one thread from the first one on."""

    def __init__(self, source, size):
        self.source, self.buffer, self.ended = source, _Buffer(size), False
        weakref.finalize(self, self.buffer.stop)

    def _begin(self):
        name, args = "twinflow-data-prefetch", (self.source, self.buffer)
        threading.Thread(target=_produce, args=args, name=name, daemon=True).start()
        self.source = None

    def __next__(self):
        if self.source is not None:
            self._begin()
        if self.ended:
            raise StopIteration
        element, error = self.buffer.get()
        if error is not None:
            raise error
        if element is None:
            self.ended = True
            raise StopIteration
        return element


def prefetched(source, size):
    """The same elements, up to `size` of them computed ahead in a thread."""
    return lambda: Prefetched(source, size)
