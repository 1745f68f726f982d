"""Floats as small integers and back: the arithmetic of quantised tensors.

An integer q of a range [low, high] stands for a float; the smallest integer of its type
for `low`, the largest for `high`.
"""

import numpy as np

from twinflow.base.errors import invalid

_WIDE = np.float64


def plain(q):
    """The integers of an array of quantised numbers."""
    return q.view(q.dtype[0]) if q.dtype.names else q


def storage(dtype):
    """The integer type of a quantised DType."""
    return dtype.np[0] if dtype.np.names else dtype.np


def wrapped(values, kind):
    """Whole numbers, cut to what fits, as an array of an integer type."""
    bounds = np.iinfo(kind)
    return np.clip(values, bounds.min, bounds.max).astype(kind)


def bounds_of(kind):
    """(smallest, largest) integer of an integer type, as Python ints."""
    found = np.iinfo(kind)
    return int(found.min), int(found.max)


def rounded(x):
    """The nearest integers, halves away from 0."""
    return np.where(x < 0, np.ceil(x - 0.5), np.floor(x + 0.5))


def number(x):
    """One float of an input."""
    return _WIDE(np.asarray(x).ravel()[0])


# ---------------------------------------------------------------------- MIN_FIRST
def _scale(kind, low, high):
    """How many integers a float of 1 is, where the range is a little wider."""
    steps = _WIDE(2 ** (8 * np.dtype(kind).itemsize))
    return steps / ((high - low) * (steps / (steps - 1)))


def from_floats(x, kind, low, high):
    """Integers of a type, which may be too large for it."""
    if low == high:
        return np.zeros(np.shape(x), _WIDE)
    scale = _scale(kind, low, high)
    start = rounded(np.asarray(low * scale)) - bounds_of(kind)[0]
    return rounded(np.asarray(x, _WIDE) * scale) - start


def to_floats(q, kind, low, high):
    """The floats that integers of a type stand for."""
    if low == high:
        return np.full(np.shape(q), low)
    scale = 1 / _scale(kind, low, high)
    start = rounded(np.asarray(low / scale)) * scale
    return start + (np.asarray(q, _WIDE) - bounds_of(kind)[0]) * scale


def range_of_product(a_kind, a_low, a_high, b_kind, b_low, b_high, out_kind):
    """(low, high) of products that are kept as integers."""
    levels = [
        (high - low) / (bounds_of(kind)[1] - bounds_of(kind)[0])
        for kind, low, high in ((a_kind, a_low, a_high), (b_kind, b_low, b_high))
    ]
    level = levels[0] * levels[1]
    return [np.float32(level * bound) for bound in bounds_of(out_kind)]


# ---------------------------------------------------------------------- the modes
def _half(kind):
    low, high = bounds_of(kind)
    return (high - low + 1) // 2 if low else 0


def quantized(x, low, high, dtype, mode, round_mode):
    """(integers of a DType, low, high of the range that was taken)."""
    if high < low:
        raise invalid("input_max_range must be larger than input_min_range.")
    kind, x = storage(dtype), np.asarray(x, _WIDE)
    least = max(1.0, abs(low), abs(high)) / 100.0
    low = min(0.0, low)
    high = max(0.0, max(high, low + least))
    first, last = bounds_of(kind)
    if mode == "MIN_FIRST":
        found = from_floats(x, kind, low, high)
    elif mode == "MIN_COMBINED":
        scaled = (np.clip(x, low, high) - low) * ((last - first) / (high - low))
        found = rounded(scaled - _half(kind)) if first else np.floor(scaled + 0.5)
    else:
        scale = min(
            first / low if first * low > 0 else np.inf,
            last / high if last * high > 0 else np.inf,
        )
        low, high = first / scale, last / scale
        turn = np.rint if round_mode == "HALF_TO_EVEN" else rounded
        found = turn(np.clip(x, low, high) * scale)
    return [wrapped(found, kind), np.float32(low), np.float32(high)]


def dequantized(q, low, high, mode):
    """The float32 numbers that integers stand for."""
    q = plain(q)
    kind, (first, last) = q.dtype, bounds_of(q.dtype)
    if mode == "MIN_FIRST":
        found = to_floats(q, kind, low, high)
    elif mode == "MIN_COMBINED":
        scale = (high - low) / (last - first)
        found = (q.astype(_WIDE) + _half(kind)) * scale + low
    else:
        scale = max(low / first, high / last) if first else high / last
        found = q.astype(_WIDE) * scale
    return found.astype(np.float32)
