"""Ops that draw gamma and Poisson distributed numbers."""

import numpy as np
from scipy.special import gammaln

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, maximum, multiply, realdiv
from twinflow.ops.core.infer import ints
from twinflow.ops.random import rejection
from twinflow.ops.random.draws import draw_shape, infer_draw, scoped
from twinflow.ops.random.streams import define_draw, draw
from twinflow.ops.special.igamma import RandomGammaGrad

_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_RATES = (*_FLOATS, dtypes.int32, dtypes.int64)


def _infer_samples(shape, parameter, **_):
    outer, inner = infer_draw(shape), parameter._shape
    return None if outer is None or inner is None else (*outer, *inner)


def samples_of(shape, parameter):
    """The parameter of each sample, float64[n], and the shape of all samples."""
    whole = (*ints(shape), *parameter.shape)
    wide = np.broadcast_to(parameter.astype(np.float64), whole)
    return wide.reshape(-1), whole


def _gamma(xp, key, position, shape, alpha):
    flat, whole = samples_of(shape, alpha)
    return rejection.gamma(key, position, flat).reshape(whole).astype(alpha.dtype)


def _gamma_grad(dy, alpha, output, shape_alpha):
    """The sample moves with alpha so that its quantile stays."""
    slope = apply(RandomGammaGrad, (alpha, output))
    return unbroadcast(multiply(dy, slope), shape_alpha)


RandomGamma = define_draw(
    "RandomGamma(shape: host S, alpha: T) -> (output: T)",
    infer=_infer_samples,
    draw=_gamma,
    types={"T": _FLOATS},
    grad=[_gamma_grad],
)


def random_gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
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


def _counts(xp, key, position, shape, rate, dtype=None):
    flat, whole = samples_of(shape, rate)
    found = rejection.poisson(key, position, flat, gammaln).reshape(whole)
    return found.astype(dtype.np if dtype else rate.dtype)


RandomPoissonV2 = define_draw(
    "RandomPoissonV2(shape: host S, rate: R) -> (output: dtype); dtype=int64",
    infer=_infer_samples,
    draw=_counts,
    types={"R": _RATES, "dtype": _RATES},
)

RandomPoisson = define_draw(
    "RandomPoisson(shape: host S, rate: dtype) -> (output: dtype)",
    infer=_infer_samples,
    draw=_counts,
    types={"dtype": _FLOATS},
)


def random_poisson(lam, shape, dtype=dtypes.float32, seed=None, name=None):
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
