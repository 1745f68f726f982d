"""Large arrays on the move, by native/movement.c: joined, taken, summed by number.

Each function gives None for what is left to NumPy: small arrays, other dtypes and
layouts, no C module.
"""

import math
from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.base.annotations import Array
from twinflow.base.pieces import in_pieces

_fast: Any = native.fast if hasattr(native.fast, "join") else None
LARGE = 16384  # elements from which on they are not NumPy's
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_IDS = (np.dtype(np.int32), np.dtype(np.int64))

choose = in_pieces(np.where, 3)


def joined(values: list[Array], axis: int) -> Array | None:
    """np.concatenate of arrays of one dtype."""
    first = values[0]
    dtype, rank = first.dtype, first.ndim
    if _fast is None or sum(v.size for v in values) < LARGE or dtype.hasobject:
        return None
    if not -rank <= axis < rank:
        return None
    axis %= rank
    head, tail = first.shape[:axis], first.shape[axis + 1 :]
    for v in values:
        s = v.shape
        if v.dtype != dtype or not v.flags.c_contiguous or len(s) != rank:
            return None
        if s[:axis] != head or s[axis + 1 :] != tail:
            return None
    out = np.empty((*head, sum(v.shape[axis] for v in values), *tail), dtype)
    _fast.join(out, values, math.prod(head))
    return out


def taken(x: Array, indices: Array, axis: int) -> Array | None:
    """np.take along the first axis, numbers outside taken as the nearest."""
    rest = x.shape[1:]
    size = math.prod(rest)
    if _fast is None or axis != 0 or indices.size * size < LARGE or x.dtype.hasobject:
        return None
    if not (x.flags.c_contiguous and indices.flags.c_contiguous and len(x)):
        return None
    if indices.dtype not in _IDS:
        return None
    out = np.empty(indices.shape + rest, x.dtype)
    many = (len(x), indices.size, size, x.dtype.itemsize)
    _fast.take_rows(out, x, indices, *many, indices.dtype.itemsize == 8)
    return out


def summed(rows: Array, ids: Array, n: int) -> Array | None:
    """The sums of the rows that share a number: [n, ...]; others are left out.

    Args:
        rows: [m, ...]. ids: int32 or int64[m].
    """
    if _fast is None or rows.size < LARGE or rows.dtype not in _FLOATS or n < 1:
        return None
    if ids.dtype not in _IDS or not ids.flags.c_contiguous:
        return None
    out = np.zeros((n, *rows.shape[1:]), rows.dtype)
    return out if add_to(out, ids, rows) else None


def add_to(out: Array, ids: Array, rows: Array) -> bool:
    """Whether rows were added to the rows of `out`, in place; see `summed`."""
    if _fast is None or rows.size < LARGE or rows.dtype not in _FLOATS:
        return False
    if ids.dtype not in _IDS or not ids.flags.c_contiguous or out.dtype != rows.dtype:
        return False
    if not out.flags.c_contiguous or rows.shape != ids.shape + out.shape[1:]:
        return False
    size, item = math.prod(out.shape[1:]), rows.dtype.itemsize
    many = (len(out), ids.size, size, item, ids.dtype.itemsize == 8)
    _fast.add_rows(out, np.ascontiguousarray(rows), ids, *many)
    return True


def running_sum(x: Array, axis: int, exclusive: bool, reverse: bool) -> Array | None:
    """The running sums along an axis; long rows are summed block by block."""
    if _fast is None or x.size < LARGE or x.dtype not in _FLOATS:
        return None
    if not x.flags.c_contiguous or not -x.ndim <= axis < x.ndim:
        return None
    axis %= x.ndim
    out = np.empty_like(x)
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    sizes = (outer, x.shape[axis], inner)
    _fast.running_sum(out, x, *sizes, exclusive, reverse, x.dtype.itemsize)
    return out
