"""Convolutions in NumPy: windows copied into the rows of a matrix, then one product.

With x: float[n, h, w, c] and filters float[kh, kw, c, k] the rows are
``[n * out_h * out_w, kh * kw * c]``. Large inputs go in blocks of images, so that the
rows stay in the cache. Halves are computed in float32.
"""

import numpy as np

from twinflow.ops.infer import ints
from twinflow.ops.nn_window import spatial, window

_BLOCK = 1 << 20  # elements of the rows at a time; 8x32x32x64: 2.9 ms against 3.5


def conv2d(x, w, strides, padding, data_format, dilations):
    """y = x * w (a correlation, as TensorFlow has it)."""
    x, w, dtype = _last(x, data_format), w, x.dtype
    x, w = _wide(x), _wide(w)
    rows, cols = _axes(x.shape[1:3], w.shape, strides, padding, data_format, dilations)
    n, k = x.shape[0], w.shape[3]
    shape = (n, rows.count, cols.count, k)
    if 0 in shape or w.size == 0:
        return _given(np.zeros(shape, dtype), data_format, dtype)
    y = _product(_padded(x, rows, cols), w.reshape(-1, k), rows, cols)
    return _given(y.reshape(shape), data_format, dtype)


def conv2d_input(sizes, w, dy, strides, padding, data_format, dilations):
    """dx: where every entry of x went, with what weight."""
    dtype = dy.dtype
    sizes = _order(ints(sizes), data_format)
    w, dy = _wide(w), _wide(_last(dy, data_format))
    rows, cols = _axes(sizes[1:3], w.shape, strides, padding, data_format, dilations)
    if dy.size == 0 or w.size == 0:
        return _given(np.zeros(sizes, dtype), data_format, dtype)
    unit = rows.stride == 1 == cols.stride
    if unit and 4 * sizes[3] > w.shape[3] and rows.k * cols.k > 1:
        dx = _flipped(w, dy, rows, cols, sizes)
    else:
        dx = _scattered(w, dy, rows, cols, sizes)
    return _given(dx, data_format, dtype)


def conv2d_filter(x, sizes, dy, strides, padding, data_format, dilations):
    """dw: the rows of x, transposed, times dy."""
    dtype, sizes = dy.dtype, ints(sizes)
    x, dy = _wide(_last(x, data_format)), _wide(_last(dy, data_format))
    rows, cols = _axes(x.shape[1:3], sizes, strides, padding, data_format, dilations)
    if x.size == 0 or dy.size == 0:
        return np.zeros(sizes, dtype)
    x = _padded(x, rows, cols)
    dw = None
    for a, b in _blocks(x, rows, cols):
        part = _columns(x[a:b], rows, cols).T.dot(dy[a:b].reshape(-1, sizes[3]))
        dw = part if dw is None else np.add(dw, part, out=dw)
    return dw.reshape(sizes).astype(dtype, copy=False)


def _last(x, data_format):
    return x.transpose(0, 2, 3, 1) if data_format == "NCHW" else x


def _given(y, data_format, dtype):
    y = y.astype(dtype, copy=False)
    return y.transpose(0, 3, 1, 2) if data_format == "NCHW" else y


def _order(shape, data_format):
    return tuple(shape[i] for i in (0, 2, 3, 1)) if data_format == "NCHW" else shape


def _wide(x):
    return x.astype(np.float32) if x.dtype.itemsize < 4 else x


def _axes(size, filters, strides, padding, data_format, dilations):
    h, w = spatial(data_format)
    return (
        window(size[0], filters[0], strides[h], dilations[h], padding),
        window(size[1], filters[1], strides[w], dilations[w], padding),
    )


def _padded(x, rows, cols):
    """x with its padding, in one contiguous piece."""
    top, left = rows.before, cols.before
    if not (top or left or rows.after or cols.after):
        return np.ascontiguousarray(x)
    n, h, w, c = x.shape
    out = np.zeros((n, h + top + rows.after, w + left + cols.after, c), x.dtype)
    out[:, top : top + h, left : left + w] = x
    return out


def _columns(x, rows, cols):
    """The windows of the padded x as the rows of a matrix."""
    n, _, _, c = x.shape
    m, kk = n * rows.count * cols.count, rows.k * cols.k
    if kk == 1:
        steps = x[:, :: rows.stride, :: cols.stride]
        return steps[:, : rows.count, : cols.count].reshape(m, c)
    s0, s1, s2, s3 = x.strides
    places = (n, rows.count, cols.count)
    moves = (s0, s1 * rows.stride, s2 * cols.stride)
    entries = (s1 * rows.dilation, s2 * cols.dilation)
    if c == 1 and cols.count >= 16:  # long runs to copy: 28x28x1 takes 158 us, not 411
        shape = (rows.k, cols.k, *places)
        view = np.ndarray(shape, x.dtype, x, 0, entries + moves)
        return view.reshape(kk, m).T
    shape = (*places, rows.k, cols.k, c)
    view = np.ndarray(shape, x.dtype, x, 0, (*moves, *entries, s3))
    return view.reshape(m, kk * c)


def _blocks(x, rows, cols):
    """Ranges of images whose rows fit into a block."""
    n = x.shape[0]
    per_image = rows.count * cols.count * rows.k * cols.k * x.shape[3]
    step = max(1, _BLOCK // max(1, per_image))
    return [(a, min(n, a + step)) for a in range(0, n, step)]


def _product(x, w, rows, cols):
    blocks = _blocks(x, rows, cols)
    if len(blocks) == 1:
        return _columns(x, rows, cols).dot(w)
    per_image = rows.count * cols.count
    y = np.empty((x.shape[0] * per_image, w.shape[1]), x.dtype)
    for a, b in blocks:
        part = y[a * per_image : b * per_image]
        np.dot(_columns(x[a:b], rows, cols), w, part)
    return y


def _flipped(w, dy, rows, cols, sizes):
    """Stride 1: the convolution of dy with the filters turned round."""
    turned = w[::-1, ::-1].transpose(0, 1, 3, 2).reshape(-1, w.shape[2])
    rows, cols = _turned(rows), _turned(cols)
    return _product(_padded(dy, rows, cols), turned, rows, cols).reshape(sizes)


def _turned(axis):
    reach = (axis.k - 1) * axis.dilation
    before = reach - axis.before
    return axis._replace(
        size=axis.count, count=axis.size, stride=1, before=before,
        after=axis.size + reach - axis.count - before,
    )  # fmt: skip


def _scattered(w, dy, rows, cols, sizes):
    """Any stride: the product for each entry of the window, added where it belongs."""
    n, _, _, c = sizes
    flat = dy.reshape(-1, w.shape[3])
    h, wide = rows.before + rows.size + rows.after, cols.before + cols.size + cols.after
    dx = np.zeros((n, h, wide, c), dy.dtype)
    for i in range(rows.k):
        for j in range(cols.k):
            part = flat.dot(w[i, j].T).reshape(n, rows.count, cols.count, c)
            dx[:, _steps(rows, i), _steps(cols, j)] += part
    top, left = rows.before, cols.before
    return dx[:, top : top + rows.size, left : left + cols.size]


def _steps(axis, i):
    start = i * axis.dilation
    return slice(start, start + (axis.count - 1) * axis.stride + 1, axis.stride)
