"""Quantiles of streams of weighted numbers, within a given error.

Chen and Guestrin, XGBoost (2016), appendix A: a summary keeps some of the values, each
with its weight and the least and largest rank that it may have; summaries are merged,
and compressed to about a size. A stream keeps one of each power of two of blocks.
"""

import math
from typing import NamedTuple

import numpy as np

from twinflow.base.annotations import Array

_NO_ERROR = np.finfo(np.float32).eps


class Summary(NamedTuple):
    """Values in order: float32[n] each.

    Attributes:
        value, weight. low, high: the least and largest rank.
    """

    value: Array
    weight: Array
    low: Array
    high: Array

    @property
    def size(self):
        """How many values there are."""
        return len(self.value)

    @property
    def total(self):
        """The sum of the weights."""
        return self.high[-1] if self.size else np.float32(0)

    @property
    def low_after(self):
        """The least rank of what comes after each value."""
        return self.low + self.weight

    @property
    def high_before(self):
        """The largest rank of what comes before each value."""
        return self.high - self.weight

    def error(self):
        """The largest error of a rank, as a part of the total weight."""
        if not self.size:
            return 0.0
        gaps = np.maximum(
            (self.high - self.low - self.weight)[1:],
            self.high_before[1:] - self.low_after[:-1],
        )
        return max(gaps, default=np.float32(0)) / self.total

    def merged(self, other):
        """The summary of the values of both."""
        if not (self.size and other.size):
            return self if self.size else other
        value = np.union1d(self.value, other.value)
        parts = [_spread(a, value) for a in (self, other)]
        return Summary(value, *(a + b for a, b in zip(*parts)))

    def compressed(self, size, least_error=0.0):
        """About `size` of the values, so that ranks get wrong by few weights.

        Args:
            size: at least 2. least_error: a part of the total weight that may be lost.
        """
        size = max(size, 2)
        n = self.size
        if n <= size:
            return self
        allowed = float(self.total) * max(1.0 / size, float(least_error))
        reach = self._reach(allowed).tolist()
        kept, at, credit = [0], 0, 0
        while at + 1 < n:
            after, limit = reach[at], at + 1
            if credit < n:
                limit += (n - credit + size - 1) // size
            if after > limit:
                after = limit
            credit += size * (after - at - 1) - n
            at = after - 1 if after > at + 2 else at + 1
            kept.append(at)
        if kept[-1] != n - 1:
            kept.append(n - 1)
        return Summary(*(a[kept] for a in self))

    def _reach(self, allowed):
        """The first value after each that lies too far from it: int[n].

        Differences are rounded to float32: the search is in float64, with some room
        that is then taken back.
        """
        low, high = (a.astype(np.float64) for a in (self.low_after, self.high_before))
        reach = np.searchsorted(high, low + allowed * (1 + 1e-6))
        least = np.arange(1, self.size + 1)
        reach = np.maximum(reach, least)
        while True:
            wide = (high[reach - 1] - low).astype(np.float32) > allowed
            wide &= reach > least
            if not wide.any():
                return reach
            reach[wide] -= 1

    def boundaries(self, count):
        """At least about `count` of the values, as far apart as the error allows."""
        if not self.size:
            return self.value
        allowed = np.float32(self.error() + 1.0 / count)
        return np.unique(self.compressed(count, allowed).value)

    def quantiles(self, count):
        """The values of the ranks 0, 1/count, ... 1."""
        if not self.size:
            return self.value
        count, at, found = max(count, 2), 0, []
        for rank in range(count + 1):
            twice = 2 * (rank * float(self.high[-1]) / count)
            while at + 1 < self.size and twice >= self.low[at + 1] + self.high[at + 1]:
                at += 1
            nearer = at + 1 == self.size or (
                twice < self.low_after[at] + self.high_before[at + 1]
            )
            found.append(self.value[at if nearer else at + 1])
        return np.array(found, np.float32)

    def entries(self):
        """float32[n, 4]: value, weight, low, high."""
        return np.stack(self, axis=1)


def of_entries(entries):
    """The Summary of float32[n, 4], see `Summary.entries`."""
    return Summary(*np.asarray(entries, np.float32).reshape(-1, 4).T)


def of_values(values, weights):
    """The Summary of numbers with weights; those with no weight are left out."""
    values, weights = np.ravel(values), np.ravel(weights)
    kept = weights > 0
    order = np.argsort(values[kept], kind="stable")
    value, where = np.unique(values[kept][order], return_inverse=True)
    weight = np.zeros(len(value), np.float32)
    np.add.at(weight, where, weights[kept][order])
    high = np.cumsum(weight, dtype=np.float32)
    low = np.concatenate([np.zeros(1, np.float32), high[:-1]])[: len(high)]
    return Summary(value.astype(np.float32), weight, low, high)


def _spread(summary, values):
    """(weight, low, high) of a summary at values among which are its own."""
    n = summary.size
    after = np.searchsorted(summary.value, values)  # the first that is not less
    here = (after < n) & (summary.value[np.minimum(after, n - 1)] == values)
    at = np.minimum(after, n - 1)
    zero = np.float32(0)
    low = np.where(after > 0, summary.low_after[np.maximum(after - 1, 0)], zero)
    high = np.where(after < n, summary.high_before[at], summary.total)
    return (
        np.where(here, summary.weight[at], zero),
        np.where(here, summary.low[at], low),
        np.where(here, summary.high[at], high),
    )


class QuantileStream:
    """What gathers numbers, or summaries of them.

    Args:
        error: of ranks, as a part of the total weight. most: how many numbers may come.
    """

    def __init__(self, error, most):
        self.error = float(error)
        self.block = _block_size(self.error, most)
        self.buffered = min(self.block << 1, max(int(most), 1))
        self.levels: list[Summary | None] = []

    def push(self, values, weights):
        """Put numbers in, which nothing is to follow."""
        values, weights = np.ravel(values), np.ravel(weights)
        kept = weights > 0
        values, weights = values[kept], weights[kept]
        for first in range(0, len(values), self.buffered):
            part = slice(first, first + self.buffered)
            self.add(of_values(values[part], weights[part]))

    def add(self, summary):
        """Put a summary in."""
        found = summary.compressed(self.block, self.error)
        if not found.size:
            return
        for level in range(len(self.levels) + 1):
            if level == len(self.levels):
                self.levels.append(None)
            here = self.levels[level]
            found = found if here is None else found.merged(here)
            if here is None or found.size <= self.block + 1:
                self.levels[level] = found
                return
            found = found.compressed(self.block, self.error)
            self.levels[level] = None

    def summary(self):
        """The Summary of all."""
        found = of_values(np.zeros(0, np.float32), np.zeros(0, np.float32))
        for level in self.levels:
            if level is not None:
                found = found.merged(level)
        return found


def _block_size(error, most):
    """How many values a summary keeps, so that the levels keep to the error."""
    if error <= _NO_ERROR:
        return max(int(most), 2)
    levels, block = 0, 2
    while (1 << levels) * block < most:
        block = math.ceil(levels / error) + 1
        levels += 1
    return block
