"""Large arrays on the move, by native/movement.c, relocate.c and segments.c: laid out
anew, joined, repeated, taken, summed by number.

A function gives None for what is left to NumPy: small arrays, other dtypes and layouts,
no C module.
"""

import math
from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.base.annotations import Array
from twinflow.base.pieces import in_pieces

_fast: Any = native.fast if hasattr(native.fast, "join") else None
LARGE = 16384  # elements from which on they are not NumPy's
_FEW = 256  # of a sum by numbers, for which NumPy sorts
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_IDS = (np.dtype(np.int32), np.dtype(np.int64))

_NONE = np.empty(0, np.int32)
_SHORT = 64  # bytes: rows below it are joined element by element

choose = in_pieces(np.where, 3)


def _plain(dtype: Any) -> bool:
    return dtype.kind in "biufc" and dtype.itemsize <= 16


def laid_out(x: Array) -> Array:
    """np.ascontiguousarray."""
    if _fast is None or x.size < LARGE or x.flags.c_contiguous or not _plain(x.dtype):
        return np.ascontiguousarray(x)
    out = np.empty(x.shape, x.dtype)
    _fast.relocate(out, x)
    return out


def reshaped(x: Array, shape: tuple[int, ...]) -> Array:
    """x.reshape(shape); a view where the elements lie in their order."""
    if x.flags.c_contiguous:
        return x.reshape(shape)
    try:
        return x.reshape(shape, copy=False)
    except (TypeError, ValueError):  # NumPy 2.0; there is no such view
        return laid_out(x).reshape(shape)


def put(place: Array, x: Array) -> None:
    """place[...] = x, for a part of a new array."""
    same = place.shape == x.shape and place.dtype == x.dtype
    if _fast is None or x.size < LARGE or not same or not _plain(x.dtype):
        place[...] = x
    else:
        _fast.relocate(place, x)


def filled(shape: tuple[int, ...], value: Any, dtype: Any) -> Array:
    """np.full of one number."""
    dtype = np.dtype(dtype)
    if math.prod(shape) < LARGE or _fast is None or not _plain(dtype):
        return np.full(shape, value, dtype)
    out = np.empty(shape, dtype)
    _fast.relocate(out, np.broadcast_to(np.asarray(value, dtype), out.shape))
    return out


def marked(ids: Array, depth: int, on: Array, off: Array) -> Array | None:
    """Rows of `depth` elements `off`, one of them `on`: that of a number in `ids`.

    Args:
        ids: int32 or int64; outside of [0, depth) they mark nothing.
        on, off: single elements of one dtype.
    Returns:
        None without elements too: NumPy makes these.
    """
    if _fast is None or ids.dtype not in _IDS or not ids.size or not depth:
        return None
    if not _plain(off.dtype) or on.dtype != off.dtype:
        return None
    out = np.empty((*ids.shape, depth), off.dtype)
    wide = ids.dtype.itemsize == 8
    _fast.one_hot(out, np.ascontiguousarray(ids), on, off, wide)
    return out


def tiled(x: Array, times: tuple[int, ...]) -> Array:
    """np.tile, with a number for each axis."""
    size = x.size * math.prod(times)
    if x.ndim > 16:
        return np.tile(x, times)
    places = [n for pair in zip(times, x.shape, strict=True) for n in pair]
    once = [n for size in x.shape for n in (1, size)]
    out = np.empty(places, x.dtype)
    if _fast is None or size < LARGE or not _plain(x.dtype):
        out[...] = x.reshape(once)
    else:
        _fast.relocate(out, np.broadcast_to(x.reshape(once), places))
    return out.reshape([n * size for n, size in zip(times, x.shape, strict=True)])


def joined(values: list[Array], axis: int) -> Array | None:
    """np.concatenate of arrays of one dtype."""
    first, count = values[0], 0
    dtype, rank = first.dtype, first.ndim
    for v in values:
        count += v.size
    if _fast is None or count < LARGE or not _plain(dtype):
        return None
    if not -rank <= axis < rank:
        return None
    axis %= rank
    head, tail = first.shape[:axis], first.shape[axis + 1 :]
    for v in values:
        s = v.shape
        if v.dtype != dtype or len(s) != rank:
            return None
        if s[:axis] != head or s[axis + 1 :] != tail:
            return None
    out = np.empty((*head, sum(v.shape[axis] for v in values), *tail), dtype)
    outer = math.prod(head)
    short = outer > 1 and out.nbytes < outer * len(values) * _SHORT
    if short or not all(v.flags.c_contiguous for v in values):
        _join_each(out, values, axis)
    else:
        _fast.join(out, values, outer)
    return out


def _join_each(out: Array, values: list[Array], axis: int) -> None:
    end = 0
    for v in values:
        begin, end = end, end + v.shape[axis]
        put(out[(*(slice(None),) * axis, slice(begin, end))], v)


def taken(x: Array, indices: Array, axis: int) -> Array | None:
    """np.take along an axis, numbers outside taken as the nearest."""
    if _fast is None or indices.size * x.size < LARGE or not _plain(x.dtype):
        return None
    if not -x.ndim <= axis < x.ndim or indices.dtype not in _IDS:
        return None
    axis %= x.ndim
    head, rest, n = x.shape[:axis], x.shape[axis + 1 :], x.shape[axis]
    outer, size = math.prod(head), math.prod(rest)
    if indices.size * size * outer < LARGE or not n:
        return None
    if not (x.flags.c_contiguous and indices.flags.c_contiguous):
        return None
    out = np.empty(head + indices.shape + rest, x.dtype)
    many = (n, indices.size, size, x.dtype.itemsize, indices.dtype.itemsize == 8)
    _fast.take_rows(out, x, indices, *many, outer)
    return out


def summed(rows: Array, ids: Array, n: int, picks: Array = _NONE) -> Array | None:
    """The sums of the rows that share a number: [n, ...]; others are left out.

    Args:
        rows: [m, ...]. ids: int32 or int64[m].
        picks: int32 or int64[k]: rows[picks] in place of the rows; then ids is of [k].
    """
    rest = rows.shape[1:]
    size = math.prod(rest)
    if _fast is None or rows.dtype not in _FLOATS or n < 1:
        return None
    if ids.dtype not in _IDS or picks.dtype not in _IDS or ids.size * size < _FEW:
        return None
    out = np.empty((n, *rest), rows.dtype)
    ids, picks = np.ascontiguousarray(ids), np.ascontiguousarray(picks)
    wide = ids.dtype.itemsize == 8, picks.dtype.itemsize == 8
    many = (n, len(rows), size, rows.dtype.itemsize, *wide)
    _fast.sum_rows(out, laid_out(rows), ids, picks, *many)
    return out


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
    _fast.add_rows(out, laid_out(rows), ids, *many)
    return True


def running_sum(x: Array, axis: int, exclusive: bool, reverse: bool) -> Array | None:
    """The running sums along an axis; long rows are summed block by block."""
    if _fast is None or x.size < LARGE or x.dtype not in _FLOATS:
        return None
    if not -x.ndim <= axis < x.ndim:
        return None
    axis %= x.ndim
    x = laid_out(x)
    out = np.empty_like(x)
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    sizes = (outer, x.shape[axis], inner)
    _fast.running_sum(out, x, *sizes, exclusive, reverse, x.dtype.itemsize)
    return out
