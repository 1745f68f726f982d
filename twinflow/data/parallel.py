"""Work ahead in other threads: maps of several elements at once, and prefetching.

Note [Threads end]: a thread knows only what it works on, never the pass that the user
holds; when that pass is dropped, its finalizer lets the thread end.
"""

import collections
import concurrent.futures
import threading
import time
import weakref
from statistics import median

from twinflow.data.ahead import Ahead, Chunk, worked
from twinflow.data.iterators import Pass
from twinflow.data.places import hold, of_outcome, outcome, place_of, put

_TRIALS, _ENOUGH = 8, 0.02  # calls, or seconds, that tell how long a call takes
_WORTH = 50e-6  # seconds: shorter calls are mostly Python, and gain nothing
_GAIN = 1.2  # how much quicker threads must be to stay
_AGAIN = 1.0  # seconds of work after which they are tried again


def mapped_in_parallel(source, function, workers):
    """As iterators.mapped, with up to `workers` calls at once; the order is kept.

    Functions that gain nothing from threads are called in turn: quick ones, and those
    that hold Python's lock (Note [Gain]).
    """
    return lambda: InOrder(source(), function, workers)


class InOrder(Ahead):
    """The results of a function, computed ahead by threads.

    Note [Gain]: the median of some calls in turn is compared with the seconds that a
    call takes among the others. Where all `workers` together are not quicker, as with
    functions of Python alone, calls are made in turn, and threads tried again later.
    """

    def __init__(self, inner, function, workers):
        super().__init__(inner, 2 * workers)
        self.function, self.workers, self.pool = function, workers, None
        self.left = float("inf")  # calls in turn, before threads are tried
        self.trying = workers > 1
        self.alone, self.among = [], []  # seconds of a call

    def __next__(self):
        if self.left and not (self.queue or self.done.left):
            return self._call_now()
        return super().__next__()

    def block(self, count):
        if self.left and not (self.queue or self.done.left):
            return Pass.block(self, count)
        return super().block(count)

    def _call_now(self):
        element = self._input()
        if not self.trying:
            self.left -= 1
            return self.function(element)
        start = time.perf_counter()
        found = self.function(element)
        self.alone.append(time.perf_counter() - start)
        self.trying = len(self.alone) < _TRIALS and sum(self.alone) < _ENOUGH
        if not self.trying and median(self.alone) >= _WORTH:
            self.left = 0
        return found

    def _begin(self):
        if self.pool is None:
            name = "twinflow-data-map"
            self.pool = concurrent.futures.ThreadPoolExecutor(self.workers, name)
            stop = self.pool.shutdown
            weakref.finalize(self, stop, wait=False, cancel_futures=True)

    def _has_room(self):
        return len(self.queue) < (1 if self.left else self.share)

    def _give(self, rows):
        if self.left:
            self.left = max(self.left - len(rows), 0)
            return worked(self.function, rows)
        return self.pool.submit(worked, self.function, rows)

    def _is_ready(self, handle):
        return type(handle) is tuple or handle.done()

    def _take(self, handle):
        if type(handle) is tuple:
            found, failed, seconds = handle
        else:
            found, failed, seconds = handle.result()
            self._judge(seconds / (len(found) + len(failed)))
        return Chunk(len(found), None, found), failed, seconds

    def _judge(self, seconds):
        """Note [Gain]; the first chunks, when not all threads work, do not count."""
        self.among.append(seconds)
        if not self.left and len(self.among) == 4 * self.workers:
            alone, among = median(self.alone), median(self.among[self.workers :])
            if self.workers * alone < _GAIN * among:
                self.left, self.among = int(_AGAIN / alone), []


class _Buffer:
    """What the thread and the reader share: up to `size` results, and when to stop.

    Attributes:
        inner: the pass that the thread takes from. working: held while it does.
    """

    def __init__(self, size):
        self.size, self.stopped, self.inner = size, False, None
        self.results: collections.deque = collections.deque()
        self.changed, self.working = threading.Condition(), threading.Lock()

    def room(self):
        """Wait until there is room for a result; False if nobody reads any more."""
        if len(self.results) >= self.size:
            with self.changed:
                while len(self.results) >= self.size and not self.stopped:
                    self.changed.wait()
        return not self.stopped

    def put(self, result):
        """Add a result."""
        with self.changed:
            self.results.append(result)
            self.changed.notify_all()

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
    more, error, elements = True, None, None
    while more and buffer.room():
        element = error = None
        with buffer.working:
            try:
                if elements is None:
                    buffer.inner = buffer.inner or source()
                    elements = iter(buffer.inner)
                element = next(elements, None)
            except Exception as caught:
                error = caught
            buffer.put((element, error))
            more = element is not None or (error and elements is not None)
    if error is not None:
        buffer.put((None, None))


class Prefetched(Pass):
    """The elements of a source, computed ahead by one thread from the first one on.

    Its place has those that wait: the reader has not seen them.
    """

    def __init__(self, source, size):
        self.source, self.buffer, self.ended = source, _Buffer(size), False
        weakref.finalize(self, self.buffer.stop)

    def _begin(self):
        name, args = "twinflow-data-prefetch", (self.source, self.buffer)
        threading.Thread(target=_produce, args=args, name=name, daemon=True).start()
        self.source = None

    def __next__(self):
        if self.ended:
            raise StopIteration
        if self.source is not None:
            self._begin()
        element, error = self.buffer.get()
        if error is not None:
            raise error
        if element is None:
            self.ended = True
            raise StopIteration
        return element

    def state(self):
        buffer = self.buffer
        hold(buffer.working)
        inner = None if buffer.inner is None else place_of(buffer.inner)
        return [inner, int(self.ended), [outcome(*r) for r in buffer.results]]

    def resume(self, inner, ended, waiting):
        buffer, self.ended = self.buffer, bool(ended)
        buffer.results.extend(map(of_outcome, waiting))
        if inner is not None:
            buffer.inner = self.source()
            put(buffer.inner, inner)


def prefetched(source, size):
    """The same elements, up to `size` of them computed ahead in a thread."""
    return lambda: Prefetched(source, size)
