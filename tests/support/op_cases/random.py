"""Rows of the ops that draw, against the generator in Python's own numbers."""

import math
import statistics

import numpy as np

from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.base import dtypes
from twinflow.ops.random import choice as random_choice
from twinflow.ops.random import draws as random
from twinflow.ops.random import initializers, skip_gram
from twinflow.ops.random.streams import Stream

MODULES = (
    initializers,
    random,
    random_choice,
    skip_gram,
)  # where the ops of the rows are defined
WORD = 2**32


class Still(Stream):
    """A stream that stays at its start: every run of a row draws the same numbers."""

    __slots__ = ()

    def write(self, array):
        """Forget it."""

    def write_device(self, buffer):
        """Forget it."""


STREAM = Still((1, 2))
DRAWN = {"stream": STREAM}


def block(index, key):
    """The four words of one counter block, at position 0."""
    c, k = [index, 0, 0, 0], list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], WORD)
        high1, low1 = divmod(0xCD9E8D57 * c[2], WORD)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) % WORD, (k[1] + 0xBB67AE85) % WORD]
    return c


def words(count):
    """The first `count` words: all first words of the blocks, then all second ones."""
    blocks = [block(i, STREAM.key) for i in range(-(-count // 4))]
    return [b[j] for j in range(4) for b in blocks][:count]


def long_words(count):
    """`count` words of 64 bits."""
    w = words(2 * count)
    return [high * WORD + low for high, low in zip(w[:count], w[count:], strict=True)]


def uniforms(shape, bits, dtype):
    """The `bits` highest bits after the point."""
    n = math.prod(shape)
    w = [v >> 12 for v in long_words(n)] if bits == 52 else words(n)
    w = w if bits == 52 else [v >> 32 - bits for v in w]
    return (np.array(w, np.float64) / 2**bits).astype(dtype).reshape(shape)


def normals(shape, bits, dtype):
    """Box and Muller's pairs: all cosines, then all sines."""
    n = math.prod(shape)
    half = -(-n // 2)
    a, b = uniforms((2, half), bits, np.float64)
    r = np.sqrt(-2 * np.log1p(-a))
    z = np.concatenate([r * np.cos(2 * np.pi * b), r * np.sin(2 * np.pi * b)])
    return z[:n].astype(dtype).reshape(shape)


def truncated(shape, bits, dtype):
    """Quantiles of the normal distribution between -2 and 2."""
    normal = statistics.NormalDist()
    low, high = normal.cdf(-2), normal.cdf(2)
    u = uniforms(shape, bits, np.float64) + 2.0 ** -(bits + 1)
    z = [normal.inv_cdf(low + v * (high - low)) for v in u.ravel()]
    return np.array(z).astype(dtype).reshape(shape)


BAD_SHAPES = [
    error(3, text="shape must be a vector of {int32,int64}, got shape []"),
    error([-1, 2], text="Dimension -1 must be >= 0"),
]
KINDS = [(dtypes.float16, 10), (dtypes.bfloat16, 7), (dtypes.float32, 23),
         (dtypes.float64, 52)]  # fmt: skip

for dtype, kept in KINDS:
    attrs = {"dtype": dtype, **DRAWN}
    case(
        "RandomUniform", [3, 5], attrs=attrs, errors=BAD_SHAPES,
        reference=lambda s, dtype, bits=kept, **_: uniforms(s, bits, dtype.np),
    )  # fmt: skip
    wide = 52 if dtype is dtypes.float64 else 23
    case(
        "RandomStandardNormal", [3, 5], attrs=attrs, errors=BAD_SHAPES,
        reference=lambda s, dtype, bits=wide, **_: normals(s, bits, dtype.np),
    )  # fmt: skip
    case(
        "TruncatedNormal", [3, 5], attrs=attrs, errors=BAD_SHAPES,
        reference=lambda s, dtype, bits=wide, **_: truncated(s, bits, dtype.np),
    )  # fmt: skip


def integers(shape, low, high, **_):
    """The high parts of products (int32), remainders (int64)."""
    span, count = int(high) - int(low), math.prod(shape)
    w = long_words(count)
    narrow = np.asarray(low).dtype == np.int32
    picks = [v * span >> 64 if narrow else v % span for v in w]
    return (np.array(picks) + int(low)).astype(np.asarray(low).dtype).reshape(shape)


for bounds in ((-3, 10), (-(2**30), 2**30)):
    case(
        "RandomUniformInt", [4, 6], *np.array(bounds, np.int32), reference=integers,
        attrs=DRAWN, errors=[
            error([2], 5, 5, text="Need minval < maxval, got 5 >= 5"),
            error([2], 0, [1, 2], text="maxval must be 0-D, got shape [2]"),
        ],
    )  # fmt: skip
case(
    "RandomUniformInt", [7], np.int64(-5), np.int64(2**40), reference=integers,
    attrs={"Tout": dtypes.int64, **DRAWN},
)  # fmt: skip


def shuffled(x, stream):
    """The order of 64-bit words whose lowest bits say where they were."""
    low = max(len(x) - 1, 1).bit_length()
    keys = [(v >> low << low) + i for i, v in enumerate(long_words(len(x)))]
    return x[[k % 2**low for k in sorted(keys)]]


case(
    "RandomShuffle", distinct(7, 2), attrs=DRAWN,
    reference=shuffled,
)  # fmt: skip
case("RandomShuffle", np.arange(5), attrs=DRAWN, reference=shuffled)


def sampled(logits, n, **_):
    """The class whose part of the line from 0 to 1 holds a uniform number."""
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    u = uniforms((len(p), n), 52, np.float64)
    rows = [
        np.searchsorted(np.cumsum(q), v, "right") for q, v in zip(p, u, strict=True)
    ]
    return np.array(rows, np.int64)


case(
    "Multinomial", floats(3, 5), 6, reference=sampled, attrs=DRAWN,
    errors=[
        error([1.0, 2.0], 3, text="logits should be a matrix, got shape [2]"),
        error([[1.0]], -1, text="num_samples should be nonnegative, got -1"),
        error([[1.0]], [1], text="num_samples should be a scalar, got shape [1]"),
        error(np.zeros((2, 0)), 1, text="num_classes should be positive, got 0"),
    ],
)  # fmt: skip


def orthonormal(x):
    """Gram and Schmidt, twice over so that nothing is left of the other columns."""
    q = np.zeros_like(x)
    for i, column in enumerate(x.T):
        for _ in range(2):
            column = column - q @ (q.T @ column)
        q[:, i] = column / np.linalg.norm(column)
    return q


case("TwinOrthonormal", floats(5, 3), reference=orthonormal)


_WORDS = np.array([5, 6, 7])
case(
    "SkipGramGenerateCandidates", _WORDS, 1, 1, 0, -1, False, attrs=DRAWN,
    reference=[np.array([5, 6, 6, 7]), np.array([6, 5, 7, 6])],
    errors=[
        error(_WORDS, 2, 1, 0, -1, False, text="min_skips must be <= max_skips."),
        error(_WORDS, -1, 1, 0, -1, False, text="Both min_skips and max_skips"),
    ],
)  # fmt: skip
