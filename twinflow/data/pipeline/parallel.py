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

from twinflow.data.pipeline.positions import hold, of_outcome, outcome, place_of, put
from twinflow.data.pipeline.stages import Pass
from twinflow.data.pipeline.work_ahead import Ahead, Chunk, worked

_TRIALS = 8  # calls that tell whether a function is quick
_WORTH = 50e-6  # seconds: shorter calls are mostly Python, and gain nothing
_FIRST, _AGAIN = 0.01, 1.0  # seconds of calls in turn, before threads are tried
_GAIN, _LOSSES = 1.2, 3  # how much less is to be waited, and how often that may fail


def mapped_in_parallel(source, function, workers):
    """As stages.mapped, with up to `workers` calls at once; the order is kept.

    Functions that gain nothing from threads are called in turn: see Note [Gain].
    """
    return lambda: InOrder(source(), function, workers)


class Gain:
    """Whether threads are worth it.

    Note [Gain]: quick functions are called in turn: handing them over costs more. For
    others some calls in turn are timed; then threads work, and what the reader waits
    for an element is compared with that. Where it is not less several times, as with
    functions that hold Python's lock, calls are made in turn for a while, and so on.

    Args:
        workers: how many threads there are.
    """

    def __init__(self, workers):
        self.workers, self.quick, self.first = workers, False, []
        self._turn(_FIRST)

    def _turn(self, seconds):
        """Let calls be made in turn for so long."""
        self.left, self.spent, self.calls = seconds, 0.0, 0
        self.chunks = self.losses = self.count = 0
        self.waited = 0.0

    @property
    def in_turn(self):
        """Whether the next call is made at once."""
        return self.left > 0 or self.quick

    def alone(self, seconds):
        """Note a call made in turn."""
        self.spent += seconds
        self.left -= seconds
        self.calls += 1
        if len(self.first) < _TRIALS:
            self.first.append(seconds)
            if len(self.first) == _TRIALS:
                self.quick = median(self.first) < _WORTH

    def among(self, seconds, count):
        """Note how long was waited for a chunk of `count` results of threads."""
        self.chunks += 1
        if self.chunks <= self.workers:  # not all threads worked
            return
        self.waited += seconds
        self.count += count
        if self.chunks < 4 * self.workers or not self.calls:
            return
        gains = _GAIN * self.waited / self.count < self.spent / self.calls
        self.losses = 0 if gains else self.losses + 1
        self.chunks, self.waited, self.count = self.workers, 0.0, 0
        if self.losses == _LOSSES:
            self._turn(_AGAIN)


class InOrder(Ahead):
    """The results of a function, computed ahead by threads if that is worth it."""

    def __init__(self, inner, function, workers):
        super().__init__(inner, 3 * workers)
        self.function, self.workers, self.pool = function, workers, None
        self.gain = Gain(workers)

    def __next__(self):
        if self.gain.in_turn and not (self.queue or self.done.left):
            return self._call(self._input())
        return super().__next__()

    def block(self, count):
        if self.gain.in_turn and not (self.queue or self.done.left):
            return Pass.block(self, count)
        return super().block(count)

    def _call(self, element):
        if self.gain.quick:
            return self.function(element)
        start = time.perf_counter()
        found = self.function(element)
        self.gain.alone(time.perf_counter() - start)
        return found

    def _begin(self):
        if self.pool is None:
            name = "twinflow-data-map"
            self.pool = concurrent.futures.ThreadPoolExecutor(self.workers, name)
            stop = self.pool.shutdown
            weakref.finalize(self, stop, wait=False, cancel_futures=True)

    def _has_room(self):
        return len(self.queue) < (1 if self.gain.in_turn else self.share)

    def _give(self, rows):
        if self.gain.in_turn:
            return worked(self._call, rows)
        return self.pool.submit(worked, self.function, rows)

    def _is_ready(self, handle):
        return type(handle) is tuple or handle.done()

    def _take(self, handle):
        if type(handle) is tuple:
            found, failed, seconds = handle
        else:
            start = time.perf_counter()
            found, failed, seconds = handle.result()
            count = len(found) + len(failed)
            self.gain.among(time.perf_counter() - start, count)
        return Chunk(len(found), None, found), failed, seconds


class _Buffer:
    """What the thread and the reader share: up to `size` results, and when to stop.

    A deque needs no lock; who waits says so before a last look, and is then woken.

    Attributes:
        inner: the pass that the thread takes from. working: held while it does.
        waiting: whether someone may wait for a change.
    """

    def __init__(self, size):
        self.size, self.stopped, self.inner = size, False, None
        self.results: collections.deque = collections.deque()
        self.changed, self.working = threading.Condition(), threading.Lock()
        self.waiting = False

    def _wait(self, ready):
        with self.changed:
            while True:
                self.waiting = True
                if ready():
                    return
                self.changed.wait()

    def _wake(self):
        with self.changed:
            self.waiting = False
            self.changed.notify_all()

    def room(self):
        """Wait until there is room for a result; False if nobody reads any more."""
        if len(self.results) >= self.size:
            self._wait(lambda: len(self.results) < self.size or self.stopped)
        return not self.stopped

    def put(self, result):
        """Add a result."""
        self.results.append(result)
        if self.waiting:
            self._wake()

    def get(self):
        """Take the oldest result when there is one."""
        while True:
            try:
                found = self.results.popleft()
                break
            except IndexError:
                self._wait(lambda: self.results)
        if self.waiting:
            self._wake()
        return found

    def stop(self):
        """Let the thread end."""
        self.stopped = True
        self._wake()


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
