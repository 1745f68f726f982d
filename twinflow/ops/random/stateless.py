"""Random numbers as functions of a shape and two seeds, without any stream.

The words are those of TensorFlow 1.12: both seeds are scrambled by Philox into its key
and the upper half of its counter, and the four words of each block follow each other.
Uniform numbers are TensorFlow's bit for bit, normal ones up to the last places;
truncated normal ones and classes are made here by inverting their distribution.
"""

import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ints, text
from twinflow.ops.random.choice import chosen, infer_multinomial
from twinflow.ops.random.draws import draw_shape, infer_draw
from twinflow.ops.random.philox import rounds, truncated_quantile

_MASK = 0xFFFFFFFF
_SCRAMBLE = 0x3EC8F720, 0x02461E29
_TURN = 2 * math.pi


# ------------------------------------------------------------------ words
def _start(xp, seed):
    """The key and the upper half of the counter."""
    wide = seed.astype(np.int64).astype(np.uint64)
    low, high = wide.tolist() if xp is np else (wide[0], wide[1])
    mixed = rounds(low & _MASK, low >> 32, high & _MASK, high >> 32, *_SCRAMBLE)
    return mixed[:2], mixed[2:]


def _words(xp, seed, count):
    """uint32[count], block after block."""
    key, upper = _start(xp, seed)
    index = xp.arange(-(-count // 4), dtype=np.uint64)
    words = rounds(index & _MASK, index >> 32, *upper, *key)
    return xp.stack(words, 1).astype(np.uint32).reshape(-1)[:count]


def _fractions(xp, words, dtype):
    """Uniform numbers in [0, 1): the low bits of a word, or of two for float64."""
    if dtype == np.float64:
        pairs = words.reshape(-1, 2).astype(np.uint64)
        bits = (pairs[:, 0] & 0xFFFFF) << 32 | pairs[:, 1] | 0x3FF0000000000000
        return bits.view(np.float64) - 1.0
    if dtype == np.float16:
        words = (words & 0x3FF) << 13
    return ((words & 0x7FFFFF) | 0x3F800000).view(np.float32) - np.float32(1)


def _uniform(xp, seed, count, dtype):
    words = _words(xp, seed, count * (2 if dtype == np.float64 else 1))
    return _fractions(xp, words, dtype)


def _normal(xp, seed, count, dtype):
    """Box and Muller's pairs (sin, cos), next to each other."""
    wide = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    pairs = _uniform(xp, seed, count + count % 2, wide).reshape(-1, 2)
    size = xp.maximum(pairs[:, 0], wide.type(1e-7))
    size, turn = xp.sqrt(-2 * xp.log(size)), pairs[:, 1] * wide.type(_TURN)
    found = xp.stack([xp.sin(turn) * size, xp.cos(turn) * size], 1)
    return found.reshape(-1)[:count]


def _truncated(xp, seed, count, dtype):
    wide = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    return truncated_quantile(xp, _uniform(xp, seed, count, wide))


# ------------------------------------------------------------------ ops
def _check_seed(seed):
    s = seed._shape
    if s is None:
        return
    if len(s) != 1 or s[0] not in (2, None):
        graph = (
            f"Shape must be rank 1 but is rank {len(s)}"
            if len(s) != 1
            else f"Dimension must be 2 but is {s[0]}"
        )
        raise InferError(f"seed must have shape [2], not {text(s)}", graph)


def _infer(shape, seed, **_):
    found = infer_draw(shape)
    _check_seed(seed)
    return found


def _kernel(draw):
    def bind(xp):
        def kernel(shape, seed, dtype):
            dims = ints(shape)
            flat = draw(xp, seed, math.prod(dims), dtype.np)
            return flat.astype(dtype.np).reshape(dims)

        return kernel

    return bind


def _stateless(kind, fname, what, draw):
    op = define(kind, on_host="shape", infer=_infer, kernel=_kernel(draw))

    def function(
        shape: ShapeValue, seed: int | None, dtype: DTypeValue = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        attrs = {"dtype": dtypes.as_dtype(dtype)}
        eager = dispatch.current_mode().eager
        return apply(op, (draw_shape(shape) if eager else shape, seed), attrs, name)

    function.__name__ = function.__qualname__ = fname
    function.__module__ = "twinflow"
    function.__doc__ = f"""{what}, a function of the shape and the seed alone.

    Args:
        shape: int[rank]. seed: int32 or int64[2].
        dtype: float16, float32 or float64. name: the name of the node in a graph.
    Returns:
        dtype[shape], the same whenever and wherever it is called.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): a shape does not fit.
    Example:
        tf.contrib.stateless.{fname}([2, 3], seed=[1, 2])  # float32[2, 3]
    """
    return op, function


StatelessRandomUniform, stateless_random_uniform = _stateless(
    "StatelessRandomUniform", "stateless_random_uniform",
    "Uniform random numbers in [0, 1)", _uniform,
)  # fmt: skip
StatelessRandomNormal, stateless_random_normal = _stateless(
    "StatelessRandomNormal", "stateless_random_normal",
    "Standard normal random numbers", _normal,
)  # fmt: skip
StatelessTruncatedNormal, stateless_truncated_normal = _stateless(
    "StatelessTruncatedNormal", "stateless_truncated_normal",
    "Standard normal random numbers within (-2, 2)", _truncated,
)  # fmt: skip


def _infer_classes(logits, num_samples, seed, **_):
    found = infer_multinomial(logits, num_samples)
    _check_seed(seed)
    return found


@bind_first
def _multinomial_kernel(xp, logits, num_samples, seed, output_dtype):
    draws = (logits.shape[0], int(num_samples))
    u = _uniform(xp, seed, math.prod(draws), np.dtype(np.float64))
    return chosen(xp, logits, u.reshape(draws)).astype(output_dtype.np)


StatelessMultinomial = define(
    "StatelessMultinomial",
    on_host="num_samples",
    infer=_infer_classes,
    kernel=_multinomial_kernel,
)


def stateless_multinomial(
    logits: TensorValue, num_samples: Any, seed: int | None,
    output_dtype: Any = dtypes.int64, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Classes with the probabilities softmax(logits), a function of the inputs alone.

    Args:
        logits: float[batch, classes], log probabilities up to a constant.
        num_samples: int32[], how many for each row. seed: int32 or int64[2].
        output_dtype: int64 or int32. name: the name of the node in a graph.
    Returns:
        output_dtype[batch, num_samples]
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): a shape does not fit.
    Example:
        logits = [[0.0, 1.0]]
        seed = [1, 2]
        tf.contrib.stateless.stateless_multinomial(logits, 5, seed)  # int64[1, 5]
    """
    attrs = {"output_dtype": dtypes.as_dtype(output_dtype)}
    return apply(StatelessMultinomial, (logits, num_samples, seed), attrs, name)
