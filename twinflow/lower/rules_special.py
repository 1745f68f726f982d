"""Rules where XLA needs another form than the kernel: complex and special functions.

XLA's float32 forms of most of these lose up to half of the digits, so that they are
computed in float64.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax

from twinflow.ops.special.igamma import MOST, lower_edges, upper_edges


def _complex(real, imag, Tout):
    shape = jnp.broadcast_shapes(jnp.shape(real), jnp.shape(imag))
    return lax.complex(jnp.broadcast_to(real, shape), jnp.broadcast_to(imag, shape))


def _double(function):
    """`function` of broadcast arrays, by way of float64."""

    def rule(*xs):
        xs = jnp.broadcast_arrays(*xs)
        dtype = xs[0].dtype
        return function(*(x.astype(np.float64) for x in xs)).astype(dtype)

    return rule


def _digamma(x):
    pole = (x <= 0) & (x == jnp.floor(x))
    return jnp.where(pole, np.inf, lax.digamma(x))


def _polygamma(n, x):
    whole = (n == jnp.floor(n)) & (n >= 0)
    sign = jnp.where(n % 2 == 0, -1, 1).astype(n.dtype)
    other = sign * jnp.exp(lax.lgamma(n + 1)) * _zeta(n + 1, x)
    return jnp.where(n == 0, _digamma(x), jnp.where(whole, other, np.nan))


def _zeta(x, q):
    """At negative q the terms before zero are those of other sums, reflected."""
    pole, whole = (q <= 0) & (q == jnp.floor(q)), x == jnp.floor(x)
    mirrored = _zeta_right(x, jnp.ceil(q) - q) - _zeta_right(x, 1 - q)
    sign = jnp.where(x % 2 == 0, 1.0, -1.0)
    left = _zeta_right(x, q - jnp.floor(q)) + sign * mirrored
    left = jnp.where(pole, np.inf, jnp.where(whole, left, np.nan))
    found = jnp.where(q > 0, _zeta_right(x, q), left)
    found = jnp.where(x > 1, found, jnp.where(x == 1, np.inf, np.nan))
    return jnp.where(jnp.isnan(q), q, found)


def _zeta_right(x, q):
    """For q > 0."""
    good = (x > 1) & (q > 0) & (q < np.inf)
    found = lax.zeta(jnp.where(good, x, 2.0), jnp.where(good, q, 1.0))
    return jnp.where(q == np.inf, 0.0, found)


def _inside(function, edges):
    """`function` where its sums end, and what holds at the edges of its domain."""

    def rule(a, x):
        good = (a > 0) & (x > 0) & (a <= MOST) & jnp.isfinite(x)
        found = function(jnp.where(good, a, 1.0), jnp.where(good, x, 1.0))
        return edges(good, found, a, x)

    return rule


def _lower(good, found, a, x):
    return lower_edges(jnp, jnp.where(good, found, _step(x)), a, x)


def _upper(good, found, a, x):
    return upper_edges(jnp, jnp.where(good, found, 1 - _step(x)), a, x)


def _step(x):
    """P beside its domain: 0 at 0, 1 at infinity."""
    return jnp.where(x == 0, 0.0, jnp.where(x == np.inf, 1.0, np.nan))


def _flat(good, found, a, x):
    """Slopes are 0 at the ends of the range."""
    return jnp.where(good, found, jnp.where((a > 0) & (x >= 0), 0.0, np.nan))


def _betainc(a, b, x):
    found = lax.betainc(a, b, x)
    good = (a > 0) & (b > 0) & (x >= 0) & (x <= 1)
    return jnp.where(good, found, np.nan)


def _bessel_i1e(x):
    return jnp.where(x == 0, 0.0, lax.bessel_i1e(x))


rules: dict = {
    "Complex": _complex,
    "Erf": lax.erf,
    "Erfc": lax.erfc,
    "Lgamma": _double(lax.lgamma),
    "Digamma": _double(_digamma),
    "Polygamma": _double(_polygamma),
    "Zeta": _double(_zeta),
    "Igamma": _double(_inside(lax.igamma, _lower)),
    "Igammac": _double(_inside(lax.igammac, _upper)),
    "IgammaGradA": _double(_inside(lax.igamma_grad_a, _flat)),
    "RandomGammaGrad": _double(_inside(lax.random_gamma_grad, _flat)),
    "Betainc": _double(_betainc),
    "BesselI0e": _double(lax.bessel_i0e),
    "BesselI1e": _double(_bessel_i1e),
}
