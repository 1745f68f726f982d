"""Quantised images of another size: each pixel between four others."""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.op import define
from twinflow.ops.core.infer import ints
from twinflow.ops.image import sampling
from twinflow.ops.image.resize import ResizeBilinear
from twinflow.ops.nn.quantized_numbers import (
    number,
    plain,
    wrapped,
)


def _resized(images, size, min, max, align_corners):
    q = plain(images)
    way = _WAYS[q.dtype.name]
    return [way(q, ints(size), align_corners), number(min), number(max)]


def _parts(x, size, align_corners, kind):
    """For each axis: the pixels before and after, and how far to go."""
    for axis in (1, 2):
        low, high, part = sampling.linear(x.shape[axis], size[axis - 1], align_corners)
        yield low, high, part.astype(kind).reshape((-1,) + (1,) * (3 - axis))


def _between(x, size, align_corners):
    (top, down, y), (left, right, z) = _parts(x, size, align_corners, x.dtype)
    pairs = ((x[:, r][:, :, left], x[:, r][:, :, right]) for r in (top, down))
    top, down = (a + (b - a) * z for a, b in pairs)
    return top + (down - top) * y


def _bytes(x, size, align_corners):
    """In 128ths of a number, cut off towards 0 after the rows."""
    (top, down, y), (left, right, z) = _parts(x, size, align_corners, np.float32)
    x, (y, z) = x.astype(np.int64), ((p * 128).astype(np.int64) for p in (y, z))
    rows = (x[:, r] for r in (top, down))
    top, down = (
        r[:, :, left] * 128 + (r[:, :, right] - r[:, :, left]) * z for r in rows
    )
    found = top + np.trunc((down - top) / 128).astype(np.int64) * y
    return ((found + 64) >> 7).astype(np.uint8)


def _wholes(x, size, align_corners):
    """From float32 numbers; within 1 of TensorFlow's."""
    wide = x.astype(np.float32).astype(np.float64)
    return wrapped(np.floor(_between(wide, size, align_corners)) + 1, np.int32)


_WAYS = {"uint8": _bytes, "int32": _wholes, "float32": _between}


def _check(images, size, min, max, align_corners):
    return ResizeBilinear.check(images, size, align_corners)


def _infer(images, size, min, max, align_corners):
    return [ResizeBilinear.infer(images, size, align_corners), (), ()]


QuantizedResizeBilinear = define(
    "QuantizedResizeBilinear",
    on_host="size",
    infer=_infer,
    host=_resized,
    types={"T": (dtypes.quint8, dtypes.qint32, dtypes.float32)},
    check=_check,
)
