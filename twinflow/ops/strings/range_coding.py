"""Range coding: symbols as bytes, short where they are probable.

A coder keeps an interval [base, base + size) of 32 bits, which each symbol narrows to
its share of the cumulative counts. Once the size fits 16 bits, the upper 16 bits of
the base are written; a carry goes back into what was written before.
"""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import at_least, attr_at_least, ints, ranked, text

_WORD, _DOUBLE = 1 << 16, 1 << 32


class _Interval:
    """The interval that is left: see above."""

    def __init__(self, precision):
        self.base, self.size, self.precision = 0, _DOUBLE, precision

    def narrow(self, lower, upper):
        """Keep the share of the counts [lower, upper)."""
        start = self.size * lower >> self.precision
        self.base += start
        self.size = (self.size * upper >> self.precision) - start

    def grow(self):
        """The upper word, where it may go (it may have a carry), else None."""
        if self.size > _WORD:
            return None
        word, rest = divmod(self.base, _WORD)
        self.base, self.size = rest * _WORD, self.size * _WORD
        return word


class _Encoder:
    def __init__(self, precision):
        self.left, self.words = _Interval(precision), []

    def put(self, lower, upper):
        self.left.narrow(lower, upper)
        self._carry()
        word = self.left.grow()
        if word is not None:
            self.words.append(word)

    def _carry(self):
        if self.left.base >= _DOUBLE:
            self.left.base -= _DOUBLE
            self._add_one()

    def _add_one(self):
        place = len(self.words) - 1
        while self.words[place] == _WORD - 1:
            self.words[place] = 0
            place -= 1
        self.words[place] += 1

    def end(self):
        """The bytes: the shortest number in the interval, without zeros behind it."""
        found = self.words
        if self.left.base + self.left.size > _DOUBLE:  # the number is the next carry
            self._add_one()
            while found[-1] == 0:
                found.pop()
            return _bytes(found[:-1]) + _short(found[-1])
        last = -(-self.left.base // _WORD)
        return _bytes(found) + (_short(last) if self.left.base else b"")


def _bytes(words):
    return np.array(words, ">u2").tobytes()


def _short(word):
    return bytes([word >> 8, word & 255] if word & 255 else [word >> 8])


def _decoded(code, counts, precision):
    """The symbols for the rows of cumulative counts."""
    left, at, value = _Interval(precision), 0, int.from_bytes(code[:4].ljust(4, b"\0"))
    for row in counts:
        limit = ((value - left.base + 1) << precision) - 1
        symbol = int(np.searchsorted(row, limit // left.size, "right")) - 1
        if symbol > len(row) - 2:
            raise invalid("The encoded string does not fit the cdf.")
        yield symbol
        left.narrow(int(row[symbol]), int(row[symbol + 1]))
        if left.grow() is not None:
            word = code[4 + at : 6 + at].ljust(2, b"\0")
            value, at = (value % _WORD) * _WORD + int.from_bytes(word), at + 2
            value, left.base = _wrapped(value, left.base)


def _wrapped(value, base):
    """The value in reach of its interval, both below 2**32."""
    return (value + _DOUBLE if value < base else value), base


# ---------------------------------------------------------------------- kernels
def _rows(shape, cdf, precision):
    """The cumulative counts for each symbol, in order."""
    if not 1 <= precision <= 16:
        raise invalid(f"`precision` must be in [1, 16]: {precision}")
    if cdf.ndim != len(shape) + 1:
        raise invalid(
            "`cdf` should have one more axis than `data`: data shape="
            f"{text(shape)}, cdf shape={text(cdf.shape)}"
        )
    if cdf.shape[-1] <= 1:
        raise invalid(f"The last dimension of `cdf` should be > 1: {text(cdf.shape)}")
    for size, other in zip(shape, cdf.shape, strict=False):
        if other not in (1, size):
            raise invalid(
                f"Cannot broadcast shape {text(cdf.shape)} to shape {text(shape)}"
            )
    return np.broadcast_to(cdf, (*shape, cdf.shape[-1])).reshape(-1, cdf.shape[-1])


def _encode(data, cdf, precision):
    coder = _Encoder(precision)
    rows = _rows(data.shape, cdf, precision)
    last = rows.shape[-1] - 2
    for symbol, row in zip(data.ravel().tolist(), rows, strict=True):
        if not 0 <= symbol <= last:
            raise invalid(f"Value not in [0, {last + 1}): {symbol}")
        coder.put(int(row[symbol]), int(row[symbol + 1]))
    return np.asarray(coder.end(), object)


def _decode(encoded, shape, cdf, precision):
    shape = ints(shape)
    rows = _rows(shape, cdf, precision)
    code = np.asarray(encoded).item()
    return np.array([*_decoded(code, rows, precision)], np.int16).reshape(shape)


# ---------------------------------------------------------------------- counts
def _quantized(pmf, total):
    """Counts of at least 1 that add up to `total`, near the probabilities."""
    if total < len(pmf):
        raise invalid(f"{len(pmf)} symbols do not fit into a sum of {total}.")
    counts = np.maximum(np.rint(pmf * np.float32(total)), 1).astype(np.int64)
    step = 1 if counts.sum() < total else -1
    costs = [_cost(*pair, step) for pair in zip(pmf, counts, strict=True)]
    order = sorted(range(len(pmf)), key=costs.__getitem__)
    for _ in range(abs(int(counts.sum()) - total)):
        first, rest = order[0], order[1:]
        counts[first] += step
        costs[first] = _cost(pmf[first], counts[first], step)
        at = next((i for i, o in enumerate(rest) if costs[first] < costs[o]), len(rest))
        order = [*rest[:at], first, *rest[at:]]
    return counts


def _cost(mass, count, step):
    """How many bits more the symbols take if a count changes by a step."""
    if step < 0 and count <= 1:
        return np.inf
    return float(mass) * (np.log2(float(count)) - np.log2(float(count + step)))


def _cumulated(pmf, precision):
    if not 1 <= precision <= 16:
        raise invalid(f"`precision` must be in [1, 16]: {precision}")
    if pmf.ndim < 1:
        raise invalid("`pmf` should be at least 1-D.")
    if pmf.shape[-1] <= 1:
        raise invalid("`pmf` size should be at least 2 in the last axis.")
    rows = [_quantized(row, 1 << precision) for row in pmf.reshape(-1, pmf.shape[-1])]
    found = np.zeros((len(rows), pmf.shape[-1] + 1), np.int32)
    for out, row in zip(found, rows, strict=True):
        out[1:] = np.cumsum(row)
    return found.reshape(*pmf.shape[:-1], pmf.shape[-1] + 1)


def _infer_counts(pmf, precision):
    attr_at_least(1, "PmfToQuantizedCdf", "precision", precision)
    s = at_least(pmf._shape, 1)
    return s and (*s[:-1], None if s[-1] is None else s[-1] + 1)


def _infer_decoded(encoded, shape, cdf, precision):
    ranked(encoded._shape, 0)
    return None if shape is None else ints(shape)


RangeEncode = define("RangeEncode", infer=lambda data, cdf, precision: (), host=_encode)
RangeDecode = define("RangeDecode", on_host="shape", infer=_infer_decoded, host=_decode)
PmfToQuantizedCdf = define("PmfToQuantizedCdf", infer=_infer_counts, host=_cumulated)


# ---------------------------------------------------------------------- public
def range_encode(
    data: TensorValue, cdf: TensorValue, precision: int, name: str | None = None
) -> Tensor:
    """Symbols as one string, short where they are probable.

    Args:
        data: int16[...], the symbols. cdf: int32[..., symbols + 1], the cumulative
            counts of each, from 0 to 2**precision; its other axes broadcast to `data`.
        precision: 1 to 16. name: the name of the node in a graph.
    Returns:
        string[]
    Raises:
        tf.errors.InvalidArgumentError: shapes that do not fit, or no such symbol.
    Example:
        coder = tf.contrib.coder
        cdf = coder.pmf_to_quantized_cdf([[.5, .25, .25]], precision=8)
        code = coder.range_encode(tf.constant([0, 2, 1], tf.int16), cdf, precision=8)
        coder.range_decode(code, [3], cdf, precision=8)  # [0, 2, 1]
    """
    return apply(RangeEncode, (data, cdf), {"precision": precision}, name)


def range_decode(
    encoded: TensorValue, shape: Any, cdf: TensorValue, precision: int,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The symbols that `range_encode` made a string of.

    Args:
        encoded: string[]. shape: int32[n], of the symbols.
        cdf, precision: those of `range_encode`. name: the name of the node in a graph.
    Returns:
        int16 of `shape`
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    """
    args = (encoded, shape, cdf)
    return apply(RangeDecode, args, {"precision": precision}, name)


def pmf_to_quantized_cdf(
    pmf: TensorValue, precision: int, name: str | None = None
) -> Tensor:
    """Cumulative counts for probabilities: each at least 1, all 2**precision.

    Args:
        pmf: float32[..., symbols], probabilities. precision: 1 to 16.
        name: the name of the node in a graph.
    Returns:
        int32[..., symbols + 1]
    Raises:
        tf.errors.InvalidArgumentError: fewer than 2 symbols, or more than fit.
    Example:
        tf.contrib.coder.pmf_to_quantized_cdf([.5, .25, .25], precision=8)
    """
    return apply(PmfToQuantizedCdf, (pmf,), {"precision": precision}, name)
