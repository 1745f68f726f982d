"""Rules for draws by trial (Note [Trials] in ops.random.rejection) or quantiles."""

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special

from twinflow.ops.core.infer import ints
from twinflow.ops.random.rejection import (
    INVERTED,
    gamma_trial,
    inverted_poisson,
    poisson_trial,
    uniforms,
)
from twinflow.ops.random.streams import NEXT, parts
from twinflow.ops.random.truncated import by_row, middles, quantiles


def _accepted(key, position, trial, parameter, done, start):
    """As ops.random.rejection.accepted, for all elements until the last is done."""
    count = np.uint64(parameter.size)
    index = jnp.arange(parameter.size, dtype=np.uint64)

    def body(state):
        k, done, out = state
        u = uniforms(jnp, key, position, index, k, count)
        ok, value = trial(parameter, u)
        return k + np.uint64(1), done | ok, jnp.where(~done & ok, value, out)

    state = jnp.uint64(start), done, jnp.zeros(parameter.shape, np.float64)
    return lax.while_loop(lambda s: ~jnp.all(s[1]), body, state)[2]


def _samples(shape, parameter):
    whole = (*ints(shape), *jnp.shape(parameter))
    wide = jnp.broadcast_to(jnp.asarray(parameter, np.float64), whole)
    return wide.reshape(-1), whole


def _gamma(state, shape, alpha, seed, seed2, stream):
    key, position = parts(jnp, state)
    flat, whole = _samples(shape, alpha)
    nothing = jnp.zeros(flat.shape, bool)
    found = _accepted(key, position, gamma_trial(jnp), flat, nothing, 0)
    return found.reshape(whole).astype(alpha.dtype), state + NEXT


def _poisson(state, shape, rate, seed, seed2, stream, dtype=None):
    key, position = parts(jnp, state)
    flat, whole = _samples(shape, rate)
    index = jnp.arange(flat.size, dtype=np.uint64)
    u = uniforms(jnp, key, position, index, np.uint64(0), np.uint64(flat.size))[0]
    small = inverted_poisson(jnp, jnp.minimum(flat, INVERTED), u)
    large = ~(flat < INVERTED)
    trial = poisson_trial(jnp, lax.lgamma)
    found = _accepted(key, position, trial, flat, ~large, 1)
    found = jnp.where(large, found, jnp.where(flat > 0, small, 0))
    kind = dtype.np if dtype else rate.dtype
    return found.reshape(whole).astype(kind), state + NEXT


def _truncated(state, shape, *parameters, seed, seed2, stream):
    key, position = parts(jnp, state)
    dims = ints(shape)
    u, rows = middles(jnp, key, position, dims), by_row(jnp, len(dims), parameters)
    found = quantiles(jnp, special.ndtr, special.ndtri, u, *rows)
    return found.astype(parameters[0].dtype), state + NEXT


rules: dict = {
    "ParameterizedTruncatedNormal": _truncated,
    "RandomGamma": _gamma,
    "RandomPoisson": _poisson,
    "RandomPoissonV2": _poisson,
}
