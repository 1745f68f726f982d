"""Dilations of images in XLA: what their blocks give as `lower`."""

import numpy as np

from twinflow.base.op import bind_first
from twinflow.ops.nn.window import dilation_windows, filter_entries, lowest


def _places(axes):
    """(entry, where it is inside the input, its pads) for each entry of the filter."""
    for entry in filter_entries(axes):
        rows, cols = (a.mask(i) for a, i in zip(axes, entry, strict=True))
        pads = [a.pads(i) for a, i in zip(axes, entry, strict=True)]
        inside = np.logical_and.outer(rows, cols)[None, :, :, None]
        yield entry, inside, [(0, 0, 0), *pads, (0, 0, 0)]


def _picked(jax, x, pads):
    """The entries of x that `pads` would put into x."""
    turned = [(-low, -high, 0) for low, high, _ in pads]
    moved = jax.lax.pad(x, np.zeros((), x.dtype), turned)
    return moved[tuple(slice(None, None, step + 1) for *_, step in pads)]


def _sums(jax, x, w, axes):
    """(sum, entry, where it is, pads) for each entry of the filter."""
    for entry, inside, pads in _places(axes):
        total = _picked(jax, x, pads) + w[entry]
        yield jax.numpy.where(inside, total, lowest(x.dtype)), entry, inside, pads


def _dilated(jax, x, w, axes):
    height, width = (a.count for a in axes)
    shape = (x.shape[0], height, width, x.shape[3])
    y = jax.numpy.full(shape, lowest(x.dtype))
    for total, *_ in _sums(jax, x, w, axes):
        y = jax.numpy.maximum(y, total)
    return y


def _chosen(jax, x, w, layout):
    """(mask of windows, entry, pads) where the first largest sum is."""
    x, axes = jax.numpy.asarray(x), dilation_windows(x, w, **layout)
    y, free = _dilated(jax, x, w, axes), True
    for total, entry, inside, pads in _sums(jax, x, w, axes):
        mask = (total == y) & free & inside
        free = free & ~mask
        yield mask, entry, pads


@bind_first
def dilated(jax, x, w, **layout):
    """The largest sum of each window and the filter."""
    return _dilated(jax, jax.numpy.asarray(x), w, dilation_windows(x, w, **layout))


@bind_first
def to_input(jax, x, w, dy, **layout):
    """dy at the first largest entry of each window."""
    dx, zero = jax.numpy.zeros(x.shape, x.dtype), np.zeros((), dy.dtype)
    for mask, _, pads in _chosen(jax, x, w, layout):
        dx += jax.lax.pad(jax.numpy.where(mask, dy, zero), zero, pads)
    return dx


@bind_first
def to_filter(jax, x, w, dy, **layout):
    """The sum of dy where each entry of the filter gave the largest sum."""
    dw, zero = jax.numpy.zeros(w.shape, w.dtype), np.zeros((), dy.dtype)
    for mask, entry, _ in _chosen(jax, x, w, layout):
        part = jax.numpy.where(mask, dy, zero).sum((0, 1, 2), dtype=dw.dtype)
        dw = dw.at[entry].set(part)
    return dw


@bind_first
def pick_input(jax, x, w, values, **layout):
    """The entry of `values`, like x, at the first largest sum of each window."""
    y = np.zeros((), values.dtype)
    for mask, _, pads in _chosen(jax, x, w, layout):
        y = jax.numpy.where(mask, _picked(jax, values, pads), y)
    return y


@bind_first
def pick_filter(jax, x, w, values, **layout):
    """The entry of `values`, like w, at the first largest sum of each window."""
    y = np.zeros((), values.dtype)
    for mask, entry, _ in _chosen(jax, x, w, layout):
        y = jax.numpy.where(mask, values[entry], y)
    return y
