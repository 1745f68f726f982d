"""Floats as small integers and back: the arithmetic of quantised tensors.

An integer q of a range [low, high] stands for a float; the smallest integer of its type
for `low`, the largest for `high`. Ranges are float32, and so are their lengths. Single
numbers go through float64 (`from_floats`, `to_floats`), whole tensors through float32
(`from_tensor`, `to_tensor`), as in TensorFlow, so that the integers are the same.
"""

import numpy as np

from twinflow.base.errors import invalid

_WIDE, _F = np.float64, np.float32
_INT32 = np.iinfo(np.int32)
_FLOAT_INT32 = np.nextafter(_F(2**31), _F(0))


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


def as_c(values, kind):
    """Floats as integers of a type; what int32 cannot hold is its smallest number."""
    if kind != np.int32:
        return values.astype(np.int32).astype(kind)
    fits = (values >= _INT32.min) & (values < 2.0**31)
    return np.where(fits, values, _INT32.min).astype(kind)


def bounds_of(kind):
    """(smallest, largest) integer of an integer type, as Python ints."""
    found = np.iinfo(kind)
    return int(found.min), int(found.max)


def rounded(x):
    """The nearest integers, halves away from 0."""
    half = np.nextafter(x.dtype.type(0.5), 0)  # no odd number may become the next one
    return np.trunc(x + np.copysign(half, x))


def number(x):
    """One float of an input."""
    return _F(np.asarray(x).ravel()[0])


# ---------------------------------------------------------------------- MIN_FIRST
def _levels(kind):
    return 2 ** (8 * np.dtype(kind).itemsize)


def _length(kind, low, high):
    """The length of a range, one step of it longer."""
    steps = _levels(kind)
    return _WIDE(high - low) * (steps / (steps - 1.0))


def from_floats(x, kind, low, high):
    """Integers of a type, which may be too large for it."""
    least = bounds_of(kind)[0]
    if low == high:
        return np.full(np.shape(x), least, _WIDE)
    scale = _levels(kind) / _length(kind, low, high)
    start = rounded(np.asarray(_WIDE(low) * scale)) - least
    return rounded(np.asarray(x, _WIDE) * scale) - start


def to_floats(q, kind, low, high):
    """The float32 numbers that integers of a type stand for."""
    if low == high:
        return np.full(np.shape(q), low, _F)
    scale = _length(kind, low, high) / _levels(kind)
    start = _WIDE(_F(rounded(np.asarray(low / _F(scale)))) * _F(scale))
    found = start + (np.asarray(q, _WIDE) - bounds_of(kind)[0]) * scale
    return found.astype(_F)


def from_tensor(x, kind, low, high):
    """The integers of a type that are next to float32 numbers."""
    scale = _F(0) if low == high else _F((_levels(kind) - 1.0) / _WIDE(high - low))
    least, greatest = bounds_of(kind)
    shift = _F(_WIDE(rounded(low * scale)) - least)
    last = _FLOAT_INT32 if greatest == _INT32.max else _F(greatest)
    found = rounded(np.asarray(x, _F) * scale) - shift
    return np.clip(found, _F(least), last).astype(kind)


def to_tensor(q, kind, low, high):
    """As `to_floats`, the whole of it in float32."""
    scale = _F(_WIDE(high - low) / (_levels(kind) - 1.0))
    start = low if low == high else rounded(low / scale).astype(_F) * scale
    return (start - _F(bounds_of(kind)[0]) * scale) + q.astype(_F) * scale


def requantized(q, low, high, kind, new_low, new_high):
    """Integers of one range as those of another; int32 become uint8 by integers."""
    q = plain(q)
    if (q.dtype, kind) != (np.int32, np.uint8):
        return from_tensor(to_tensor(q, q.dtype, low, high), kind, new_low, new_high)
    wide, length = _F(255), new_high - new_low
    if length == 0:
        return np.zeros_like(q, np.uint8)
    one = 1 << 16
    scale = int(wide * _F(one) * (high - low) / length)
    middle = int((low + high) / _F(2) * (wide / length) * _F(one))
    offset = int(one * (_WIDE(new_low) * 255.0) / _WIDE(length))
    found = ((q.astype(np.int64) * scale) >> 32) + (middle - offset + one // 2)
    return np.clip(found >> 16, 0, 255).astype(np.uint8)


def range_of_product(a_kind, a_low, a_high, b_kind, b_low, b_high, out_kind):
    """(low, high) of products that are kept as integers."""
    levels = [
        (high - low) / _F(bounds_of(kind)[1] - bounds_of(kind)[0])
        for kind, low, high in ((a_kind, a_low, a_high), (b_kind, b_low, b_high))
    ]
    return [levels[0] * levels[1] * _F(bound) for bound in bounds_of(out_kind)]


# ---------------------------------------------------------------------- the modes
def _half(kind):
    low, high = bounds_of(kind)
    return _F((high - low + 1) // 2 if low else 0)


def _combined(x, kind, low, high):
    first, last = bounds_of(kind)
    scale = _F((last - first) / _WIDE(high - low))
    scaled = (np.clip(x, low, high) - low) * scale
    found = rounded(scaled - _half(kind)) if first else np.trunc(scaled + _F(0.5))
    return as_c(found, kind)


def _scaled(x, kind, low, high, round_mode):
    first, last = map(_F, bounds_of(kind))
    most = np.finfo(_F).max
    scale = min(
        first / low if first * low > 0 else most,
        last / high if last * high > 0 else most,
    )
    low, high = first / scale, last / scale
    turn = np.rint if round_mode == "HALF_TO_EVEN" else rounded
    return as_c(turn(np.clip(x, low, high) * scale), kind), low, high


def quantized(x, low, high, dtype, mode, round_mode):
    """(integers of a DType, low, high of the range that was taken)."""
    if high < low:
        raise invalid("input_max_range must be larger than input_min_range.")
    kind, x = storage(dtype), np.asarray(x, _F)
    least = max(_F(1), abs(low), abs(high)) / _F(100)
    low = min(_F(0), low)
    high = max(_F(0), max(high, low + least))
    if mode == "SCALED":
        return _scaled(x, kind, low, high, round_mode)
    turn = from_tensor if mode == "MIN_FIRST" else _combined
    return turn(x, kind, low, high), low, high


def dequantized(q, low, high, mode):
    """The float32 numbers that integers stand for."""
    q = plain(q)
    kind, (first, last) = q.dtype, map(_F, bounds_of(q.dtype))
    if mode == "MIN_FIRST":
        return to_tensor(q, kind, low, high)
    if mode == "MIN_COMBINED":
        return (q.astype(_F) + _half(kind)) * ((high - low) / (last - first)) + low
    scale = max(low / first, high / last) if first else high / last
    return q.astype(_F) * scale
