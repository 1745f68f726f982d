"""Convolutions of images straight from the image, by the C module (native/conv.h).

Both engines use it: the interpreter calls `convolve`, XLA programs the same code
(ops/nn/direct_xla). It takes float32 images with their channels last;
everything else, and what another way does as fast, is left to that way.
TWINFLOW_CONVOLUTIONS=0 switches it off.
"""

import os

import numpy as np

from twinflow.base import native
from twinflow.base.movement import laid_out

fast = native.fast if hasattr(native.fast, "convolve") else None
if os.environ.get("TWINFLOW_CONVOLUTIONS") == "0":
    fast = None

_FORWARD, _FILTERS, _BACKWARD = range(3)  # the kinds

# The gradient of wide filters is a product of large matrices: 8 images of 7x7x512 with
# 3x3x512 filters take 5.2 ms here, 4.1 by XLA. So are images of few pixels.
_MOST_FILTERS = 1 << 15  # inputs times outputs
_LEAST_PIXELS = 16
_LEAST_ROWS = 2048  # pixels of all images, for 1x1 filters


def forward(x, w, axes):
    """The sizes for `convolve`: y = x * w.

    Args:
        x: [n, h, w, c]. w: [kh, kw, c, k]; arrays, or what has their shape and dtype.
        axes: the two Windows.
    Returns:
        The kind and 15 ints, or None: it is for another way.
    """
    if not _ours(x, w, axes, *w.shape[-2:]):
        return None
    return _sizes(_FORWARD, x.shape[0], axes, *w.shape[-2:])


def backward(w, dy, axes):
    """The sizes for `convolve`: dx, from dy and the filters.

    Args:
        w: [kh, kw, c, k]. dy: [n, rows, columns, k]. axes: the two Windows of y.
    """
    if not _ours(dy, w, axes, *w.shape[-2:]):
        return None
    if max(a.stride for a in axes) > 1 and max(a.dilation for a in axes) > 1:
        return None
    return _sizes(_BACKWARD, dy.shape[0], axes, *w.shape[-2:])


def of_filter(x, dy, axes):
    """The sizes for `convolve`: the gradient of the filters.

    Args:
        x: [n, h, w, c]. dy: [n, rows, columns, k]. axes: the two Windows.
    """
    c, k = x.shape[3], dy.shape[3]
    if not _ours(x, dy, axes, c, k) or c * k > _MOST_FILTERS:
        return None
    if axes[0].count * axes[1].count < _LEAST_PIXELS:
        return None
    return _sizes(_FILTERS, x.shape[0], axes, c, k)


def _ours(a, b, axes, c, k):
    if fast is None or len(axes) != 2 or a.dtype != np.float32:
        return False
    if b.dtype != np.float32 or 0 in a.shape or 0 in b.shape:
        return False
    if any(min(w.count, w.size, w.k) < 1 or w.before < 0 for w in axes):
        return False
    if any(w.k > 1 or w.stride > 1 for w in axes):
        return True
    # Else it is a product. OpenBLAS is slow at those of many pixels and small filters:
    # 32 images of 32x32x64 with 64 outputs take 1.8 ms there (2.7 the gradient of the
    # filters), 1.5 (1.4) here.
    pixels = a.shape[0] * axes[0].count * axes[1].count
    return pixels >= _LEAST_ROWS and c * k <= _MOST_FILTERS


def _sizes(kind, n, axes, c, k):
    """The kind, and the rest in the order of struct Conv."""
    h, w = axes
    return (
        kind, n, h.size, w.size, c, h.count, w.count, k, h.k, w.k, h.stride, w.stride,
        h.dilation, w.dilation, h.before, w.before,
    )  # fmt: skip


def convolve(a, b, shape, sizes):
    """The result, float32[shape], for the sizes that `forward` and the others give."""
    out = np.empty(shape, np.float32)
    a, b = laid_out(a), laid_out(b)
    fast.convolve(a, b, out, sizes)
    return out
