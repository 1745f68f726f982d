"""Special functions in XLA: the forms that the blocks of this family give as `lower`.

XLA's float32 forms of most of these lose up to half of the digits, so that they are
computed in float64.
"""

import numpy as np

from twinflow.base.op import bind_first
from twinflow.ops.special.igamma_edges import MOST, lower_edges, upper_edges


def in_double(function):
    """``jax -> kernel``: `function(jax, *arrays)` of broadcast arrays, in float64."""

    @bind_first
    def lower(jax, *xs):
        xs = jax.numpy.broadcast_arrays(*xs)
        wide = (x.astype(np.float64) for x in xs)
        return function(jax, *wide).astype(xs[0].dtype)

    return lower


lgamma = in_double(lambda jax, x: jax.lax.lgamma(x))
bessel_i0e = in_double(lambda jax, x: jax.lax.bessel_i0e(x))


@in_double
def bessel_i1e(jax, x):
    return jax.numpy.where(x == 0, 0.0, jax.lax.bessel_i1e(x))


def _digamma(jax, x):
    pole = (x <= 0) & (x == jax.numpy.floor(x))
    return jax.numpy.where(pole, np.inf, jax.lax.digamma(x))


def _zeta(jax, x, q):
    """At negative q the terms before zero are those of other sums, reflected."""
    jnp = jax.numpy
    pole, whole = (q <= 0) & (q == jnp.floor(q)), x == jnp.floor(x)
    mirrored = _zeta_right(jax, x, jnp.ceil(q) - q) - _zeta_right(jax, x, 1 - q)
    sign = jnp.where(x % 2 == 0, 1.0, -1.0)
    left = _zeta_right(jax, x, q - jnp.floor(q)) + sign * mirrored
    left = jnp.where(pole, np.inf, jnp.where(whole, left, np.nan))
    both = jnp.where(q > 0, _zeta_right(jax, x, q), left)
    both = jnp.where(x > 1, both, jnp.where(x == 1, np.inf, np.nan))
    return jnp.where(jnp.isnan(q), q, both)


def _zeta_right(jax, x, q):
    """For q > 0."""
    jnp = jax.numpy
    good = (x > 1) & (q > 0) & (q < np.inf)
    sums = jax.lax.zeta(jnp.where(good, x, 2.0), jnp.where(good, q, 1.0))
    return jnp.where(q == np.inf, 0.0, sums)


digamma = in_double(_digamma)
zeta = in_double(_zeta)


@in_double
def polygamma(jax, n, x):
    jnp = jax.numpy
    whole = (n == jnp.floor(n)) & (n >= 0)
    sign = jnp.where(n % 2 == 0, -1, 1).astype(n.dtype)
    other = sign * jnp.exp(jax.lax.lgamma(n + 1)) * _zeta(jax, n + 1, x)
    return jnp.where(n == 0, _digamma(jax, x), jnp.where(whole, other, np.nan))


def _inside(name, edges):
    """A function of jax.lax where its sums end, and `edges` around its domain."""

    @in_double
    def of_both(jax, a, x):
        jnp = jax.numpy
        good = (a > 0) & (x > 0) & (a <= MOST) & jnp.isfinite(x)
        function = getattr(jax.lax, name)
        sums = function(jnp.where(good, a, 1.0), jnp.where(good, x, 1.0))
        return edges(jnp, good, sums, a, x)

    return of_both


def _lower(jnp, good, sums, a, x):
    return lower_edges(jnp, jnp.where(good, sums, _step(jnp, x)), a, x)


def _upper(jnp, good, sums, a, x):
    return upper_edges(jnp, jnp.where(good, sums, 1 - _step(jnp, x)), a, x)


def _step(jnp, x):
    """P beside its domain: 0 at 0, 1 at infinity."""
    return jnp.where(x == 0, 0.0, jnp.where(x == np.inf, 1.0, np.nan))


def _flat(jnp, good, sums, a, x):
    """Slopes are 0 at the ends of the range."""
    return jnp.where(good, sums, jnp.where((a > 0) & (x >= 0), 0.0, np.nan))


igamma = _inside("igamma", _lower)
igammac = _inside("igammac", _upper)
igamma_grad_a = _inside("igamma_grad_a", _flat)
random_gamma_grad = _inside("random_gamma_grad", _flat)


@in_double
def betainc(jax, a, b, x):
    good = (a > 0) & (b > 0) & (x >= 0) & (x <= 1)
    return jax.numpy.where(good, jax.lax.betainc(a, b, x), np.nan)
