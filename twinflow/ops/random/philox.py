"""Philox4x32-10: random numbers as a pure function of (key, position, element).

Written once on an array namespace; NumPy and XLA give the same bits, and so the same
uniforms, integers and permutations. Normals pass through log, cos and sqrt, which may
differ by some units in the last place between engines.

A key is two ints below 2**32; a position is an int or a uint64 scalar (in XLA a traced
one): the number of the draw. One draw takes as many words as it needs and no word is
used by another draw, because the counter is (block, position), 64 bits each.

Reference: Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3
(SC 2011), variant philox4x32 with 10 rounds.
"""

import math
import os

import ml_dtypes
import numpy as np

from twinflow.base import native

_MASK = 0xFFFFFFFF
_PIECE = 16384  # blocks a NumPy pass, to fit the cache: 3.4 ms for 1e6 words
_FEW = 16  # blocks: Python's ints are faster (2.8 us each) than NumPy (46 us)
_TURN = 2 * math.pi
_CUT = {np.dtype(np.float16): 22, np.dtype(ml_dtypes.bfloat16): 25}  # bits to drop
OUR_WORDS, OUR_UNIFORM = 4, 5  # the kinds of native/draws.h
THREADS = min(16, os.cpu_count() or 1)
_WITHIN_2 = math.erf(math.sqrt(2))  # P(|z| < 2)

# z / x as a polynomial in w - 1.21, where w = -log(1 - x**2), x = erf(z / sqrt(2)) and
# |z| < 2: Chebyshev fits, relatively off by at most 5e-9 (float32), 7e-16 (float64).
_QUANTILE_32 = (
    1.6681850354476104, 0.3525745341276451, 0.003936591770725743,
    -0.0032191003709852698, 0.00019362923976725972, 4.5756464626875406e-05,
    -6.496952498172272e-06, -4.989564522978722e-07,
)  # fmt: skip
_QUANTILE_64 = (
    1.6681850414854429, 0.3525745342094997, 0.0039364591963645685,
    -0.0032191010775576277, 0.00019408545516569613, 4.575799134116521e-05,
    -7.003125115841494e-06, -4.998871213078615e-07, 1.8076330869071478e-07,
    -1.9291544782048666e-10, -3.96080303230107e-09, 2.371278456715277e-10,
    7.385373344301917e-11, -8.32295340671738e-12, -9.591633724043459e-13,
)  # fmt: skip


fast = native.fast if hasattr(native.fast, "bells") else None


def rounds(c0, c1, c2, c3, k0, k1):
    """Ten rounds on a counter of four words: Python ints, or uint64 arrays below 2**32.

    In place on what a round itself has made; jax takes `^=` as a new value.
    """
    for _ in range(10):
        p0, p1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c2 = p1 >> 32, p0 >> 32
        c0 ^= c1
        c0 ^= k0
        c2 ^= c3
        c2 ^= k1
        p0 &= _MASK
        p1 &= _MASK
        c1, c3 = p1, p0
        k0, k1 = k0 + 0x9E3779B9 & _MASK, k1 + 0xBB67AE85 & _MASK
    return c0, c1, c2, c3


