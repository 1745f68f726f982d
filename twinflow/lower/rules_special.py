"""Rules where XLA needs another form than the kernel: complex and special functions."""

import jax.numpy as jnp
import numpy as np
from jax import lax


def _complex(real, imag, Tout):
    shape = jnp.broadcast_shapes(jnp.shape(real), jnp.shape(imag))
    return lax.complex(jnp.broadcast_to(real, shape), jnp.broadcast_to(imag, shape))


def _by(wide, function):
    """`function` of broadcast arrays, narrower floats by way of the dtype `wide`."""

    def rule(*xs):
        xs = jnp.broadcast_arrays(*xs)
        dtype = xs[0].dtype
        if dtype.itemsize < np.dtype(wide).itemsize:
            xs = [x.astype(wide) for x in xs]
        return function(*xs).astype(dtype)

    return rule


def _single(function):
    return _by(np.float32, function)


def _double(function):
    """XLA's float32 forms of these lose up to half of the digits."""
    return _by(np.float64, function)


def _digamma(x):
    pole = (x <= 0) & (x == jnp.floor(x))
    return jnp.where(pole, jnp.array(jnp.inf, x.dtype), lax.digamma(x))


def _polygamma(n, x):
    whole = (n == jnp.floor(n)) & (n >= 0)
    sign = jnp.where(n % 2 == 0, -1, 1).astype(n.dtype)
    other = sign * jnp.exp(lax.lgamma(n + 1)) * _zeta(n + 1, x)
    other = jnp.where(whole, other, jnp.array(jnp.nan, n.dtype))
    return jnp.where(n == 0, _digamma(x), other)


def _zeta(x, q):
    pole = (x > 1) & (q <= 0) & (q == jnp.floor(q))
    return jnp.where(pole, jnp.array(jnp.inf, x.dtype), lax.zeta(x, q))


def _of_positive(function):
    return lambda a, x: jnp.where(a > 0, function(a, x), jnp.array(jnp.nan, a.dtype))


def _igamma_slope(function):
    """0 at the ends of the range, nan outside."""

    def rule(a, x):
        inside = (a > 0) & (x > 0) & jnp.isfinite(x)
        one = jnp.ones_like(x)
        found = function(jnp.where(inside, a, one), jnp.where(inside, x, one))
        outside = jnp.where((a > 0) & (x >= 0), 0.0, jnp.nan).astype(x.dtype)
        return jnp.where(inside, found, outside)

    return rule


def _betainc(a, b, x):
    found = lax.betainc(a, b, x)
    good = (a > 0) & (b > 0) & (x >= 0) & (x <= 1)
    return jnp.where(good, found, jnp.array(jnp.nan, x.dtype))


rules: dict = {
    "Complex": _complex,
    "Erf": lax.erf,
    "Erfc": lax.erfc,
    "Lgamma": _single(lax.lgamma),
    "Digamma": _single(_digamma),
    "Polygamma": _single(_polygamma),
    "Zeta": _single(_zeta),
    "Igamma": _double(_of_positive(lax.igamma)),
    "Igammac": _double(_of_positive(lax.igammac)),
    "IgammaGradA": _double(_igamma_slope(lax.igamma_grad_a)),
    "RandomGammaGrad": _double(_igamma_slope(lax.random_gamma_grad)),
    "Betainc": _double(_betainc),
    "BesselI0e": _single(lax.bessel_i0e),
    "BesselI1e": _single(lax.bessel_i1e),
}
