"""Pooling in NumPy. A maximum or sum over a window is taken one axis after the other.

Padding is never written: each entry of a window meets just the part of the axis that is
there (`Window.inside`).
"""

import numpy as np

from twinflow.base import errors
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import direct_windows
from twinflow.ops.nn.window import filter_entries, lowest, pool_axes, wide


def max_pool(x, ksize, strides, padding, data_format):
    """The largest entry of each window."""
    y = direct_windows.max_pool(x, ksize, strides, padding, data_format)
    if y is not None:
        return y
    _check_depth(x.shape, ksize, strides, data_format)
    for axis, w in _windows(x.shape, ksize, strides, padding):
        x = _along(np.maximum, x, axis, w)
    return x


def avg_pool(x, ksize, strides, padding, data_format):
    """The mean of each window's entries; padding does not count."""
    y = direct_windows.avg_pool(x, ksize, strides, padding, data_format)
    if y is not None:
        return y
    dtype = x.dtype
    _check_depth(x.shape, ksize, strides, data_format)
    axes = _windows(x.shape, ksize, strides, padding)
    x = wide(x)
    for axis, w in axes:
        x = _along(np.add, x, axis, w)
    return _divided(x, axes).astype(dtype, copy=False)


def avg_pool_grad(shape, dy, ksize, strides, padding, data_format):
    """dy spread evenly over the entries of each window."""
    shape, dtype = ints(shape), dy.dtype
    layout = (ksize, strides, padding, data_format)
    dx = direct_windows.avg_pool_grad(shape, dy, *layout)
    if dx is not None:
        return dx
    axes = _windows(shape, ksize, strides, padding)
    dx = _divided(wide(dy), axes)
    for axis, w in reversed(axes):
        dx = _spread(dx, axis, w)
    return dx.astype(dtype, copy=False)


def max_pool_grad(x, y, dy, ksize, strides, padding, data_format):
    """dy at the first largest entry of each window, in the order of the axes."""
    layout = (ksize, strides, padding, data_format)
    dx = direct_windows.max_pool_grad(x, y, dy, *layout)
    if dx is not None:
        return dx
    dx = np.zeros(x.shape, dy.dtype)
    bits = dx.view(f"i{dx.itemsize}")
    apart = all(k <= s for k, s in zip(ksize, strides, strict=True))
    for mask, windows, entries in _first_maxima(x, y, ksize, strides, padding):
        source, mask = dy[windows], mask.astype(bits.dtype, copy=False)
        if apart:
            np.bitwise_and(mask, source.view(mask.dtype), out=bits[entries])
        else:
            dx[entries] += np.bitwise_and(mask, source.view(mask.dtype)).view(dy.dtype)
    return dx


def max_pool_grad_grad(x, y, dx, ksize, strides, padding, data_format):
    """The entry of dx at the first largest entry of each window."""
    dy = np.zeros(y.shape, dx.dtype)
    bits = dy.view(f"i{dy.itemsize}")
    for mask, windows, entries in _first_maxima(x, y, ksize, strides, padding):
        bits[windows] |= np.bitwise_and(mask, dx[entries].view(mask.dtype))
    return dy


def max_pool_argmax(x, ksize, strides, padding, Targmax):
    """The largest entry of each window, and its place in the flat x."""
    y = max_pool(x, ksize, strides, padding, "NHWC")
    found = np.zeros(y.shape, Targmax.np)
    places = np.arange(x.size, dtype=Targmax.np).reshape(x.shape)
    for mask, windows, entries in _first_maxima(x, y, ksize, strides, padding):
        np.copyto(found[windows], places[entries], where=mask.astype(bool))
    return y, found


def _check_depth(shape, ksize, strides, data_format):
    """Raises UnimplementedError where the channels of images are pooled unevenly."""
    axis = 1 if data_format == "NCHW" else 3
    if len(shape) != 4 or ksize[axis] == 1:
        return
    width, text = ksize[axis], ""
    if any(k > 1 for i, k in enumerate(ksize) if i not in (0, axis)):
        text = (
            "MaxPooling supports exactly one of pooling across depth or pooling across "
            "width/height."
        )
    elif shape[axis] % width:
        text = "Depthwise max pooling requires the depth window to evenly divide the "
        text += "input depth"
    elif strides[axis] != width:
        text = "Depthwise max pooling requires the depth window to equal the depth "
        text += "stride"
    if text:
        raise errors.UnimplementedError(None, None, text)


def _windows(shape, ksize, strides, padding):
    """(axis, Window) for each axis that is pooled.

    Raises:
        UnimplementedError: the batch is one of them.
    """
    if ksize[0] != 1 or strides[0] != 1:
        text = "Pooling is not yet supported on the batch dimension."
        raise errors.UnimplementedError(None, None, text)
    axes = enumerate(pool_axes(shape, ksize, strides, padding))
    return [(axis, w) for axis, w in axes if w.k > 1 or w.stride > 1]


def _at(axis, part):
    return (slice(None),) * axis + (part,)


def _along(ufunc, x, axis, w):
    """Combine the entries of the windows along one axis."""
    shape = x.shape[:axis] + (w.count,) + x.shape[axis + 1 :]
    out = np.empty(shape, x.dtype)
    if not (w.before or w.after):
        first = x[_at(axis, w.inside(0)[1])]
        if w.k == 1:
            out[...] = first
            return out
        ufunc(first, x[_at(axis, w.inside(1)[1])], out=out)
        rest = range(2, w.k)
    else:  # entry `before` is there for all windows, save for those at the far end
        rest = _begin(ufunc, x, axis, w, out)
    for i in rest:
        windows, entries = w.inside(i)
        part = out[_at(axis, windows)]
        ufunc(part, x[_at(axis, entries)], out=part)
    return out


def _begin(ufunc, x, axis, w, out):
    out[...] = 0 if ufunc is np.add else lowest(x.dtype)
    return range(w.k)


def _divided(x, axes):
    """x divided by the number of entries of each window."""
    whole = 1
    for axis, w in axes:
        if w.before or w.after:
            shape = (-1,) + (1,) * (x.ndim - axis - 1)
            x = x / w.there().astype(x.dtype).reshape(shape)
        else:
            whole *= w.k
    return x * x.dtype.type(1 / whole) if whole > 1 else x


def _spread(dy, axis, w):
    """Add each entry of dy to all entries of its window along one axis."""
    shape = dy.shape[:axis] + (w.size,) + dy.shape[axis + 1 :]
    dx = np.zeros(shape, dy.dtype)
    for i in range(w.k):
        windows, entries = w.inside(i)
        if w.k <= w.stride:
            dx[_at(axis, entries)] = dy[_at(axis, windows)]
        else:
            dx[_at(axis, entries)] += dy[_at(axis, windows)]
    return dx


def _first_maxima(x, y, ksize, strides, padding):
    """For each place in the window: (mask, windows, entries of x).

    The mask has all bits set where the place is chosen. Masks are as wide as the values
    and combined by bits: no branches, slow where random (1.5 ms, not 0.14).
    """
    axes = dict(_windows(x.shape, ksize, strides, padding))
    free, wide = np.ones(y.shape, bool), np.dtype(f"i{x.itemsize}")
    for places in filter_entries(axes.values()):
        parts = [(slice(None), slice(None))] * x.ndim
        for (axis, w), i in zip(axes.items(), places, strict=True):
            parts[axis] = w.inside(i)
        outer, inner = (tuple(p) for p in zip(*parts, strict=True))
        chosen = x[inner] == y[outer]
        left = free[outer]
        chosen &= left
        left ^= chosen
        yield np.negative(chosen.view(np.int8), dtype=wide), outer, inner
