"""Convolutions in NumPy: windows copied into the rows of a matrix, then one product.

Most of float32 go to ops/nn/direct, the C module's; these are the others.

With x: float[n, h, w, c] and filters float[kh, kw, c, k] the rows are
``[n * out_h * out_w, kh * kw * c]``; images with a depth likewise. Large inputs go in
blocks of images, or of lines of one image, so that the rows stay in the cache. Halves
are computed in float32.
"""

import math

import numpy as np

from twinflow.base.products import PRODUCTS
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import direct
from twinflow.ops.nn.window import filter_entries, spatial_windows, wide

# Elements of the rows at a time: 32x14x14x32 with 5x5 filters takes 3.3 ms, with all
# rows at once 5.8, with twice as many 6.3 (the system gives and takes back the pages).
_BLOCK = 1 << 19


def conv(x, w, strides, padding, data_format, dilations):
    """y = x * w (a correlation, as TensorFlow has it)."""
    dtype = x.dtype
    axes = spatial_windows(x.shape, w.shape, strides, padding, data_format, dilations)
    x, w = wide(channels_last(x, data_format)), wide(w)
    shape = (x.shape[0], *[a.count for a in axes], w.shape[-1])
    if 0 in shape or w.size == 0:
        return given(np.zeros(shape, dtype), data_format, dtype)
    if sizes := direct.forward(x, w, axes):
        return given(direct.convolve(x, w, shape, sizes), data_format, dtype)
    y = _product(padded(x, axes), w.reshape(-1, w.shape[-1]), axes)
    return given(y.reshape(shape), data_format, dtype)


def conv_input(sizes, w, dy, strides, padding, data_format, dilations):
    """dx: where every entry of x went, with what weight."""
    dtype, sizes = dy.dtype, ints(sizes)
    axes = spatial_windows(sizes, w.shape, strides, padding, data_format, dilations)
    sizes = order(sizes, data_format)
    w, dy = wide(w), wide(channels_last(dy, data_format))
    if dy.size == 0 or w.size == 0:
        return given(np.zeros(sizes, dtype), data_format, dtype)
    if found := direct.backward(w, dy, axes):
        dx = direct.convolve(dy, w, sizes, found)
        return given(dx, data_format, dtype)
    unit = all(a.stride == 1 for a in axes)
    if unit and 4 * sizes[-1] > w.shape[-1] and max(a.k for a in axes) > 1:
        dx = _flipped(w, dy, axes, sizes)
    else:
        dx = _scattered(w, dy, axes, sizes)
    return given(dx, data_format, dtype)


def conv_filter(x, sizes, dy, strides, padding, data_format, dilations):
    """dw: the rows of x, transposed, times dy."""
    dtype, sizes = dy.dtype, ints(sizes)
    axes = spatial_windows(x.shape, sizes, strides, padding, data_format, dilations)
    x, dy = wide(channels_last(x, data_format)), wide(channels_last(dy, data_format))
    if x.size == 0 or dy.size == 0:
        return np.zeros(sizes, dtype)
    if found := direct.of_filter(x, dy, axes):
        dw = direct.convolve(x, dy, sizes, found)
        return dw.astype(dtype, copy=False)
    dy, dw = dy.reshape(-1, sizes[-1]), None
    for a, b, columns in _blocks(padded(x, axes), axes):
        part = PRODUCTS[True, False](columns, dy[a:b])
        dw = part if dw is None else np.add(dw, part, out=dw)
    return dw.reshape(sizes).astype(dtype, copy=False)


def channels_last(x, data_format):
    """x with its channels last."""
    return np.moveaxis(x, 1, -1) if data_format[1] == "C" else x


def given(y, data_format, dtype):
    """y with its channels where `data_format` has them."""
    y = y.astype(dtype, copy=False)
    return np.moveaxis(y, -1, 1) if data_format[1] == "C" else y


def order(shape, data_format):
    """A shape with its channels last."""
    if data_format[1] == "C":
        return (shape[0], *shape[2:], shape[1])
    return shape


