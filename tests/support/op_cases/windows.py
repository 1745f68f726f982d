"""References for what slides windows: plain loops over windows and their entries."""

import itertools

import numpy as np

SUMS = {"tol": {"float32": 4e-6}, "reason": "sums of many rounded products"}


def axis(size, k, stride, dilation, padding):
    """(number of windows, entries of padding before) along one axis."""
    reach = (k - 1) * dilation + 1
    if padding == "VALID":
        return (size - reach) // stride + 1, 0
    n = -(-size // stride)
    return n, max(0, (n - 1) * stride + reach - size) // 2


def hits(sizes, ks, strides, dilations, padding):
    """(window, entry of the window, place in the input) for all that are inside."""
    axes = [axis(*a, padding) for a in zip(sizes, ks, strides, dilations)]
    for window in itertools.product(*(range(n) for n, _ in axes)):
        for entry in itertools.product(*map(range, ks)):
            steps = zip(window, strides, entry, dilations, axes)
            place = tuple(w * s + e * d - pad for w, s, e, d, (_, pad) in steps)
            if all(0 <= p < n for p, n in zip(place, sizes)):
                yield window, entry, place


def spatial(data_format):
    """The axes of (depth,) height and width."""
    n = len(data_format) - 2
    return range(2, n + 2) if data_format[1] == "C" else range(1, n + 1)


def layout(attrs):
    """(strides, dilations) of the spatial axes, the padding, and axes to NHWC."""
    at = spatial(attrs["data_format"])
    strides = [attrs["strides"][a] for a in at]
    dilations = [attrs["dilations"][a] for a in at]
    last = 1 if attrs["data_format"][1] == "C" else len(at) + 1
    return strides, dilations, attrs["padding"], (0, *at, last)


def conv_shape(x_shape, w_shape, attrs):
    """The shape of a convolution, channels last."""
    strides, dilations, padding, axes = layout(attrs)
    n, *sizes, _ = (x_shape[a] for a in axes)
    sizes = zip(sizes, w_shape, strides, dilations)
    return [n, *(axis(*a, padding)[0] for a in sizes), w_shape[-1]]


def conv_hits(x, w_shape, attrs):
    """The `hits` of x, channels last."""
    strides, dilations, padding, _ = layout(attrs)
    n = len(strides)
    return hits(x.shape[1:-1], w_shape[:n], strides, dilations, padding)


def at(place):
    """All images at one place."""
    return (slice(None), *place)


def conv(x, w, **attrs):
    """y = x * w."""
    axes = layout(attrs)[3]
    y = np.zeros(conv_shape(x.shape, w.shape, attrs))
    x = x.transpose(axes)
    for window, entry, place in conv_hits(x, w.shape, attrs):
        y[at(window)] += x[at(place)] @ w[entry]
    return y.transpose(np.argsort(axes))


def conv_input(sizes, w, dy, **attrs):
    """The gradient of `conv` for x."""
    axes = layout(attrs)[3]
    dx, dy = np.zeros(sizes).transpose(axes), dy.transpose(axes)
    for window, entry, place in conv_hits(dx, w.shape, attrs):
        dx[at(place)] += dy[at(window)] @ w[entry].T
    return dx.transpose(np.argsort(axes))


def conv_filter(x, sizes, dy, **attrs):
    """The gradient of `conv` for w."""
    axes, dw = layout(attrs)[3], np.zeros(sizes)
    x, dy = x.transpose(axes), dy.transpose(axes)
    for window, entry, place in conv_hits(x, sizes, attrs):
        dw[entry] += x[at(place)].T @ dy[at(window)]
    return dw


def _pool_hits(x, attrs):
    ones = (1,) * x.ndim
    return hits(x.shape, attrs["ksize"], attrs["strides"], ones, attrs["padding"])


def _pool_shape(shape, attrs):
    axes = zip(shape, attrs["ksize"], attrs["strides"], (1,) * len(shape))
    return tuple(axis(*a, attrs["padding"])[0] for a in axes)


def max_pool(x, **attrs):
    """The largest entry of each window."""
    y = np.full(_pool_shape(x.shape, attrs), -np.inf)
    for window, _, place in _pool_hits(x, attrs):
        y[window] = max(y[window], x[place])
    return y if x.dtype.kind == "f" else y.astype(x.dtype)


def first_maxima(x, y, attrs):
    """(window, place of its first largest entry)."""
    done = set()
    for window, _, place in _pool_hits(x, attrs):
        if x[place] == y[window] and window not in done:
            done.add(window)
            yield window, place


def max_pool_grad(x, y, dy, **attrs):
    """The gradient of `max_pool`."""
    dx = np.zeros(x.shape)
    for window, place in first_maxima(x, y, attrs):
        dx[place] += dy[window]
    return dx


def max_pool_grad_grad(x, y, dx, **attrs):
    """The gradient of `max_pool_grad` for dy."""
    dy = np.zeros(y.shape)
    for window, place in first_maxima(x, y, attrs):
        dy[window] = dx[place]
    return dy


def avg_pool(x, **attrs):
    """The mean of each window."""
    total = np.zeros(_pool_shape(x.shape, attrs))
    count = np.zeros(total.shape)
    for window, _, place in _pool_hits(x, attrs):
        total[window] += x[place]
        count[window] += 1
    return total / count


def avg_pool_grad(shape, dy, **attrs):
    """The gradient of `avg_pool`."""
    dx, count = np.zeros(shape), np.zeros(dy.shape)
    for window, _, _ in _pool_hits(dx, attrs):
        count[window] += 1
    for window, _, place in _pool_hits(dx, attrs):
        dx[place] += dy[window] / count[window]
    return dx
