"""Fourier transforms of complex64 and float32 by the C module (native/fourier.c).

Each function gives None for what is left to numpy.fft: other dtypes, nothing to
transform, lengths with a prime factor above 61, no C module.
"""

import math

import numpy as np

from twinflow.base import native

_fast = native.fast if hasattr(native.fast, "fourier") else None
_COMPLEX, _TO_HALF, _FROM_HALF = range(3)  # the kinds of native/fourier.h


def transform(x, rank, inverse):
    """fftn or ifftn along the last `rank` axes."""
    return _along(x, range(x.ndim - 1, x.ndim - 1 - rank, -1), inverse)


def _along(x, axes, inverse):
    if _fast is None or x.dtype != np.complex64 or not x.size:
        return None
    x, out = np.ascontiguousarray(x), np.empty(x.shape, x.dtype)
    for axis in axes:
        n, outer = x.shape[axis], math.prod(x.shape[:axis])
        sizes, scale = (outer, n, x.size // (outer * n)), 1 / n if inverse else 1
        if not _fast.fourier(x, out, _COMPLEX, inverse, *sizes, scale):
            return None
        x = out
    return x


def to_half(x, rank):
    """rfftn of float32 along the last `rank` axes, of their whole length."""
    n = x.shape[-1]
    if _fast is None or x.dtype != np.float32 or not x.size or n % 2:
        return None
    out = np.empty((*x.shape[:-1], n // 2 + 1), np.complex64)
    sizes = x.size // n, n // 2, 1
    if not _fast.fourier(np.ascontiguousarray(x), out, _TO_HALF, False, *sizes, 1):
        return None
    return _along(out, range(x.ndim - 2, x.ndim - 1 - rank, -1), False)


def from_half(x, n, rank):
    """irfftn of complex64 along the last `rank` axes, to n numbers in the last one."""
    if n % 2 or not n or x.shape[-1] != n // 2 + 1:
        return None
    x = _along(x, range(x.ndim - rank, x.ndim - 1), True)
    if x is None:
        return None
    out = np.empty((*x.shape[:-1], n), np.float32)
    sizes = out.size // n, n // 2, 1
    if not _fast.fourier(x, out, _FROM_HALF, True, *sizes, 1 / n):
        return None
    return out
