"""TensorFlow's truncated normal, gamma and Poisson numbers: Note [Original numbers].

Reference: Marsaglia and Tsang (2000), Knuth, Hörmann (1993), as in `rejection`.
"""

import math

import numpy as np

from twinflow.ops.random.original import (
    RESERVED,
    TRUNCATED,
    bells,
    blocks_of,
    double,
    drawn,
    fractions,
    wide_of,
)


def _until(jax, body, state):
    """Run `body` on the states of all elements until the first of them, `done`, holds.

    NumPy goes on with those that are not done; XLA with all, changing only these.

    Args:
        state: a list of arrays with one row an element, the first of them bool.
    """
    if jax is not None:
        jnp = jax.numpy

        def step(state):
            done = state[0]
            new = body(state)
            return [
                jnp.where(done.reshape(-1, *[1] * (n.ndim - 1)), o, n)
                for o, n in zip(state, new)
            ]

        return jax.lax.while_loop(lambda s: ~jnp.all(s[0]), step, state)
    state = [np.array(s) for s in state]
    left = np.flatnonzero(~state[0])
    while left.size:
        new = body([s[left] for s in state])
        for s, n in zip(state, new):
            s[left] = n
        left = left[~new[0]]
    return state


def truncated_normal(jax, key, position, shape, dtype):
    """Standard normal numbers, those of |z| >= 2 left out: dtype[shape].

    Four elements (two for float64) share the blocks of as many elements.
    """
    xp, wide = (np if jax is None else jax.numpy), wide_of(dtype)
    count, together = math.prod(shape), 2 if wide == np.float64 else 4
    found = drawn(TRUNCATED, xp, wide, key, position, count)
    if found is not None:
        return found.astype(dtype, copy=False).reshape(shape)
    groups = -(-count // together)
    start = xp.arange(groups, dtype=np.uint64) * np.uint64(together * RESERVED // 4)
    start = start + xp.asarray(position, np.uint64)
    places = np.arange(together)

    def body(state):
        _, block, have, out = state
        four = [w.astype(np.uint32) for w in blocks_of(xp, key, block)]
        u = fractions(xp, xp.stack(four, 1).reshape(-1), wide).reshape(-1, together)
        for i in range(0, together, 2):
            for z in bells(xp, u[:, i], u[:, i + 1], wide):
                good = (xp.abs(z) < 2) & (have < together)
                here = good[:, None] & (places == have[:, None])
                out = xp.where(here, z[:, None], out)
                have = have + good
        return have >= together, block + np.uint64(1), have, out

    nothing = xp.zeros(groups, bool)
    out = xp.zeros((groups, together), wide)
    state = nothing, start, xp.zeros(groups, np.int64), out
    made = _until(jax, body, list(state))[-1].reshape(-1)[:count]
    return made.astype(dtype).reshape(shape)


def _pair(xp, key, block, bell):
    """Two float64 numbers of a block: uniform ones, or bells."""
    a, b, c, d = blocks_of(xp, key, block)
    u, v = double(a, b), double(c, d)
    return bells(xp, u, v, np.dtype(np.float64)) if bell else (u, v)


def _next(xp, key, need, block, left, pair, bell=False):
    """The next number where one is needed, the second of a pair first.

    Returns:
        (numbers, block, left, pair): the last three as they are then.
    """
    fresh = need & (left == 0)
    made = _pair(xp, key, block, bell)
    pair = xp.where(fresh[:, None], xp.stack(made, 1), pair)
    block = block + fresh.astype(np.uint64)
    left = xp.where(fresh, 2, left) - need
    return xp.where(left == 1, pair[:, 1], pair[:, 0]), block, left, pair


def own_blocks(xp, position, samples, parameters):
    """Where the blocks of each element begin: uint64[samples * parameters].

    Elements count one parameter's samples after the other's; they are laid out
    [samples, parameters].
    """
    number = xp.arange(samples * parameters, dtype=np.uint64)
    number = number.reshape(parameters, samples).T.reshape(-1)
    return xp.asarray(position, np.uint64) + number * np.uint64(RESERVED)


def _empty(xp, count):
    """`left` and `pair` before the first number."""
    return xp.zeros(count, np.int64), xp.zeros((count, 2), np.float64)


def gamma(jax, key, start, alpha):
    """Gamma distributed numbers for alpha, float64[n]; see `rejection.gamma_trial`.

    Args:
        jax: None for NumPy. start: uint64[n], the first block of each element.
    """
    xp, count = (np if jax is None else jax.numpy), alpha.shape[0]
    with np.errstate(all="ignore"):
        d = alpha + xp.where(alpha < 1, 2.0 / 3, -1.0 / 3)
        c = 1.0 / 3 / xp.sqrt(d)
        plain, bad = alpha == 1.0, ~(alpha > 0) | (alpha == np.inf)

        def body(state):
            _, d, c, block, nl, npair, ul, upair, out = state
            yes = xp.ones(d.shape, bool)
            x, block, nl, npair = _next(xp, key, yes, block, nl, npair, bell=True)
            v = 1 + c * x
            good = v > 0
            u, block, ul, upair = _next(xp, key, good, block, ul, upair)
            v = xp.where(good, v * v * v, 1.0)
            quick = u < 1 - 0.0331 * (x * x) * (x * x)
            slow = xp.log(u) < 0.5 * x * x + d * (1 - v + xp.log(v))
            ok = good & (quick | slow)
            return ok, d, c, block, nl, npair, ul, upair, xp.where(ok, d * v, out)

        nl, npair = _empty(xp, count)
        ul, upair = _empty(xp, count)
        state = [plain | bad, d, c, start, nl, npair, ul, upair, xp.zeros(count)]
        found = _until(jax, body, state)
        yes = xp.ones(count, bool)
        last = _next(xp, key, yes, found[3], found[6], found[7])[0]
        small = xp.where(alpha < 1, last ** (1 / alpha), 1.0)
        out = xp.where(plain, -xp.log(1.0 - last), found[-1] * small)
        return xp.where(bad, np.nan, out)


def poisson(jax, key, start, rate, lgamma):
    """Poisson distributed numbers for rates, float64[n].

    Args:
        jax: None for NumPy. start: uint64[n], the first block of each element.
        lgamma: the logarithm of the gamma function on its arrays.
    """
    xp, count = (np if jax is None else jax.numpy), rate.shape[0]
    with np.errstate(all="ignore"):
        few, whole = rate < 10.0, xp.isfinite(rate)
        rare = xp.exp(-rate)
        b = 0.931 + 2.53 * xp.sqrt(rate)
        a, v_limit = 0.02483 * b - 0.059, 0.9277 - 3.6224 / (b - 2.0)
        scale, log_rate = 1.1239 + 1.1328 / (b - 3.4), xp.log(rate)

        def product(state):
            _, block, left, pair, rare, out, k = state
            yes = xp.ones(block.shape, bool)
            u, block, left, pair = _next(xp, key, yes, block, left, pair)
            out = out * u
            ok = out <= rare
            return ok, block, left, pair, rare, out, k + xp.where(ok, 0.0, 1.0)

        def rejected(state):
            _, block, left, pair, par, out = state
            rate, a, b, v_limit, scale, log_rate = (par[:, i] for i in range(6))
            yes = xp.ones(block.shape, bool)
            u, block, left, pair = _next(xp, key, yes, block, left, pair)
            v, block, left, pair = _next(xp, key, yes, block, left, pair)
            u = u - 0.5
            s = 0.5 - xp.abs(u)
            k = xp.floor((2.0 * a / s + b) * u + rate + 0.43)
            quick = (s >= 0.07) & (v <= v_limit)
            bad = (k < 0) | ((s < 0.013) & (v > s))
            height = xp.log(v * scale / (a / (s * s) + b))
            under = height <= -rate + k * log_rate - lgamma(xp.maximum(k, 0) + 1)
            ok = quick | (~bad & under)
            return ok, block, left, pair, par, xp.where(ok, k, out)

        left, pair = _empty(xp, count)
        one, none = xp.ones(count), xp.zeros(count)
        small = _until(jax, product, [~few, start, left, pair, rare, one, none])[-1]
        par = xp.stack([rate, a, b, v_limit, scale, log_rate], 1)
        large = _until(jax, rejected, [few | ~whole, start, left, pair, par, none])[-1]
        return xp.where(few, small, xp.where(whole, large, rate))
