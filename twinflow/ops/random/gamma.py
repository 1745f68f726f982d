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
from twinflow.ops.random import original, original_trials, rejection
from twinflow.ops.random.draws import draw_shape, infer_draw, scoped
from twinflow.ops.random.streams import Original, define_draw, draw
from twinflow.ops.special.igamma import RandomGammaGrad


def _infer_samples(shape, parameter, **_):
    outer, inner = infer_draw(shape), parameter._shape
    return None if outer is None or inner is None else (*outer, *inner)


def _samples(xp, shape, parameter):
    """The parameter of each sample, float64[n], and the shape of all samples."""
    whole = (*ints(shape), *parameter.shape)
    wide = xp.broadcast_to(parameter.astype(np.float64), whole)
    return xp.reshape(wide, -1), whole


def _gamma(accepted):
    def draw(xp, key, position, shape, alpha):
        flat, whole = _samples(xp, shape, alpha)
        numbers = rejection.gamma(xp, accepted, key, position, flat)
        return numbers.reshape(whole).astype(alpha.dtype)

    return draw


def _original(draw):
    """An Original that draws for each sample of each parameter by itself."""

    def whole(jax, key, position, shape, parameter, **attrs):
        xp = np if jax is None else jax.numpy
        flat, dims = _samples(xp, shape, parameter)
        each = math.prod(ints(shape))
        start = original_trials.own_blocks(xp, position, each, parameter.size)
        return draw(jax, key, start, flat, parameter, **attrs).reshape(dims)

    def blocks(shape, parameter, **_):
        return original.elements(math.prod(ints(shape)) * parameter.size)

    return Original(whole, blocks)


def _original_gamma(jax, key, start, flat, alpha):
    return original_trials.gamma(jax, key, start, flat).astype(alpha.dtype)


def _gamma_grad(dy, alpha, output, shape_alpha):
    """The sample moves with alpha so that its quantile stays."""
    slope = apply(RandomGammaGrad, (alpha, output))
    return unbroadcast(multiply(dy, slope), shape_alpha)


RandomGamma = define_draw(
    "RandomGamma",
    on_host="shape",
    infer=_infer_samples,
    draw=_gamma(rejection.accepted),
    draw_in_xla=lambda jax: _gamma(rejection.accepted_in_xla(jax)),
    original=_original(_original_gamma),
    grad=[_gamma_grad],
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


def _counts(accepted, lgamma):
    def draw(xp, key, position, shape, rate, dtype=None):
        flat, whole = _samples(xp, shape, rate)
        numbers = rejection.poisson(xp, accepted, lgamma, key, position, flat)
        return numbers.reshape(whole).astype(dtype.np if dtype else rate.dtype)

    return draw


def _original_counts(jax, key, start, flat, rate, dtype=None):
    lgamma = gammaln if jax is None else jax.lax.lgamma
    numbers = original_trials.poisson(jax, key, start, flat, lgamma)
    return numbers.astype(dtype.np if dtype else rate.dtype)


def _define_poisson(op_type):
    return define_draw(
        op_type,
        on_host="shape",
        infer=_infer_samples,
        draw=_counts(rejection.accepted, gammaln),
        draw_in_xla=lambda jax: _counts(rejection.accepted_in_xla(jax), jax.lax.lgamma),
        original=_original(_original_counts),
    )


RandomPoissonV2 = _define_poisson("RandomPoissonV2")
RandomPoisson = _define_poisson("RandomPoisson")


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