def bits(xp, key, position, count):
    """`count` random words.

    Block i of the counter gives four words; the first words of all blocks come first,
    then the second ones, and so on.

    Args:
        xp: numpy, or jax.numpy with 64-bit types enabled.
        key: two ints below 2**32.
        position: int or uint64[], the number of the draw.
        count: int, below 2**34.
    Returns:
        uint32[count]
    Example:
        bits(np, (0, 0), 0, 1)  # 0x6627e8d5, of the known answers of Random123
    """
    blocks = -(-count // 4)
    if xp is np:
        return _host_bits(key, int(position), blocks)[:count]
    index = xp.broadcast_to(xp.arange(blocks, dtype=np.uint64), (4, blocks))
    position = xp.asarray(position, np.uint64)
    counter = (index & _MASK, index >> 32, position & _MASK, position >> 32)
    words = [word.astype(np.uint32) for word in rounds(*counter, *key)]
    return _joined(xp, words)[:count]


def _host_bits(key, position, blocks):
    """NumPy's words, made piece by piece."""
    low, high = position & _MASK, position >> 32
    out = np.empty((4, blocks), np.uint32)
    if fast is not None:
        fast.draw(OUR_WORDS, out, 0, *key, low, high, THREADS)
        return out.ravel()
    if blocks <= _FEW:
        for i in range(blocks):
            out[:, i] = rounds(i, 0, low, high, *key)
        return out.ravel()
    for start in range(0, blocks, _PIECE):
        stop = min(start + _PIECE, blocks)
        index = np.arange(start, stop, dtype=np.uint64)
        words = rounds(index & _MASK, index >> 32, low, high, *key)
        for row, word in zip(out, words):
            row[start:stop] = word
    return out.ravel()


def _made(xp, key, position, count):
    """Uniform float32[count] by the C module, or None."""
    if xp is not np or fast is None:
        return None
    out = np.empty(4 * -(-count // 4), np.float32)
    low, high = int(position) & _MASK, int(position) >> 32
    fast.draw(OUR_UNIFORM, out, 0, *key, low, high, THREADS)
    return out[:count]


def doubles(xp, key, position, index):
    """The numbers of chosen blocks: two uniform numbers in [0, 1) each.

    Args:
        index: uint64[n], the numbers of the blocks.
    Returns:
        Two float64[n].
    """
    position = xp.asarray(position, np.uint64)
    counter = (index & _MASK, index >> 32, position & _MASK, position >> 32)
    a, b, c, d = rounds(*counter, *key)
    return [_fraction(high << 32 | low) for high, low in ((a, b), (c, d))]


def _fraction(words):
    """uint64 words as float64 in [0, 1)."""
    return (words >> 12 | 0x3FF0000000000000).view(np.float64) - 1.0


def _bits64(xp, key, position, count):
    words = bits(xp, key, position, 2 * count)
    out = words[:count].astype(np.uint64)
    out <<= 32
    out |= words[count:]
    return out


def uniform(xp, key, position, shape, dtype):
    """Uniform numbers in [0, 1): as many high bits as the dtype has after its point.

    Args:
        shape: tuple of ints. dtype: float16, bfloat16, float32 or float64.
    Returns:
        dtype[shape], the same in every engine.
    """
    count, dtype = math.prod(shape), np.dtype(dtype)
    if dtype == np.float32:
        made = _made(xp, key, position, count)
        if made is not None:
            return made.reshape(shape)
    if dtype == np.float64:
        x = _bits64(xp, key, position, count)
        x >>= 12
        x |= 0x3FF0000000000000
        x = x.view(np.float64)
    else:
        cut = _CUT.get(dtype, 9)
        x = bits(xp, key, position, count)
        x >>= cut
        x <<= cut - 9
        x |= 0x3F800000
        x = x.view(np.float32)
    x -= 1.0
    return x.astype(dtype, copy=False).reshape(shape)


def integers(xp, key, position, shape, low, high):
    """Integers in [low, high).

    32-bit types: the high part of a 64-bit word times (high - low), so no value is more
    than 2**-32 (relatively) too frequent; 64-bit types: a 64-bit word modulo
    (high - low), which prefers low values by (high - low) / 2**64 at most.

    Args:
        low, high: int32[] or int64[] of one dtype, low < high.
    Returns:
        integers[shape] of that dtype, the same in every engine.
    """
    dtype, count = low.dtype, math.prod(shape)
    low = xp.reshape(low, (1,)).astype(np.uint64)  # arrays wrap around, silently
    span = xp.reshape(high, (1,)).astype(np.uint64) - low
    if dtype.itemsize == 8:
        x = _bits64(xp, key, position, count)
        x %= span
    else:
        words = bits(xp, key, position, 2 * count)
        found = ranged(xp, words, count, low, span)
        if found is not None:
            return found.view(dtype).reshape(shape)
        words = words.astype(np.uint64)
        words *= span
        x = words[count:] >> 32
        x += words[:count]
        x >>= 32
    x += low
    return x.astype(dtype).reshape(shape)


def ranged(xp, words, count, low, span):
    """uint32[count] by the C module: low + numbers below span, arrays of one integer
    below 2**64; or None. Of twice as many words the products, else remainders.
    """
    span = None if xp is not np or fast is None else int(span[0]) & 2**64 - 1
    if span is None or not 0 < span <= _MASK:
        return None
    out = np.empty(count, np.uint32)
    fast.ranged(words, out, int(low[0]) & _MASK, span, THREADS)
    return out


def normal(xp, key, position, shape, dtype):
    """Standard normal numbers.

    z = sqrt(-2 log(1 - a)) (cos, sin)(2 pi b), two for two uniforms a, b

    Returns:
        dtype[shape]; float16 and bfloat16 by way of float32.
    Reference: Box, Muller: A note on the generation of random normal deviates (1958).
    """
    count, wide = math.prod(shape), _wide(dtype)
    half = -(-count // 2)
    u = uniform(xp, key, position, (2 * half,), wide)
    if xp is np and fast is not None and wide == np.float32:
        fast.bells(u, THREADS)
        return u[:count].astype(dtype, copy=False).reshape(shape)

    def pairs(a, b):
        r = xp.sqrt(-2.0 * xp.log(1.0 - a))
        b = b * _TURN
        return r * xp.cos(b), r * xp.sin(b)

    z = _mapped(xp, pairs, u[:half], u[half:])
    return z[:count].astype(dtype, copy=False).reshape(shape)


def truncated_normal(xp, key, position, shape, dtype):
    """Standard normal numbers given that |z| < 2, by the inverse distribution function.

    One uniform for each number, so nothing is drawn again.

    Returns:
        dtype[shape]; float16 and bfloat16 by way of float32.
    """
    u = uniform(xp, key, position, (math.prod(shape),), _wide(dtype))
    z = truncated_quantile(xp, u)
    return z.astype(dtype, copy=False).reshape(shape)


def truncated_quantile(xp, u):
    """The numbers z with P(Z < z given that |Z| < 2) = u, for u in [0, 1).

    Args:
        u: float32[n] or float64[n].
    """
    double = u.dtype == np.float64
    coefficients = _QUANTILE_64 if double else _QUANTILE_32
    middle = 2.0**-52 if double else 2.0**-23  # so that |x| < P(|z| < 2)

    def quantile(u):
        x = (2.0 * u - (1.0 - middle)) * _WITHIN_2
        w = -xp.log((1.0 - x) * (1.0 + x)) - 1.21
        p = coefficients[-1]
        for c in coefficients[-2::-1]:
            p = p * w + c
        return (p * x,)

    return _mapped(xp, quantile, u)


def permutation(xp, key, position, count):
    """A random order of `count` things: int64[count], the same in every engine.

    Sorts words with random high and distinct low bits. Words that agree in all of their
    64 - log2(count) high bits stay in order: with 1e6 things, one pair in 30 draws.
    """
    low = max(count - 1, 1).bit_length()
    words = _bits64(xp, key, position, count)
    words >>= low
    words <<= low
    words |= xp.arange(count, dtype=np.uint64)
    return (xp.sort(words) & (1 << low) - 1).astype(np.int64)


def _wide(dtype):
    """The dtype in which numbers of `dtype` are computed."""
    return np.dtype(np.float64 if dtype == np.float64 else np.float32)


def _joined(xp, rows):
    """XLA's rows one after another, chosen by elements: all rows are computed for each,
    and yet what reads the result is fused into one vector loop (1e6 uniforms: 0.6 ms;
    8.0 with a concatenation, 8.5 with updates of a buffer).
    """
    place = xp.arange(len(rows))[:, None]
    out = rows[-1]
    for i in range(len(rows) - 1):
        out = xp.where(place == i, rows[i], out)
    return out.reshape(-1)


def _mapped(xp, function, *flat):
    """The results of `function` one after another; NumPy goes by pieces."""
    if xp is not np:
        return _joined(xp, function(*flat))
    size = flat[0].size
    if size <= _PIECE:
        return np.concatenate(function(*flat))
    rows: list = []
    for start in range(0, size, _PIECE):
        piece = slice(start, start + _PIECE)
        results = function(*[x[piece] for x in flat])
        rows = rows or [np.empty(size, r.dtype) for r in results]
        for row, result in zip(rows, results):
            row[piece] = result
    return np.concatenate(rows) if len(rows) > 1 else rows[0]
