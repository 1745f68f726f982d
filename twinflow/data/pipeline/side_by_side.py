"""Elements of several passes in turns, each pass read ahead by a thread of its own.

Note [Side by side]: each worker reads one pass. `cycle_length` of them are in the
cycle and take turns; further ones read ahead and take the place of one that has ended,
in order. In order, the reader waits for the worker whose turn it is; sloppily, it takes
from the next one that has something. A worker's thread knows the floor that it works
on, never the pass that the user holds: when that is dropped, the floor is closed.
"""

import collections
import threading
import weakref

from twinflow.data.pipeline.positions import (
    element_of,
    hold,
    of_outcome,
    outcome,
    place_of,
    put,
)
from twinflow.data.pipeline.stages import Pass, check_length


class _Worker:
    """Reads the pass that a function makes from an element.

    Attributes:
        element: what the pass is made from. walker: the pass, once it was made.
        results: (element, error) pairs that wait. busy: whether more may come.
        working: held while the pass moves.
    """

    def __init__(self):
        self.element = self.walker = None
        self.results: collections.deque = collections.deque()
        self.busy, self.working = False, threading.Lock()

    def state(self):
        """Part of a place."""
        hold(self.working)
        waiting = [outcome(*r) for r in self.results]
        walker = self.walker and place_of(self.walker)
        return [self.element, walker, int(self.busy), waiting]

    def resume(self, function, element, walker, busy, waiting):
        """Be as another one was."""
        self.results.extend(map(of_outcome, waiting))
        if busy:
            self.element = element_of(element)
            if walker is not None:
                self.walker = function(self.element)
                put(self.walker, walker)
        self.busy = bool(busy)


