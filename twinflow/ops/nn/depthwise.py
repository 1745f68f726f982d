"""Depthwise convolutions in NumPy: one pass over the image per entry of the filter.

With x: float[n, h, w, c] and filters float[kh, kw, c, m], y[..., c * m + j] is the
correlation of channel c with its j-th filter. Rows of channels are short, so where
windows move in steps of one a whole line of the image is one row.
"""

import numpy as np

from twinflow.ops.core.infer import ints
from twinflow.ops.nn import direct_windows, im2col
from twinflow.ops.nn.window import filter_entries, spatial_windows, wide


def _entries(axes):
    """(entry of the filter, lines, columns) in turn."""
    for entry in filter_entries(axes):
        yield entry, *(a.steps(i) for a, i in zip(axes, entry, strict=True))


def _flat(x, lines, cols, columns):
    """The part of x at `lines` and `columns`, each line as one row if it is one."""
    if cols.stride > 1:
        return x[:, lines, columns]
    n, h, w, c = x.shape
    return x.reshape(n, h, w * c)[:, lines, columns.start * c : columns.stop * c]


def _row(weights, cols):
    """The weights of all channels, for each entry of a line."""
    return weights if cols.stride > 1 else np.tile(weights, cols.count)


def conv(x, w, strides, padding, data_format, dilations):
    """y: each channel of x with its own filters."""
    dtype, layout = x.dtype, (strides, padding, data_format, dilations)
    y = direct_windows.conv(x, w, *layout)
    if y is not None:
        return y
    axes = rows, cols = spatial_windows(x.shape, w.shape, *layout)
    x, w = wide(im2col.channels_last(x, data_format)), wide(w)
    n, c, m = x.shape[0], x.shape[3], w.shape[3]
    shape = (n, rows.count, cols.count, c * m)
    if 0 in shape or w.size == 0:
        return im2col.given(np.zeros(shape, dtype), data_format, dtype)
    x = im2col.padded(x, axes)
    if m > 1:
        x, w = np.repeat(x, m, 3), w.reshape(rows.k, cols.k, 1, c * m)
    y = part = None
    for entry, lines, columns in _entries(axes):
        weights = _row(w[entry].ravel(), cols)
        part = np.multiply(_flat(x, lines, cols, columns), weights, out=part)
        if y is None:
            y, part = part, None
        else:
            y += part
    return im2col.given(y.reshape(shape), data_format, dtype)


def conv_input(sizes, w, dy, strides, padding, data_format, dilations):
    """dx: each entry of dy times the filter, added where it came from."""
    dtype, layout = dy.dtype, (strides, padding, data_format, dilations)
    dx = direct_windows.conv_input(ints(sizes), w, dy, *layout)
    if dx is not None:
        return dx
    axes = rows, cols = spatial_windows(ints(sizes), w.shape, *layout)
    w, dy = wide(w), wide(im2col.channels_last(dy, data_format))
    n, _, _, c = im2col.order(ints(sizes), data_format)
    m = w.shape[3]
    full = [a.before + a.size + a.after for a in axes]
    dx = np.zeros((n, *full, c * m), dy.dtype)
    if dy.size and w.size:
        dy = np.ascontiguousarray(dy)
        if cols.stride == 1:
            dy = dy.reshape(n, rows.count, -1)
        part = np.empty_like(dy)
        for entry, lines, columns in _entries(axes):
            np.multiply(dy, _row(w[entry].ravel(), cols), out=part)
            place = _flat(dx, lines, cols, columns)
            place += part
    dx = dx[:, rows.before :, cols.before :][:, : rows.size, : cols.size]
    if m != 1:
        dx = dx.reshape(*dx.shape[:3], c, m).sum(4)
    return im2col.given(dx, data_format, dtype)


def conv_filter(x, sizes, dy, strides, padding, data_format, dilations):
    """dw: for each entry of the filter the sum of x, moved, times dy."""
    dtype, sizes = dy.dtype, ints(sizes)
    layout = (strides, padding, data_format, dilations)
    dw = direct_windows.conv_filter(x, sizes, dy, *layout)
    if dw is not None:
        return dw
    axes = _, cols = spatial_windows(x.shape, sizes, *layout)
    x = wide(im2col.channels_last(x, data_format))
    dy = wide(im2col.channels_last(dy, data_format))
    dw = np.zeros(sizes, x.dtype)
    if x.size == 0 or dy.size == 0:
        return dw.astype(dtype, copy=False)
    x, m = im2col.padded(x, axes), sizes[3]
    x = np.repeat(x, m, 3) if m > 1 else x
    if cols.stride == 1:
        dy = dy.reshape(*dy.shape[:2], -1)
    part = None
    for entry, lines, columns in _entries(axes):
        part = np.multiply(_flat(x, lines, cols, columns), dy, out=part)
        line = part.reshape(-1, part.shape[-1]).sum(0)
        dw[entry] = line.reshape(-1, *sizes[2:]).sum(0)
    return dw.astype(dtype, copy=False)
