"""Images of another size, by native/resize.c.

A function gives None for what is left to NumPy: small images, other dtypes and layouts,
no C module.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.base.annotations import Array

_fast: Any = native.fast if hasattr(native.fast, "resize_linear") else None
_LARGE = 4096  # floats of the result from which on it is not NumPy's
_KINDS = {np.dtype(np.uint8): 0, np.dtype(np.float32): 1}


def resized(images: Array, rows: tuple, columns: tuple) -> Array | None:
    """Images resized linearly: along the columns, then along the rows.

    Args:
        images: uint8 or float32[count, height, width, channels].
        rows, columns: (lower int64[out], upper int64[out], part float32[out]).
    """
    kind = _KINDS.get(images.dtype)
    count, height, width, channels = images.shape
    shape = count, len(rows[0]), len(columns[0]), channels
    size = count * shape[1] * shape[2] * channels
    if _fast is None or kind is None or size < _LARGE or columns[0].dtype != np.int64:
        return None
    out = np.empty(shape, np.float32)
    across = [_each_float(_Key(a), channels) for a in columns]
    _fast.resize_linear(
        out, np.ascontiguousarray(images), *rows, *across, kind, count, height, width,
        channels, *shape[1:3],
    )  # fmt: skip
    return out


class _Key:
    """An array as a key: one that is kept, by its identity."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __hash__(self) -> int:
        return id(self.array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.array is other.array


@lru_cache(maxsize=1024)
def _each_float(key: _Key, channels: int) -> Array:
    """Of each float of a row, what an array says of each pixel."""
    a = key.array
    if a.dtype == np.float32:
        return np.repeat(a, channels)
    return (a[:, None] * channels + np.arange(channels)).ravel()