class _Floor:
    """What the threads and the reader share.

    Args:
        function: from an element to a pass. size: how many results may wait.
    """

    def __init__(self, function, size):
        self.function, self.size, self.closed = function, size, False
        self.changed = threading.Condition()

    def close(self):
        """Let the threads end."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()

    def hire(self, worker):
        """Start the thread of a worker."""
        thread = threading.Thread(
            target=self._work, args=(worker,), name="twinflow-data-interleave",
            daemon=True,
        )  # fmt: skip
        thread.start()

    def order(self, worker, element, error=None):
        """Let an idle worker read the pass of `element`, or tell of an error."""
        with self.changed:
            worker.element, worker.walker = element, None
            if error is not None:
                worker.results.append((None, error))
            else:
                worker.busy = True
            self.changed.notify_all()

    def _work(self, worker):
        elements = None
        while self._may_go_on(worker):
            with worker.working:
                found, error, elements = self._step(worker, elements)
                with self.changed:
                    if found is not None or error is not None:
                        worker.results.append((found, error))
                    if elements is None:
                        worker.busy, worker.walker = False, None
                    self.changed.notify_all()

    def _may_go_on(self, worker):
        """Wait until there is work and room for a result; False if nobody reads."""
        with self.changed:
            while not self.closed:
                if worker.busy and len(worker.results) <= self.size:
                    return True
                self.changed.wait()
        return False

    def _step(self, worker, elements):
        """(element, error, the iterator or None at its end)"""
        try:
            if elements is None:
                worker.walker = worker.walker or self.function(worker.element)
                elements = iter(worker.walker)
            found = next(elements, None)
        except Exception as error:
            return None, error, elements
        return found, None, None if found is None else elements


class SideBySide(Pass):
    """The elements of passes that are read by threads, in turns.

    Attributes:
        cycle: the workers that take turns, None where one has ended. ahead: those that
        read ahead. turn: whose turn it is. given: how many elements of it so far.
    """

    def __init__(self, outer, function, cycle_length, block_length, sloppy, size, more):
        self.outer, self.open, self.sloppy = outer, True, sloppy
        self.cycle_length, self.count = cycle_length, cycle_length + more
        self.block_length, self.floor = block_length, _Floor(function, size)
        self.workers, self.begun = [_Worker() for _ in range(self.count)], False
        self.cycle, self.ahead = [], collections.deque()
        self.turn = self.given = 0
        weakref.finalize(self, self.floor.close)

    def __next__(self):
        if not self.begun:
            self._begin()
        with self.floor.changed:
            while True:
                found = self._look()
                if found is not None:
                    self.floor.changed.notify_all()
                    element, error = found
                    if error is not None:
                        raise error
                    return element
                if not (self.open or any(w is not None for w in self.cycle)):
                    raise StopIteration

    def _begin(self):
        self.begun = True
        for i, worker in enumerate(self.workers):
            if not (self.open and self._start(worker)):
                break
            (self.cycle if i < self.cycle_length else self.ahead).append(worker)
        self._hire()

    def _hire(self):
        for worker in [*self.cycle, *self.ahead]:
            if worker is not None:
                self.floor.hire(worker)

    def _start(self, worker):
        """Give a worker the next element; False if there is none."""
        try:
            element = next(iter(self.outer), None)
        except Exception as error:
            self.floor.order(worker, None, error)
            return True
        if element is None:
            self.open = False
            return False
        self.floor.order(worker, element)
        return True

    def _look(self):
        """A result that is there; None after a wait, or a change of the cycle."""
        waits = False
        for i in range(len(self.cycle)):
            turn = (self.turn + i) % len(self.cycle)
            worker = self.cycle[turn]
            if worker is None:
                continue
            if worker.results:
                self._note(turn, i)
                return worker.results.popleft()
            if not worker.busy:
                if self._replace(turn, worker):
                    return None
            elif self.sloppy:
                waits = True
            else:
                if self.turn != turn:
                    self.turn, self.given = turn, 0
                waits = True
                break
        if waits:
            self.floor.changed.wait()
        elif not any(w is not None for w in self.cycle):
            self.open = False
        return None

    def _note(self, turn, away):
        """An element is taken at `turn`, `away` places from whose turn it is."""
        self.turn = turn
        if self.sloppy and away > 1:
            self.given = 0
            return
        self.given += 1
        if self.given == self.block_length:
            self.turn, self.given = (turn + 1) % len(self.cycle), 0

    def _replace(self, turn, worker):
        """Put one that reads ahead in the place of one that has ended."""
        self.cycle[turn] = None
        if self.open and self._start(worker):
            self.ahead.append(worker)
        if not self.ahead:
            return False
        self.cycle[turn] = self.ahead.popleft()
        self.turn, self.given = (turn + 1) % len(self.cycle), 0
        return True

    # ------------------------------------------------------------------ places
    def state(self):
        number = {w: i for i, w in enumerate(self.workers)}
        workers = [w.state() for w in self.workers]
        cycle = [-1 if w is None else number[w] for w in self.cycle]
        ahead = [number[w] for w in self.ahead]
        numbers = [int(self.begun), int(self.open), self.turn, self.given]
        return [place_of(self.outer), numbers, cycle, ahead, workers]

    def resume(self, outer, numbers, cycle, ahead, workers):
        check_length(len(workers), self.count)
        put(self.outer, outer)
        for worker, told in zip(self.workers, workers):
            worker.resume(self.floor.function, *told)
        begun, open_, self.turn, self.given = numbers
        self.begun, self.open = bool(begun), bool(open_)
        self.cycle = [None if n < 0 else self.workers[n] for n in cycle]
        self.ahead.extend(self.workers[n] for n in ahead)
        self._hire()


def side_by_side(source, function, cycle_length, block_length, sloppy, size, more):
    """Elements of the passes that `function` gives, each read ahead by a thread.

    Args:
        function: from an element to a pass. cycle_length: how many take turns, of
            `block_length` elements. sloppy: whether to take what is there first.
        size: how many elements of each may wait. more: how many passes are read ahead.
    """
    return lambda: SideBySide(
        source(), function, cycle_length, block_length, sloppy, size, more
    )
