"""Where the pixels of a resized axis come from: plain NumPy, one axis at a time.

Pixel i of the result looks at the place i * scale of the source, where scale is
size / out, or (size - 1) / (out - 1) where the corners are aligned: no half pixels. All
is float32, because a place that rounds to another pixel is another picture.
"""

from functools import lru_cache

import numpy as np

_F = np.float32
_TABLE = 1024  # steps between two pixels in which bicubic weights are kept
_BEND = -0.75  # the parameter a of the cubic kernel


def scale_of(size, out, align_corners):
    """How many source pixels one pixel of the result is apart from the next."""
    if align_corners and out > 1:
        return _F(size - 1) / _F(out - 1)
    return _F(size) / _F(out)


def _places(size, out, align_corners):
    return np.arange(out, dtype=np.float32) * scale_of(size, out, align_corners)


def _fixed(*arrays):
    for a in arrays:
        a.flags.writeable = False
    return arrays


@lru_cache(maxsize=256)
def nearest(size, out, align_corners):
    """int[out]: the pixel that each one of the result takes."""
    at = _places(size, out, align_corners)
    at = np.floor(at + _F(0.5)) if align_corners else np.floor(at)
    return _fixed(np.minimum(at.astype(np.intp), size - 1))[0]


@lru_cache(maxsize=256)
def linear(size, out, align_corners):
    """(lower int[out], upper int[out], part of the upper one float32[out])."""
    at = _places(size, out, align_corners)
    lower = np.minimum(at.astype(np.intp), size - 1)
    upper = np.minimum(lower + 1, size - 1)
    return _fixed(lower, upper, at - lower.astype(np.float32))


@lru_cache(maxsize=1)
def _cubic_table():
    """float32[1025, 2]: the weights of pixels that are x and 1 + x away."""
    x = np.arange(_TABLE + 1, dtype=np.float32) / _F(_TABLE)
    a = _F(_BEND)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    y = x + 1
    far = ((a * y - 5 * a) * y + 8 * a) * y - 4 * a
    return np.stack([near, far], 1).astype(np.float32)


@lru_cache(maxsize=256)
def cubic(size, out, align_corners):
    """(index int[out, 4], weight float32[out, 4]) of Keys' cubic convolution.

    The weights are those of the nearest of 1024 steps between two pixels.
    """
    at = _places(size, out, align_corners)
    first = at.astype(np.intp)
    step = np.rint((at - first.astype(np.float32)) * _TABLE).astype(np.intp)
    table = _cubic_table()
    other = _TABLE - step
    weight = [table[step, 1], table[step, 0], table[other, 0], table[other, 1]]
    index = np.clip(first[:, None] + np.arange(-1, 3), 0, size - 1)
    return _fixed(index, np.stack(weight, 1))


@lru_cache(maxsize=256)
def area(size, out, align_corners):
    """(index int[out, k], weight float32[out, k]): what part of which is covered."""
    scale = scale_of(size, out, align_corners)
    start = np.arange(out, dtype=np.float32) * scale
    stop = np.arange(1, out + 1, dtype=np.float32) * scale
    first, last = np.floor(start).astype(np.intp), np.ceil(stop).astype(np.intp)
    index = first[:, None] + np.arange(max(1, int((last - first).max(initial=1))))
    low, high = index.astype(np.float32), (index + 1).astype(np.float32)
    start, stop = start[:, None], stop[:, None]
    begun = np.where(low < start, high - start, _F(1))
    cut = np.where(low < start, scale, stop - low)
    weight = np.where(high > stop, cut, begun) * (index < last[:, None])
    return _fixed(np.clip(index, 0, size - 1), (weight / scale).astype(np.float32))


def sum_at(xp, terms, index, size, axis, into=None):
    """An array with `size` entries along `axis`: the sums of the terms of each index.

    Args:
        xp: numpy or jax.numpy. terms: an array. index: int[n], never decreasing, one
            for each entry of `terms` along `axis`.
        into: an array made here before, to add to (in NumPy in place).
    """
    shape = terms.shape[:axis] + (size,) + terms.shape[axis + 1 :]
    before = (slice(None),) * axis
    out = xp.zeros(shape, terms.dtype) if into is None else into
    if xp is not np:
        return out.at[(*before, index)].add(terms)
    if len(index):
        places, starts = np.unique(index, return_index=True)
        sums = np.add.reduceat(terms, starts, axis, dtype=terms.dtype)
        out[(*before, places)] += sums
    return out
