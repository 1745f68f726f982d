"""The random numbers of TensorFlow 1.12's kernels for the CPU, written anew on arrays.

Note [Original numbers]: a stream that draws as TensorFlow does (`OriginalStream`) has
the op's two seeds as its key and a position in blocks of four words. Block b of a draw
at position p is Philox of the counter (p + b, seed2) with the key `seed`; the words of
a block follow each other. Each draw says how far it moves the position. An element that
draws by trial has blocks of its own, RESERVED for each element.

Uniform numbers, integers, orders and classes are TensorFlow's bit for bit; where a
logarithm, root, sine or cosine enters it is computed in float64 and rounded once, which
is what a good C library gives but for a last place here and there. The C module
(native/draws.c) computes them as glibc does, whose they are in TensorFlow, to the last
bit. In XLA an order is made one exchange after another, as it is in NumPy.
"""

import math

import numpy as np

from twinflow.base import native
from twinflow.ops.core.infer import ints
from twinflow.ops.random.philox import THREADS, ranged, rounds

_MASK = 0xFFFFFFFF
_TURN = 2 * math.pi
_PIECE = 16384  # blocks a NumPy pass, to fit the cache
RESERVED = 256  # blocks for each element
WORDS, UNIFORM, NORMAL, TRUNCATED = range(4)  # the kinds of native/draws.h


# ------------------------------------------------------------------ words
def blocks_of(xp, key, index):
    """The four words of each block: four uint64 arrays like `index`."""
    return rounds(index & _MASK, index >> 32, *key[2:], *key[:2])


def key_of(xp, seeds):
    """The key of a stream of two seeds below 2**32."""
    zero = 0 if xp is np else np.uint64(0)
    seed, seed2 = seeds
    return seed, zero, seed2, zero


def drawn(kind, xp, wide, key, position, count):
    """An array of a kind by the C module, or None: it is for another way.

    Args:
        xp: numpy, or jax.numpy. wide: the dtype that is computed in.
    """
    if xp is not np or wide == np.float64 or not hasattr(native.fast, "draw"):
        return None
    out = np.empty(count, np.uint32 if kind == WORDS else np.float32)
    native.fast.draw(kind, out, int(position), *key, THREADS)
    return out


