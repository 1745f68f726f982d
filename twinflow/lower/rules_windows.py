"""Rules where XLA needs another form than the kernel: dilation, argmax, MaxPoolV2."""

import itertools

import jax.numpy as jnp
import numpy as np
from jax import lax

from twinflow.lower import rules_nn
from twinflow.ops.core.infer import ints
from twinflow.ops.nn.dilation import axes_of


def _lowest(dtype):
    if jnp.issubdtype(dtype, jnp.integer):
        return np.array(np.iinfo(dtype).min, dtype)
    return np.array(-np.inf, dtype)


def _places(axes, n):
    """(entry, where it is inside the input, its pads) for each entry of the filter."""
    for entry in itertools.product(*(range(a.k) for a in axes)):
        inside, pads = np.ones((1, 1, 1, 1), bool), [(0, 0, 0)]
        for i, (a, place) in enumerate(zip(axes, entry, strict=True)):
            start = place * a.dilation - a.before
            at = np.arange(a.count) * a.stride + start
            shape = (1, -1, 1, 1) if i == 0 else (1, 1, -1, 1)
            inside = inside & ((at >= 0) & (at < a.size)).reshape(shape)
            wide = (a.count - 1) * a.stride + 1
            pads.append((start, a.size - wide - start, a.stride - 1))
        yield entry, inside, [*pads, (0, 0, 0)]


def _picked(x, pads):
    """The entries of x that `pads` would put into x."""
    turned = [(-low, -high, 0) for low, high, _ in pads]
    moved = lax.pad(x, np.zeros((), x.dtype), turned)
    return moved[tuple(slice(None, None, step + 1) for *_, step in pads)]


def _sums(x, w, strides, rates, padding):
    """(sum, entry, pads) for each entry of the filter."""
    axes = axes_of(x, w, strides, rates, padding)
    for entry, inside, pads in _places(axes, x.shape[0]):
        yield jnp.where(inside, _picked(x, pads) + w[entry], _lowest(x.dtype)), (
            entry, inside, pads,
        )  # fmt: skip


def _dilated(x, w, **layout):
    x = jnp.asarray(x)
    height, width = (a.count for a in axes_of(x, w, **layout))
    y = jnp.full((x.shape[0], height, width, x.shape[3]), _lowest(x.dtype))
    for total, _ in _sums(x, w, **layout):
        y = jnp.maximum(y, total)
    return y


def _chosen(x, w, **layout):
    """(mask of windows, entry, pads) where the first largest sum is."""
    x = jnp.asarray(x)
    y, free = _dilated(x, w, **layout), True
    for total, (entry, inside, pads) in _sums(x, w, **layout):
        mask = (total == y) & free & inside
        free = free & ~mask
        yield mask, entry, pads


def _to_input(x, w, dy, **layout):
    dx, zero = jnp.zeros(x.shape, x.dtype), np.zeros((), dy.dtype)
    for mask, _, pads in _chosen(x, w, **layout):
        dx += lax.pad(jnp.where(mask, dy, zero), zero, pads)
    return dx


def _to_filter(x, w, dy, **layout):
    dw, zero = jnp.zeros(w.shape, w.dtype), np.zeros((), dy.dtype)
    for mask, entry, _ in _chosen(x, w, **layout):
        dw = dw.at[entry].set(jnp.where(mask, dy, zero).sum((0, 1, 2), dtype=dw.dtype))
    return dw


def _pick_input(x, w, values, **layout):
    y = np.zeros((), values.dtype)
    for mask, _, pads in _chosen(x, w, **layout):
        y = jnp.where(mask, _picked(values, pads), y)
    return y


def _pick_filter(x, w, values, **layout):
    y = np.zeros((), values.dtype)
    for mask, entry, _ in _chosen(x, w, **layout):
        y = jnp.where(mask, values[entry], y)
    return y


# ------------------------------------------------------------------ pooling
def _sized(rule):
    """A pooling rule whose ksize and strides are inputs, the last two."""

    def run(*inputs, padding, data_format):
        *arrays, ksize, strides = inputs
        return rule(*arrays, ints(ksize), ints(strides), padding, data_format)

    return run


def _max_pool_argmax(x, ksize, strides, padding, Targmax):
    y = rules_nn.rules["MaxPool"](x, ksize, strides, padding, "NHWC")
    places = jnp.arange(x.size, dtype=Targmax.np).reshape(x.shape)
    pick = rules_nn.rules["MaxPoolGradGrad"]
    return y, pick(x, y, places, ksize, strides, padding, "NHWC")


rules = {
    "Dilation2D": _dilated,
    "Dilation2DBackpropInput": _to_input,
    "Dilation2DBackpropFilter": _to_filter,
    "TwinDilation2DInput": _pick_input,
    "TwinDilation2DFilter": _pick_filter,
    "MaxPoolV2": _sized(rules_nn.rules["MaxPool"]),
    "MaxPoolGradV2": _sized(rules_nn.rules["MaxPoolGrad"]),
    "MaxPoolGradGradV2": _sized(rules_nn.rules["MaxPoolGradGrad"]),
    "MaxPoolWithArgmax": _max_pool_argmax,
}
