"""Random numbers as functions of a shape and two seeds, without any stream.

The numbers are those of TensorFlow 1.12 (Note [Original numbers]): both seeds are
scrambled by Philox into its key and the upper half of its counter.
"""

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
from twinflow.ops.random.original import normal, uniform
from twinflow.ops.random.original_trials import truncated_normal
from twinflow.ops.random.philox import rounds

_MASK = 0xFFFFFFFF
_SCRAMBLE = 0x3EC8F720, 0x02461E29


def _key(xp, seed):
    """The words that Philox makes of the two seeds: see ops.random.original."""
    wide = seed.astype(np.int64).astype(np.uint64)
    low, high = wide.tolist() if xp is np else (wide[0], wide[1])
    return rounds(low & _MASK, low >> 32, high & _MASK, high >> 32, *_SCRAMBLE)


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


def _kernel(draw, jax=None):
    xp = np if jax is None else jax.numpy
    at = jax if draw is truncated_normal else xp
    return lambda shape, seed, dtype: draw(at, _key(xp, seed), 0, ints(shape), dtype.np)


def _stateless(kind, fname, what, draw):
    op = define(
        kind, on_host="shape", infer=_infer, kernel=lambda xp: _kernel(draw),
        lower=lambda jax: _kernel(draw, jax),
    )  # fmt: skip

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
    "Uniform random numbers in [0, 1)", uniform,
)  # fmt: skip
StatelessRandomNormal, stateless_random_normal = _stateless(
    "StatelessRandomNormal", "stateless_random_normal",
    "Standard normal random numbers", normal,
)  # fmt: skip
StatelessTruncatedNormal, stateless_truncated_normal = _stateless(
    "StatelessTruncatedNormal", "stateless_truncated_normal",
    "Standard normal random numbers within (-2, 2)", truncated_normal,
)  # fmt: skip


def _infer_classes(logits, num_samples, seed, **_):
    found = infer_multinomial(logits, num_samples)
    _check_seed(seed)
    return found


@bind_first
def _multinomial_kernel(xp, logits, num_samples, seed, output_dtype):
    draws = (logits.shape[0], int(num_samples))
    u = uniform(xp, _key(xp, seed), 0, draws, np.float64)
    return chosen(xp, logits, u).astype(output_dtype.np)


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
