"""Ops that draw gamma and Poisson distributed numbers."""

import math
from typing import Any

import numpy as np
from scipy.special import gammaln

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import fill, zeros_like
from twinflow.ops.core.elementwise import add, maximum, multiply, realdiv
from twinflow.ops.core.infer import ints
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.random import by_trial, original, original_trials, rejection
from twinflow.ops.random.draws import draw_shape, infer_draw, scoped
from twinflow.ops.random.streams import Original, define_draw, draw, parts
from twinflow.ops.special.igamma import RandomGammaGrad


def _infer_samples(shape, parameter, **_):
    outer, inner = infer_draw(shape), parameter._shape
    return None if outer is None or inner is None else (*outer, *inner)


def _drawn(jax, kind, key, position, shape, parameter, dtype, on_arrays):
    """Numbers of a kind of by_trial: dtype[shape + shape of the parameter].

    Args:
        dtype: that of the parameter for None.
        on_arrays: ``(xp, key, position, parameter of each sample)``.
    """
    xp = np if jax is None else jax.numpy
    whole = (*ints(shape), *parameter.shape)
    count = math.prod(whole)

    def otherwise(flat, state):
        key, position = parts(xp, state)
        each = xp.broadcast_to(flat, (count // max(flat.size, 1), flat.size))
        return on_arrays(xp, key, position, xp.reshape(each, -1))

    found = by_trial.drawn(jax, kind, key, position, parameter, count, otherwise)
    return found.reshape(whole).astype(dtype.np if dtype else parameter.dtype)


def _draws(kind, on_arrays):
    """The `draw` of define_draw, of NumPy for None."""

    def in_engine(jax):
        def run(_, *of_call):
            return on_arrays(jax, *of_call)

        def draw(_, key, position, shape, parameter, dtype=None):
            return _drawn(jax, kind, key, position, shape, parameter, dtype, run)

        return draw

    return in_engine


def _original(kind, on_arrays):
    """An Original that draws for each sample of each parameter by itself.

    Args:
        on_arrays: ``(jax, key, the first block of each sample, its parameter)``.
    """

    def whole(jax, key, position, shape, parameter, dtype=None):
        def run(xp, seeds, position, flat):
            each = flat.size // max(parameter.size, 1)
            start = original_trials.own_blocks(xp, position, each, parameter.size)
            return on_arrays(jax, original.key_of(xp, seeds), start, flat)

        seeds = key[0], key[2]
        return _drawn(jax, kind, seeds, position, shape, parameter, dtype, run)

    def blocks(shape, parameter, **_):
        return original.elements(math.prod(ints(shape)) * parameter.size)

    return Original(whole, blocks)


def _define(op_type, draws, original, grad=None):
    facts = {"grad": grad} if grad else {}
    return define_draw(
        op_type, _infer_samples, draws(None), draw_in_xla=draws, original=original,
        on_host="shape", **facts,
    )  # fmt: skip


def _gamma_grad(dy, alpha, output, shape_alpha):
    """The sample moves with alpha so that its quantile stays."""
    slope = apply(RandomGammaGrad, (alpha, output))
    return unbroadcast(multiply(dy, slope), shape_alpha)


RandomGamma = _define(
    "RandomGamma",
    _draws(by_trial.OUR_GAMMA, rejection.gamma),
    _original(by_trial.GAMMA, original_trials.gamma),
    [_gamma_grad],
)


def random_gamma(
    shape: ShapeValue, alpha: Any, beta: Any = None, dtype: DTypeValue = dtypes.float32,
    seed: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Gamma distributed random numbers, differentiable by alpha and beta.

    p(x) = beta^alpha x^(alpha-1) e^(-beta x) / Gamma(alpha)

    Args:
        shape: int[rank], how many to draw for each alpha and beta.
        alpha: dtype, > 0. beta: dtype, > 0, 1 if not given; they are broadcast.
        dtype: float16, float32 or float64.
        seed: an int; see tf.set_random_seed. name: the name scope in a graph.
    Returns:
        dtype[shape + shape of alpha + beta], at least the smallest normal number;
        modes may differ in the last places.
    Raises:
        TypeError: another dtype.
    Example:
        tf.random_gamma([10], [0.5, 1.5])  # float32[10, 2]
    Reference: Figurnov, Mohamed, Mnih: Implicit reparameterization gradients (2018).
    """
    dtype = dtypes.as_dtype(dtype)
    with scoped(name, "random_gamma"):
        dims = draw_shape(shape)
        alpha = convert_to_tensor(alpha, dtype, name="alpha")
        beta = convert_to_tensor(1 if beta is None else beta, dtype, name="beta")
        alpha = add(alpha, zeros_like(beta))
        x = draw(RandomGamma, (dims, alpha), {}, seed)
        return maximum(constant(np.finfo(dtype.np).tiny, dtype), realdiv(x, beta))


def _their_poisson(jax, key, start, rate):
    lgamma = gammaln if jax is None else jax.lax.lgamma
    return original_trials.poisson(jax, key, start, rate, lgamma)


_COUNTS = (
    _draws(by_trial.OUR_POISSON, rejection.poisson),
    _original(by_trial.POISSON, _their_poisson),
)
RandomPoissonV2 = _define("RandomPoissonV2", *_COUNTS)
RandomPoisson = _define("RandomPoisson", *_COUNTS)


def random_poisson(
    lam: Any, shape: ShapeValue, dtype: DTypeValue = dtypes.float32,
    seed: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Poisson distributed random numbers.

    Args:
        lam: float16, float32, float64, int32 or int64, the rates (means), >= 0.
        shape: int[rank], how many to draw for each rate.
        dtype: of the result, one of the same.
        seed: an int; see tf.set_random_seed. name: the name scope in a graph.
    Returns:
        dtype[shape + shape of lam]
    Raises:
        TypeError: another dtype.
    Example:
        tf.random_poisson([0.5, 1.5], [10])  # float32[10, 2]
    """
    attrs = {"dtype": dtypes.as_dtype(dtype)}
    with scoped(name, "random_poisson"):
        return draw(RandomPoissonV2, (draw_shape(shape), lam), attrs, seed)


def add_leading_unit_dimensions(x, num_dimensions):
    """`x` with so many axes of size 1 in front of its own.

    Args:
        x: a tensor. num_dimensions: int32[].
    """
    x = convert_to_tensor(x, name="x")
    ones_in_front = fill([num_dimensions], 1)
    return reshape(x, concat([ones_in_front, shape_of(x)], 0))
