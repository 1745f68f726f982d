"""How candidate samplers choose classes, by twinflow's numbers and by TensorFlow's.

Each kind turns uniform numbers into classes (`pick`), or words of a stream of
TensorFlow's (`pick_by_words`, WORDS for a class; Note [Original numbers]), and knows
the probability of a class (`p`).
"""

import numpy as np

from twinflow.ops.random.original import double, fractions


class Uniform:
    """All classes equally likely."""

    WORDS = 2

    def __init__(self, range_max):
        self._count = range_max

    def pick(self, u):
        return np.floor(u * self._count)

    def pick_by_words(self, words):
        pairs = words.reshape(-1, 2).astype(np.uint64)
        return _below(self._count, pairs[:, 0] | pairs[:, 1] << 32)

    def p(self, classes):
        return np.full(classes.shape, 1 / self._count)


class LogUniform:
    """Class c with log((c + 2) / (c + 1)) / log(range_max + 1)."""

    WORDS = 2

    def __init__(self, range_max):
        self._count, self._whole = range_max, np.log1p(range_max)

    def pick(self, u):
        return (np.floor(np.exp(u * self._whole)) - 1) % self._count

    def pick_by_words(self, words):
        pairs = words.reshape(-1, 2).astype(np.uint64)
        return self.pick(double(pairs[:, 0], pairs[:, 1]))

    def p(self, classes):
        return np.log((classes + 2.0) / (classes + 1.0)) / self._whole


class Weighted:
    """Classes in proportion to weights."""

    WORDS = 1

    def __init__(self, weights):
        self.weights, self._sums = weights, np.cumsum(weights, dtype=np.float64)

    def pick(self, u):
        x = u * self._sums[-1]
        return np.minimum(self._sums.searchsorted(x, "right"), len(self._sums) - 1)

    def pick_by_words(self, words):
        below = _below(int(self._sums[-1]), words)
        return self._sums.searchsorted(below, "right")

    def p(self, classes):
        inside = (classes >= 0) & (classes < len(self.weights))
        own = self.weights[np.where(inside, classes, 0)]
        return np.where(inside, own / self._sums[-1], 0.0)


class Aliased(Weighted):
    """Weighted, where TensorFlow draws by the table of Walker's alias method (1977)."""

    WORDS = 2

    def pick_by_words(self, words):
        count = len(self.weights)
        limit = _refused(count, 32)
        while (bad := np.flatnonzero(words[1::2] < limit)).size:
            words = np.delete(words, 2 * bad[0] + 1)
        words = words[: len(words) // 2 * 2].reshape(-1, 2)
        column = (words[:, 1] % count).astype(np.int64)
        own, other = _aliases(self.weights)
        u = fractions(np, words[:, 0], np.dtype(np.float32))
        return np.where(u < own[column], column, other[column])


def _below(count, words):
    """Unsigned words as numbers below `count`; those that would favour some are left
    out."""
    return words[words >= _refused(count, 8 * words.itemsize)] % words.dtype.type(count)


def _refused(count, bits):
    """How many of the lowest words are left out."""
    return 2**bits % count


def _aliases(weights):
    """(float32[n], int64[n]): how much of each column is its own, whose the rest is."""
    left = [w * len(weights) / weights.sum() for w in weights.tolist()]
    own, other = np.ones(len(left), np.float32), np.arange(len(left))
    low = [i for i, p in enumerate(left) if p < 1.0]
    high = [i for i, p in enumerate(left) if p >= 1.0]
    while high and low:
        short, rich = low.pop(), high.pop()
        own[short], other[short] = left[short], rich
        left[rich] -= 1.0 - left[short]
        (low if left[rich] < 1.0 else high).append(rich)
    return own, other
