"""Orders and distinct values of arrays by the C module (native/sorting.c).

Each function gives None for what is left to NumPy: other dtypes, no C module.
"""

import ml_dtypes
import numpy as np

from twinflow.base import native

_fast = native.fast if hasattr(native.fast, "top") else None
_INTEGERS, _FLOATS, _FLOATS_WITHOUT_NAN = range(3)  # of native/sorting.h
_KINDS = {
    np.dtype(np.int32): (_INTEGERS, 4),
    np.dtype(np.int64): (_INTEGERS, 8),
    np.dtype(np.float32): (_FLOATS, 4),
    np.dtype(np.float64): (_FLOATS, 8),
}
_AS = {
    np.dtype(d): np.dtype(np.int32) for d in (np.int8, np.uint8, np.int16, np.uint16)
}
_AS |= {np.dtype(d): np.dtype(np.float32) for d in (np.float16, ml_dtypes.bfloat16)}
_AS[np.dtype(np.uint32)] = np.dtype(np.int64)


def largest(x, k):
    """The k largest entries of the last axis: (values, places as int32), or None.

    NaN is the largest of all; but for k = 1 it is passed over.
    """
    wide = _AS.get(x.dtype, x.dtype)
    if _fast is None or wide not in _KINDS or not (k and x.size):
        return None
    kind, item = _KINDS[wide]
    if k == 1 and kind == _FLOATS:
        kind = _FLOATS_WITHOUT_NAN
    n, shape = x.shape[-1], (*x.shape[:-1], k)
    given = np.ascontiguousarray(x, wide)
    values, places = np.empty(shape, wide), np.empty(shape, np.int32)
    _fast.top(kind, item, given, values, places, x.size // n, n, k)
    return values.astype(x.dtype, copy=False), places


def in_top(predictions, targets, k):
    """bool[rows], or None."""
    if _fast is None or predictions.dtype != np.float32 or not predictions.size:
        return None
    out = np.empty(len(predictions), bool)
    x = np.ascontiguousarray(predictions)
    where = np.ascontiguousarray(targets, np.int64)
    wrong = _fast.in_top(x, where, out, x.shape[1], k)
    return out if wrong < 0 else None


def groups(x):
    """(where each distinct value is first, the value of each, counts), or None."""
    if _fast is None or x.dtype not in _KINDS:
        return None
    first, inverse, counts = (np.empty(len(x), np.int64) for _ in range(3))
    found = _fast.groups(
        *_KINDS[x.dtype], np.ascontiguousarray(x), first, inverse, counts
    )
    return first[:found], inverse, counts[:found]
