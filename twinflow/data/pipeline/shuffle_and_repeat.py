"""Random order and repeats in one, by the rules of TensorFlow 1.12.

The buffer is filled from the next epoch as soon as one has ended. An element is drawn
from those of the oldest epoch that has any; Philox words choose, and all epochs share
one sequence of them.
"""

from twinflow.base import progress
from twinflow.data.pipeline.positions import element_of, place_of, put, words_of
from twinflow.data.pipeline.stages import Stage, Staged
from twinflow.ops.random.philox_words import seeds_or_entropy, words


class ShuffledEpochs(Stage):
    """The elements of a source, epoch after epoch, each in random order.

    Args:
        source: starts a pass. size: how many elements wait at most.
        count: how many epochs there are; below 0 = no end.
        seeds: two ints, or None for both.
    Attributes:
        waiting: {number: element}, in the order in which they came.
        epochs: [number of the first, behind the last] that wait, for each epoch.
    """

    def __init__(self, source, size, count, seeds):
        self.source, self.size, self.left = source, size, count
        self.seeds = seeds_or_entropy(0, 0) if seeds[0] is None else seeds
        self.inner, self.begun, self.given = None, False, 0
        self.waiting, self.epochs = {}, [[0, 0]]

    def elements(self):
        draw, waiting, epochs = (
            words(*self.seeds, self.given),
            self.waiting,
            self.epochs,
        )
        if not waiting:
            title = "filling the buffer of shuffle_and_repeat"
            with progress.operation(title, often=True):
                for _ in progress.over("elements", self._filling(), self.size):
                    pass
        while self._filled():
            while epochs[0][0] == epochs[0][1]:
                epochs.pop(0)
            first, end = epochs[0]
            i = first + next(draw) % (end - first)
            self.given, epochs[0][0] = self.given + 1, first + 1
            chosen, waiting[i] = waiting[i], waiting[first]
            del waiting[first]
            yield chosen
        self.over = True

    def _filled(self):
        """Whether elements wait, once there are as many as can be."""
        for _ in self._filling():
            pass
        return bool(self.waiting)

    def _filling(self):
        """Let elements wait, one after the other, until there are enough."""
        while len(self.waiting) < self.size and (element := self._next()) is not None:
            self.waiting[self.epochs[-1][1]] = element
            self.epochs[-1][1] += 1
            yield element

    def _next(self):
        """The next element of the source, from a new epoch where one has ended."""
        while self.left:
            if self.inner is None:
                self.inner = self.source()
            for element in self.inner:
                self.begun = True
                return element
            self.left -= 1
            if self.left < 0 and not self.begun:
                self.left = 0  # an empty source, without end
            self.inner = None
            self.epochs.append([self.epochs[-1][1]] * 2)
        return None

    def state(self):
        inner = None if self.inner is None else place_of(self.inner)
        bounds = [n for epoch in self.epochs for n in epoch]
        numbers = [self.left, int(self.begun), words_of(self.seeds, self.given), bounds]
        return [inner, numbers, [self.waiting[n] for n in sorted(self.waiting)]]

    def resume(self, inner, numbers, waiting):
        if inner is not None:
            self.inner = self.source()
            put(self.inner, inner)
        self.left, begun, (*self.seeds, self.given), bounds = numbers
        self.begun = bool(begun)
        self.epochs = [list(e) for e in zip(bounds[::2], bounds[1::2], strict=True)]
        self.waiting = dict(enumerate(map(element_of, waiting), self.epochs[0][0]))


def shuffled_epochs(source, size, count, seeds):
    """See ShuffledEpochs."""
    return lambda: Staged(ShuffledEpochs(source, size, count, seeds))
