"""Pooling by fractions in NumPy: windows between the borders of two sequences."""

import numpy as np


# ------------------------------------------------------------------ sequences
def sequence(size, count, pseudo_random, words):
    """The borders of `count` windows along an axis of `size`."""
    if size % count == 0:
        return np.arange(count + 1, dtype=np.int64) * (size // count)
    if pseudo_random:
        return _pseudo_random(size, count, words[0])
    lengths = np.full(count, size // count, np.int64)
    lengths[: size % count] += 1
    order = np.argsort(words[:count], kind="stable")
    return np.concatenate([[0], np.cumsum(lengths[order])])


def _pseudo_random(size, count, u):
    """ceil(alpha * (i + u)): windows of size k and k + 1, as evenly as can be."""
    alpha, k = size / count, size // count
    u = u * min((k + 2) / alpha - 1, (size + 1 - k) / alpha - (count - 1))
    ends = np.ceil(alpha * (np.arange(1, count) + u)).astype(np.int64)
    return np.concatenate([[0], ends - 1, [size]])


def _ends(sequence, overlapping):
    """(first, one past the last) entry of each window."""
    starts, ends = sequence[:-1], sequence[1:]
    return starts, np.minimum(ends + 1, sequence[-1]) if overlapping else ends


# ------------------------------------------------------------------ NumPy
def _along(ufunc, x, sequence, axis, overlapping):
    """Combine the entries of the windows along one axis."""
    y = ufunc.reduceat(x, sequence[:-1], axis=axis, dtype=x.dtype)
    if overlapping:  # all windows but the last take one entry of the next
        one_more = np.take(x, sequence[1:-1], axis)
        front = y[(slice(None),) * axis + (slice(0, -1),)]
        ufunc(front, one_more, out=front)
    return y


def largest(x, rows, cols, overlapping):
    """The largest entry of each window."""
    x = _along(np.maximum, x, rows, 1, overlapping)
    return _along(np.maximum, x, cols, 2, overlapping)


def _counts(rows, cols, overlapping, dtype):
    heights, widths = (np.subtract(*_ends(s, overlapping)[::-1]) for s in (rows, cols))
    return np.multiply.outer(heights, widths)[:, :, None].astype(dtype)


def _divided(x, counts):
    if x.dtype.kind == "f":
        return x / counts
    return np.trunc(x / counts).astype(x.dtype)


def mean(x, rows, cols, overlapping):
    """The mean of each window."""
    total = _along(np.add, x, rows, 1, overlapping)
    total = _along(np.add, total, cols, 2, overlapping)
    return _divided(total, _counts(rows, cols, overlapping, x.dtype))


def _spread(dy, sequence, axis, overlapping):
    """Each entry of dy at all entries of its window along one axis."""
    starts, ends = sequence[:-1], sequence[1:]
    dx = np.repeat(dy, ends - starts, axis)
    if overlapping:
        place = (slice(None),) * axis
        dx[(*place, ends[:-1])] += dy[(*place, slice(0, -1))]
    return dx


def mean_grad(shape, dy, rows, cols, overlapping):
    """dy spread evenly over the entries of each window."""
    dx = _divided(dy, _counts(rows, cols, overlapping, dy.dtype))
    dx = _spread(dx, rows, 1, overlapping)
    return _spread(dx, cols, 2, overlapping)


def _regions(rows, cols, overlapping):
    columns = list(zip(*_ends(cols, overlapping)))
    for i, (top, bottom) in enumerate(zip(*_ends(rows, overlapping))):
        for j, (left, right) in enumerate(columns):
            yield i, j, (slice(None), slice(top, bottom), slice(left, right))


def _places(x, region):
    """Where the first largest entry of a region is, as an index of flat regions."""
    part = x[region]
    n, h, w, c = part.shape
    return part.reshape(n, h * w, c).argmax(1)[:, None]


def max_grad(x, y, dy, rows, cols, overlapping):
    """dy at the first largest entry of each window."""
    dx = np.zeros_like(x)
    for i, j, region in _regions(rows, cols, overlapping):
        n, h, w, c = dx[region].shape
        part = np.zeros((n, h * w, c), dx.dtype)
        np.put_along_axis(part, _places(x, region), dy[:, i, j][:, None], 1)
        dx[region] += part.reshape(n, h, w, c)
    return dx


def max_pick(x, y, values, rows, cols, overlapping):
    """The values at the first largest entry of each window of x."""
    out = np.zeros_like(y)
    for i, j, region in _regions(rows, cols, overlapping):
        n, h, w, c = x[region].shape
        part = values[region].reshape(n, h * w, c)
        out[:, i, j] = np.take_along_axis(part, _places(x, region), 1)[:, 0]
    return out
