"""Pooling and depthwise convolutions of images, by the C module.

native/windows.c takes float32 images with their channels last, 16 or more of them. Each
function here returns the result, or None: it is for NumPy.
"""

import numpy as np

from twinflow.base import native
from twinflow.ops.nn.window import pool_axes, spatial_windows

_fast = native.fast if hasattr(native.fast, "windows") else None
_MAX, _MEAN, _MEAN_GRAD, _MAX_GRAD, _WEIGH, _WEIGH_BACK, _FILTER = range(7)  # kinds
_MOST = 1 << 31  # lines of images


def max_pool(x, ksize, strides, padding, data_format):
    """The largest entry of each window."""
    return _pool(_MAX, x, ksize, strides, padding, data_format)


def avg_pool(x, ksize, strides, padding, data_format):
    """The mean of each window."""
    return _pool(_MEAN, x, ksize, strides, padding, data_format)


def _pool(kind, x, ksize, strides, padding, data_format):
    axes = _pool_axes(x.shape, x, ksize, strides, padding, data_format)
    if axes is None:
        return None
    y = np.empty(_pooled(x.shape, axes), np.float32)
    return _call(kind, x.shape, axes, x, y)


def avg_pool_grad(shape, dy, ksize, strides, padding, data_format):
    """dy spread evenly over the entries of each window."""
    axes = _pool_axes(shape, dy, ksize, strides, padding, data_format)
    if axes is None or dy.shape != _pooled(shape, axes):
        return None
    return _call(_MEAN_GRAD, shape, axes, dy, np.empty(shape, np.float32))


def max_pool_grad(x, y, dy, ksize, strides, padding, data_format):
    """dy at the first largest entry of each window."""
    axes = _pool_axes(x.shape, x, ksize, strides, padding, data_format)
    if axes is None or not dy.shape == y.shape == _pooled(x.shape, axes):
        return None
    return _call(_MAX_GRAD, x.shape, axes, x, y, dy, np.empty(x.shape, np.float32))


def _pool_axes(shape, given, ksize, strides, padding, data_format):
    """The Windows of height and width, or None."""
    if _fast is None or given.dtype != np.float32:
        return None
    if len(shape) != 4 or data_format != "NHWC" or shape[3] < 16:
        return None
    if ksize[0] != 1 or ksize[3] != 1 or strides[0] != 1 or strides[3] != 1:
        return None
    return _sensible(shape, pool_axes(shape, ksize, strides, padding)[1:3])


def _sensible(shape, axes):
    if 0 in shape or any(a.count < 1 for a in axes):
        return None
    return axes if shape[0] * max(axes[0].size, axes[0].count) < _MOST else None


def _pooled(shape, axes):
    return shape[0], axes[0].count, axes[1].count, shape[3]


def conv(x, w, strides, padding, data_format, dilations):
    """y: each channel of x with its own filters."""
    axes = _conv_axes(x.shape, w.shape, x, strides, padding, data_format, dilations)
    if axes is None:
        return None
    x, shape = _repeated(x, w.shape[3]), (*x.shape[:3], x.shape[3] * w.shape[3])
    y = np.empty(_pooled(shape, axes), np.float32)
    return _call(_WEIGH, shape, axes, x, w, y)


def conv_input(sizes, w, dy, strides, padding, data_format, dilations):
    """dx, from dy and the filters."""
    axes = _conv_axes(sizes, w.shape, dy, strides, padding, data_format, dilations)
    shape = (*sizes[:3], dy.shape[-1])
    if axes is None or dy.shape != _pooled(shape, axes):
        return None
    dx = _call(_WEIGH_BACK, shape, axes, dy, w, np.empty(shape, np.float32))
    return dx.reshape(*sizes, w.shape[3]).sum(4) if w.shape[3] > 1 else dx


def conv_filter(x, sizes, dy, strides, padding, data_format, dilations):
    """The gradient of the filters, from x and dy."""
    axes = _conv_axes(x.shape, sizes, x, strides, padding, data_format, dilations)
    shape = (*x.shape[:3], dy.shape[-1])
    if axes is None or dy.shape != _pooled(shape, axes):
        return None
    dw = np.empty(sizes, np.float32)
    return _call(_FILTER, shape, axes, _repeated(x, sizes[3]), dy, dw)


def _conv_axes(shape, filter, given, strides, padding, data_format, dilations):
    """The Windows of height and width, or None."""
    if _fast is None or given.dtype != np.float32:
        return None
    if data_format != "NHWC" or 0 in filter or shape[3] * filter[3] < 16:
        return None
    layout = (strides, padding, data_format, dilations)
    return _sensible(shape, spatial_windows(shape, filter, *layout))


def _repeated(x, times):
    """Each channel `times` times."""
    return np.repeat(x, times, 3) if times > 1 else x


def _call(kind, shape, axes, *arrays):
    """Fill the last array and return it."""
    h, w = axes
    sizes = (
        *shape, h.count, w.count, h.k, w.k, h.stride, w.stride, h.dilation, w.dilation,
        h.before, w.before,
    )  # fmt: skip
    given = map(np.ascontiguousarray, arrays[:-1])
    _fast.windows(kind, sizes, *given, arrays[-1])
    return arrays[-1]