def words(xp, key, position, count):
    """uint32[count], block after block.

    Args:
        xp: numpy, or jax.numpy with 64-bit types enabled.
        key: four words, those of the key and the upper half of the counter.
        position: an int or uint64[], the first block.
    """
    blocks = -(-count // 4)
    if xp is np:
        made = drawn(WORDS, xp, np.uint32, key, position, count)
        if made is not None:
            return made
        out = np.empty((blocks, 4), np.uint32)
        for start in range(0, blocks, _PIECE):
            stop = min(start + _PIECE, blocks)
            index = np.arange(start, stop, dtype=np.uint64) + np.uint64(position)
            for column, word in enumerate(blocks_of(np, key, index)):
                out[start:stop, column] = word
        return out.reshape(-1)[:count]
    place = xp.arange(count, dtype=np.uint64)
    made = blocks_of(xp, key, xp.asarray(position, np.uint64) + (place >> 2))
    column, out = place & 3, made[3]  # all four are computed, and one loop is left
    for i in range(3):
        out = xp.where(column == i, made[i], out)
    return out.astype(np.uint32)


def fractions(xp, words, dtype):
    """Uniform numbers in [0, 1): the low bits of a word, or of two for float64.

    Args:
        words: uint32[n], or uint32[2 n] for float64. dtype: a NumPy dtype.
    """
    if dtype == np.float64:
        pairs = words.reshape(-1, 2).astype(np.uint64)
        return double(pairs[:, 0], pairs[:, 1])
    kept = {"float16": 10, "bfloat16": 7}.get(dtype.name, 23)
    bits = (words & (2**kept - 1)) << (23 - kept) | 0x3F800000
    return (bits.view(np.float32) - np.float32(1)).astype(dtype, copy=False)


def double(high, low):
    """uint64 words below 2**32 as float64 in [0, 1)."""
    return ((high & 0xFFFFF) << 32 | low | 0x3FF0000000000000).view(np.float64) - 1.0


def bells(xp, a, b, wide):
    """Box and Muller's two numbers from two uniform ones, in steps of dtype `wide`."""
    small = wide.type(1e-7)
    log = xp.log(xp.maximum(a, small).astype(np.float64)).astype(wide)
    size = xp.sqrt(wide.type(-2) * log)
    turn = (_TURN * b.astype(np.float64)).astype(wide).astype(np.float64)
    sine, cosine = xp.sin(turn).astype(wide), xp.cos(turn).astype(wide)
    return sine * size, cosine * size


def wide_of(dtype):
    """The dtype in which bells of `dtype` are computed."""
    return np.dtype(np.float64 if dtype == np.float64 else np.float32)


# ------------------------------------------------------------------ how far
def elements(count):
    """The blocks that a draw of `count` elements moves its stream by."""
    return count * RESERVED


def by_shape(shape, *_, **__):
    """`elements` of a draw whose first input is the shape."""
    return elements(math.prod(ints(shape)))


# ------------------------------------------------------------------ one after another
def uniform(xp, key, position, shape, dtype):
    """Uniform numbers in [0, 1): dtype[shape]."""
    count, dtype = math.prod(shape), np.dtype(dtype)
    if dtype == np.float32:
        found = drawn(UNIFORM, xp, dtype, key, position, count)
        if found is not None:
            return found.reshape(shape)
    made = words(xp, key, position, count * (2 if dtype == np.float64 else 1))
    return fractions(xp, made, dtype).reshape(shape)


def normal(xp, key, position, shape, dtype):
    """Standard normal numbers, in pairs of a sine and a cosine: dtype[shape]."""
    count, wide = math.prod(shape), wide_of(dtype)
    found = drawn(NORMAL, xp, wide, key, position, count)
    if found is not None:
        return found.astype(dtype, copy=False).reshape(shape)
    half = -(-count // 2)
    u = uniform(xp, key, position, (half, 2), wide)
    if xp is np:
        pairs = np.empty((half, 2), wide)
        for start in range(0, half, _PIECE):
            part = slice(start, start + _PIECE)
            pairs[part, 0], pairs[part, 1] = bells(np, u[part, 0], u[part, 1], wide)
    else:
        pairs = xp.stack(bells(xp, u[:, 0], u[:, 1], wide), 1)
    return pairs.reshape(-1)[:count].astype(dtype, copy=False).reshape(shape)


def integers(xp, key, position, shape, low, high):
    """Integers in [low, high): a word (two for int64) modulo their number."""
    dtype, count = low.dtype, math.prod(shape)
    unsigned = np.dtype(f"uint{8 * dtype.itemsize}")
    low = xp.reshape(low, (1,)).astype(unsigned)
    span = xp.reshape(high, (1,)).astype(unsigned) - low
    if dtype.itemsize == 8:
        pairs = words(xp, key, position, 2 * count).reshape(-1, 2).astype(np.uint64)
        x = pairs[:, 0] | pairs[:, 1] << 32
    else:
        x = words(xp, key, position, count)
        found = ranged(xp, x, count, low, span)
        if found is not None:
            return found.view(dtype).reshape(shape)
    return (x % span + low).astype(dtype).reshape(shape)


def order(jax, key, position, count):
    """A random order of `count` things, int64[count], by exchanges from the front.

    Args:
        jax: None for NumPy.
    """
    xp = np if jax is None else jax.numpy
    steps = xp.arange(count - 1, dtype=np.uint32)
    made = words(xp, key, position, count - 1)
    if jax is None and count and hasattr(native.fast, "exchanged"):
        out = np.empty(count, np.int64)
        native.fast.exchanged(made, out)
        return out
    other = steps + made % (np.uint32(count) - steps)
    if jax is None:
        found = list(range(count))
        for i, j in enumerate(other.tolist()):
            found[i], found[j] = found[j], found[i]
        return np.array(found, np.int64)

    def exchange(i, found):
        j = other[i]
        a, b = found[i], found[j]
        return found.at[i].set(b).at[j].set(a)

    start = xp.arange(count, dtype=np.int64)
    return jax.lax.fori_loop(0, count - 1, exchange, start)
