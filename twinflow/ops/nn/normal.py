"""Means, variances and normalisation of float32 arrays (native/norm.c).

An array is seen as rows of its last axis: statistics belong to each column, as in batch
normalization, or to each row, as in layer normalization. Each function gives None where
NumPy has to do it (docs/decisions/0012-kernels-at-size.md).
"""

from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.base.dtypes import float32
from twinflow.base.tape_record import Ahead

_fast = native.fast if hasattr(native.fast, "normal_rows") else None
LARGE = 16384  # elements: from there on eager moments and their use are one op each


def takes(x: Any) -> bool:
    """Whether an array is for here, by its dtype."""
    return _fast is not None and x.size > 0 and x.dtype == np.float32


def side(shape: tuple, axes: Any) -> Any:
    """What has a mean if these axes are reduced: "rows", "columns", or None.

    Args:
        axes: ints, each at least 0.
    """
    gone, n = sorted(set(axes)), len(shape)
    if not n or not gone:
        return None
    if gone == list(range(n - len(gone), n)):
        return "rows"
    return "columns" if gone == list(range(len(gone))) else None


def moments(x: Any, axes: Any) -> Any:
    """(mean, variance) along axes, both without these."""
    axes = [a % x.ndim for a in axes]
    found = side(x.shape, axes) if takes(x) else None
    if found is None:
        return None
    kept = [d for i, d in enumerate(x.shape) if i not in axes]
    rows = found == "rows"
    columns = x.size // int(np.prod(kept)) if rows else int(np.prod(kept))
    both = _fast.moments(x, columns, rows)
    return None if both is None else tuple(t.reshape(kept) for t in both)


# ------------------------------------------------------------------ by columns
def batch_norm(
    x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float,
    is_training: bool,
) -> Any:  # fmt: skip
    """The outputs of FusedBatchNorm, with the channels last."""
    if not takes(x):
        return None
    n, reported = x.size // scale.size, variance
    if is_training:
        both = _fast.moments(x, scale.size, False)
        if both is None:
            return None
        mean, variance = both
        reported = variance * np.float32(n / max(n - 1, 1))
    factor = scale / np.sqrt(variance + np.float32(epsilon))
    y = _fast.scaled(x, mean, factor, offset)
    return None if y is None else (y, mean, reported, mean, variance)


def batch_norm_back(
    dy: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float,
    is_training: bool,
) -> Any:  # fmt: skip
    """(dx, d_scale, d_offset), with the channels last."""
    sums = _fast.slopes(x, dy, mean) if takes(x) else None
    if sums is None:
        return None
    rate = 1 / np.sqrt(variance + np.float32(epsilon))
    factor, d_offset, d_scale = scale * rate, sums[0], sums[1] * rate
    if not is_training:
        return dy * factor, d_scale, d_offset
    part = factor * np.float32(scale.size / x.size)
    rest = (-part * rate * d_scale, -part * d_offset)
    dx = _fast.back(x, dy, mean, factor, *rest)
    return None if dx is None else (dx, d_scale, d_offset)


def moments_back(x: Any, mean: Any, d_mean: Any, d_variance: Any) -> Any:
    """The gradient of moments, where all three have the axes that `mean` has.

    Returns:
        ``(array or None) -> array``: the gradient, added to an array in place.
    """
    if not takes(x):
        return None
    part = np.float32(mean.size / x.size)
    arrays = x, mean, d_variance * (2 * part), d_mean * part
    by_columns = mean.shape[0] == 1 and mean.shape[-1] > 1
    scaled = _fast.scaled if by_columns else _fast.scaled_rows

    def compute(onto: Any) -> Any:
        found = scaled(*arrays, onto)
        if found is None:
            found = (x - mean) * arrays[2] + arrays[3]
            found = found if onto is None else np.add(onto, found, onto)
        return found

    return compute


# ------------------------------------------------------------------ with given moments
def _by_rows(x: Any, mean: Any, variance: Any, offset: Any, scale: Any) -> Any:
    """Whether the moments are those of rows; None: neither these nor of columns."""
    same = mean.shape == variance.shape and offset.shape == scale.shape == x.shape[-1:]
    others = {a.dtype.char for a in (mean, variance, offset, scale)}
    if not same or others != {"f"} or not takes(x):
        return None
    if mean.shape == (*x.shape[:-1], 1):
        return True
    last = mean.ndim <= x.ndim and mean.shape[-1:] == x.shape[-1:]
    return False if last and mean.size == scale.size else None


def fits(*arrays: Any) -> bool:
    """Whether `normalized` takes them, or NumPy has to."""
    return _by_rows(*arrays) is not None


def normalized(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, epsilon: float
) -> Any:
    """(x - mean) / sqrt(variance + epsilon) * scale + offset"""
    by_rows = _by_rows(x, mean, variance, offset, scale)
    if by_rows is None:
        return None
    rate = 1 / np.sqrt(variance + np.float32(epsilon))
    if by_rows:
        return _fast.normal_rows(x, mean, rate, scale, offset)
    return _fast.scaled(x, mean, rate * scale, offset)


def normalized_back(
    dy: Any, x: Any, mean: Any, variance: Any, offset: Any, scale: Any, epsilon: float
) -> Any:
    """The gradients of x, mean, variance, offset and scale.

    That of x may be an `Ahead`: with what comes by way of the moments, if they are its.
    """
    by_rows = _by_rows(x, mean, variance, offset, scale)
    if by_rows is None:
        return None
    rate = 1 / np.sqrt(variance + np.float32(epsilon))
    if by_rows:
        found = _fast.normal_rows_back(x, dy, mean, rate, scale)
        if found is None:
            return None
        dx, s, t, d_offset, d_scale = found
        s, t = s.reshape(mean.shape), t.reshape(mean.shape)
        d_mean, d_variance = -s * rate, t * rate * rate * np.float32(-0.5)
        due = (x, mean, d_mean, d_variance)
        dx = Ahead(dx, due, lambda: dy * scale * rate, float32)
        return dx, d_mean, d_variance, d_offset, d_scale
    sums = _fast.slopes(x, dy, mean)
    if sums is None:
        return None
    s, t = (a.reshape(mean.shape) for a in sums)
    factor = scale * rate
    d_variance = t * factor * rate * rate * np.float32(-0.5)
    d_scale = (t * rate).reshape(scale.shape)
    return dy * factor, -s * factor, d_variance, sums[0], d_scale