def padded(x, axes):
    """x with its padding, in one contiguous piece."""
    if not any(a.before or a.after for a in axes):
        return np.ascontiguousarray(x)
    n, *sizes, c = x.shape
    full = [a.before + size + a.after for a, size in zip(axes, sizes)]
    out = np.zeros((n, *full, c), x.dtype)
    inside = [slice(a.before, a.before + size) for a, size in zip(axes, sizes)]
    out[(slice(None), *inside)] = x
    return out


def _columns(x, axes):
    """The windows of the padded x as the rows of a matrix."""
    n, c = x.shape[0], x.shape[-1]
    counts, ks = [a.count for a in axes], [a.k for a in axes]
    m, kk = n * math.prod(counts), math.prod(ks)
    if kk == 1:
        return x[(slice(None), *[a.steps(0) for a in axes])].reshape(m, c)
    first, *between, last = x.strides
    moves = [s * a.stride for s, a in zip(between, axes)]
    entries = [s * a.dilation for s, a in zip(between, axes)]
    if c == 1 and counts[-1] >= 16:  # long runs: 28x28x1 takes 158 us, not 411
        shape = (*ks, n, *counts)
        view = np.ndarray(shape, x.dtype, x, 0, (*entries, first, *moves))
        return view.reshape(kk, m).T
    shape = (n, *counts, *ks, c)
    view = np.ndarray(shape, x.dtype, x, 0, (first, *moves, *entries, last))
    return view.reshape(m, kk * c)


def _blocks(x, axes):
    """(first row, last row, those rows of the matrix) of the padded x, in turn."""
    per_line = math.prod(a.count for a in axes[1:])
    per_image = axes[0].count * per_line
    size = per_image * math.prod(a.k for a in axes) * x.shape[-1]
    if size <= 2 * _BLOCK or x.ndim < 4:
        step = max(1, _BLOCK // max(1, size))
        for a in range(0, x.shape[0], step):
            part = x[a : a + step]
            yield a * per_image, (a + len(part)) * per_image, _columns(part, axes)
        return
    lines = max(1, _BLOCK * axes[0].count // size)
    for i in range(x.shape[0]):
        for a in range(0, axes[0].count, lines):
            b = min(a + lines, axes[0].count)
            axis = axes[0]._replace(count=b - a)
            part = x[i : i + 1, a * axis.stride : (b - 1) * axis.stride + axis.reach()]
            start = i * per_image
            rows = _columns(np.ascontiguousarray(part), [axis, *axes[1:]])
            yield start + a * per_line, start + b * per_line, rows


def _product(x, w, axes):
    y = None
    for a, b, columns in _blocks(x, axes):
        if y is None:
            m = x.shape[0] * math.prod(axis.count for axis in axes)
            if b == m:
                return PRODUCTS[False, False](columns, w)
            y = np.empty((m, w.shape[1]), x.dtype)
        PRODUCTS[False, False](columns, w, y[a:b])
    return y


def _flipped(w, dy, axes, sizes):
    """Stride 1: the convolution of dy with the filters turned round."""
    turned = np.flip(w, tuple(range(len(axes))))
    turned = turned.swapaxes(-1, -2).reshape(-1, w.shape[-2])
    axes = [a.turned() for a in axes]
    return _product(padded(dy, axes), turned, axes).reshape(sizes)


def _scattered(w, dy, axes, sizes):
    """Any stride: the product for each entry of the window, added where it belongs."""
    flat = dy.reshape(-1, w.shape[-1])
    full = [a.before + a.size + a.after for a in axes]
    dx = np.zeros((sizes[0], *full, sizes[-1]), dy.dtype)
    shape = (sizes[0], *[a.count for a in axes], sizes[-1])
    for entry in filter_entries(axes):
        place = [a.steps(i) for a, i in zip(axes, entry)]
        dx[(slice(None), *place)] += PRODUCTS[False, True](flat, w[entry]).reshape(
            shape
        )
    inside = [slice(a.before, a.before + a.size) for a in axes]
    return dx[(slice(None), *inside)]
