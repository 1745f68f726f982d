"""Pooling in XLA, over any axes: what blocks give as `lower`."""

import math

import numpy as np

from twinflow.base.op import bind_first
from twinflow.ops.core.infer import ints
from twinflow.ops.nn.window import filter_entries, lowest, pool_axes, wide


@bind_first
def max_pool(jax, x, ksize, strides, padding, data_format):
    """The largest entry of each window."""
    least, largest = lowest(x.dtype), jax.lax.max
    return jax.lax.reduce_window(x, least, largest, ksize, strides, padding)


def _there(windows, dtype):
    """How many entries of each window are there, not in the padding."""
    total = np.ones((), int)
    for w in windows:
        total = np.multiply.outer(total, w.there())
    return total.astype(dtype)


@bind_first
def avg_pool(jax, x, ksize, strides, padding, data_format):
    """The mean of each window's entries; padding does not count."""
    axes, sums = pool_axes(x.shape, ksize, strides, padding), wide(x)
    zero = np.zeros((), sums.dtype)
    sums = jax.lax.reduce_window(sums, zero, jax.lax.add, ksize, strides, padding)
    return (sums / _there(axes[1:], sums.dtype)).astype(x.dtype)


@bind_first
def avg_pool_grad(jax, shape, dy, ksize, strides, padding, data_format):
    """dy spread evenly over the entries of each window."""
    axes, dx = pool_axes(ints(shape), ksize, strides, padding), wide(dy)
    zero, steps = np.zeros((), dx.dtype), (1,) * len(ksize)
    pads = [(*w.turned_pads(), w.stride - 1) for w in axes]
    dx = jax.lax.pad(dx / _there(axes[1:], dx.dtype), zero, pads)
    dx = jax.lax.reduce_window(dx, zero, jax.lax.add, ksize, steps, "VALID")
    return dx.astype(dy.dtype)


def _first_maxima(jax, x, y, axes):
    """For each place in the window: (place, where it is the first largest entry)."""
    padded = _padded(jax, x, lowest(x.dtype), axes)
    free = jax.numpy.ones(y.shape, bool)
    for place in filter_entries(axes):
        chosen = (_picked(jax, padded, place, axes) == y) & free
        for axis, (i, w) in enumerate(zip(place, axes, strict=True)):
            if w.before or w.after:
                chosen &= w.mask(i).reshape((-1,) + (1,) * (y.ndim - 1 - axis))
        free &= ~chosen
        yield place, chosen


def _padded(jax, x, filling, axes):
    pads = [(*w.spare_pads(), 0) for w in axes]
    return jax.lax.pad(jax.numpy.asarray(x), filling, pads)


def _picked(jax, padded, place, axes):
    """Entry `place` of each window of the padded array."""
    stops = [i + w.wide() for i, w in zip(place, axes, strict=True)]
    return jax.lax.slice(padded, place, stops, [w.stride for w in axes])


@bind_first
def max_pool_grad(jax, x, y, dy, ksize, strides, padding, data_format):
    """dy at the first largest entry of each window, in the order of the axes."""
    axes = pool_axes(x.shape, ksize, strides, padding)
    if all(w.k == w.stride and not w.before for w in axes):
        return _side_by_side(jax, x, y, dy, axes)
    dx, zero = jax.numpy.zeros(x.shape, dy.dtype), np.zeros((), dy.dtype)
    for place, chosen in _first_maxima(jax, x, y, axes):
        pads = [w.pads(i) for i, w in zip(place, axes, strict=True)]
        dx += jax.lax.pad(jax.numpy.where(chosen, dy, zero), zero, pads)
    return dx


def _side_by_side(jax, x, y, dy, axes):
    """dx where windows touch but do not overlap, each axis cut into them.

    The first largest entry of a window is found as a number, so that one loop writes
    dx: half the time of adding up an array for each place in the window.
    """
    jnp, lax = jax.numpy, jax.lax
    pads = [(0, w.count * w.k - w.size, 0) for w in axes]
    ks = tuple(w.k for w in axes)
    cut = lax.pad(jnp.asarray(x), lowest(x.dtype), pads)
    cut = cut.reshape([n for w in axes for n in (w.count, w.k)])
    first = jnp.full(y.shape, math.prod(ks), np.int32)
    for i, place in reversed(list(enumerate(filter_entries(axes)))):
        entry = cut[tuple(part for p in place for part in (slice(None), p))]
        first = jnp.where(entry == y, np.int32(i), first)
    inner = range(1, 2 * len(ks), 2)
    places = np.arange(math.prod(ks), dtype=np.int32)
    places = places.reshape([n for k in ks for n in (1, k)])
    chosen = lax.expand_dims(first, inner) == places
    zero = np.zeros((), dy.dtype)
    spread = jnp.where(chosen, lax.expand_dims(dy, inner), zero)
    whole = spread.reshape([w.count * w.k for w in axes])
    return lax.pad(whole, zero, [(0, -high, 0) for _, high, _ in pads])


def _at_maxima(jax, x, y, dx, axes):
    """The entry of dx at the first largest entry of each window."""
    zero = np.zeros((), dx.dtype)
    padded = _padded(jax, dx, zero, axes)
    dy = jax.numpy.zeros(y.shape, dx.dtype)
    for place, chosen in _first_maxima(jax, x, y, axes):
        dy += jax.numpy.where(chosen, _picked(jax, padded, place, axes), zero)
    return dy


@bind_first
def max_pool_grad_grad(jax, x, y, dx, ksize, strides, padding, data_format):
    """The entry of dx at the first largest entry of each window."""
    return _at_maxima(jax, x, y, dx, pool_axes(x.shape, ksize, strides, padding))


@bind_first
def max_pool_argmax(jax, x, ksize, strides, padding, Targmax):
    """The largest entry of each window, and its place in the flat x."""
    y = max_pool(jax)(x, ksize, strides, padding, "NHWC")
    places = jax.numpy.arange(x.size, dtype=Targmax.np).reshape(x.shape)
    axes = pool_axes(x.shape, ksize, strides, padding)
    return y, _at_maxima(jax, x, y, places, axes)
