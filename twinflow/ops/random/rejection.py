"""Random numbers by trial: gamma and Poisson distributed ones.

Note [Trials]: trial k for element i of n takes the counter blocks 2 k n + i and
(2 k + 1) n + i, four uniform numbers, however many trials the other elements need. So
NumPy, which goes on with the pending elements alone, and XLA, which loops over all
(`accepted_in_xla`), draw the same numbers; all is computed in float64.
"""

import math

import numpy as np
from scipy.special import gammaln

from twinflow.base.op import bind_first
from twinflow.ops.random.philox import doubles

_TURN = 2 * math.pi
INVERTED = 10.0  # rates below this: by inversion
_MOST = 64  # P(more | rate 10) < 1e-28


def uniforms(xp, key, position, index, trial, count):
    """Four uniform numbers for each element of `index`, see Note [Trials]."""
    out = []
    for block in (2 * trial, 2 * trial + 1):
        out += doubles(xp, key, position, index + block * count)
    return out


def accepted(key, position, trial, parameter, done, start):
    """The first accepted number of each element, in NumPy.

    Args:
        trial: ``(parameter, four uniforms) -> (accepted, value)`` on arrays.
        parameter: float64[n]. done: bool[n], what to leave out. start: the first trial.
    Returns:
        float64[n], 0 where nothing was to do.
    """
    count, k = np.uint64(parameter.size), np.uint64(start)
    out, pending = np.zeros(parameter.size), np.flatnonzero(~done)
    while pending.size:
        u = uniforms(np, key, position, pending.astype(np.uint64), k, count)
        ok, value = trial(parameter[pending], u)
        out[pending[ok]] = value[ok]
        pending, k = pending[~ok], k + np.uint64(1)
    return out


@bind_first
def accepted_in_xla(jax, key, position, trial, parameter, done, start):
    """As `accepted`, for all elements until the last is done."""
    jnp = jax.numpy
    count = np.uint64(parameter.size)
    index = jnp.arange(parameter.size, dtype=np.uint64)

    def body(state):
        k, done, out = state
        u = uniforms(jnp, key, position, index, k, count)
        ok, value = trial(parameter, u)
        return k + np.uint64(1), done | ok, jnp.where(~done & ok, value, out)

    state = jnp.uint64(start), done, jnp.zeros(parameter.shape, np.float64)
    return jax.lax.while_loop(lambda s: ~jnp.all(s[1]), body, state)[2]


@bind_first
def gamma_trial(xp, alpha, u):
    """Marsaglia and Tsang's trial for one gamma distributed number.

    d (1 + c z)^3 with d = alpha - 1/3, c = 1 / sqrt(9 d); for alpha < 1 one of
    alpha + 1 times u^(1 / alpha).

    Reference: A simple method for generating gamma variables (2000).
    """
    small = alpha < 1
    d = xp.where(small, alpha + 1, alpha) - 1 / 3
    z = xp.sqrt(-2 * xp.log(1 - u[0])) * xp.cos(_TURN * u[1])
    v = (1 + z / xp.sqrt(9 * d)) ** 3
    safe = xp.where(v > 0, v, 1)
    limit = 0.5 * z * z + d * (1 - v + xp.log(safe))
    ok = (v > 0) & (xp.log(1 - u[2]) < limit)
    boost = xp.where(small, (1 - u[3]) ** (1 / alpha), 1)
    value = xp.where(alpha > 0, d * safe * boost, np.nan)
    return ok | ~(alpha > 0) | (alpha == np.inf), value


def poisson_trial(xp, lgamma):
    """Hörmann's trial PTRS for one Poisson distributed number of rate >= 10.

    Reference: The transformed rejection method for generating Poisson random variables
    (1993).
    """

    def trial(rate, u):
        b = 0.931 + 2.53 * xp.sqrt(rate)
        a = 0.02483 * b - 0.059
        x, v = u[0] - 0.5, 1 - u[1]
        s = 0.5 - xp.abs(x)
        k = xp.floor((2 * a / s + b) * x + rate + 0.43)
        scale = 1.1239 + 1.1328 / (b - 3.4)
        height = xp.log(v * scale / (a / (s * s) + b))
        under = height <= k * xp.log(rate) - rate - lgamma(xp.maximum(k, 0) + 1)
        quick = (s >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        bad = (k < 0) | ((s < 0.013) & (v > s))
        plain = xp.isfinite(rate)
        return quick | (~bad & under) | ~plain, xp.where(plain, k, rate)

    return trial


def inverted_poisson(xp, rate, u):
    """How many sums of the first probabilities are at most u, for small rates."""
    p = xp.exp(-rate)
    total, k = p, xp.zeros_like(rate)
    for j in range(1, _MOST):
        k = xp.where(u >= total, j, k)
        p = p * rate / j
        total = total + p
    return k


def gamma(jax, key, position, alpha):
    """Gamma distributed numbers; see `gamma_trial`.

    Args:
        jax: None for NumPy. alpha: float64[n]. nan where it is not above 0.
    """
    xp, draw = _ways(jax)
    nothing = xp.zeros(alpha.shape, bool)
    return draw(key, position, gamma_trial(xp), alpha, nothing, 0)


def poisson(jax, key, position, rate):
    """Poisson distributed numbers; 0 for rates below 0.

    Args:
        jax: None for NumPy. rate: float64[n].
    """
    xp, draw = _ways(jax)
    lgamma = gammaln if jax is None else jax.lax.lgamma
    index = xp.arange(rate.size, dtype=np.uint64)
    u = uniforms(xp, key, position, index, np.uint64(0), np.uint64(rate.size))[0]
    small = inverted_poisson(xp, xp.minimum(rate, INVERTED), u)
    large = ~(rate < INVERTED)
    numbers = draw(key, position, poisson_trial(xp, lgamma), rate, ~large, 1)
    return xp.where(large, numbers, xp.where(rate > 0, small, 0))


def _ways(jax):
    """The array namespace, and how trials are made until one is accepted."""
    return (np, accepted) if jax is None else (jax.numpy, accepted_in_xla(jax))
