"""Statistics of samples: percentiles and auto-correlation."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.distributions.arrays import rotate_transpose
from twinflow.distributions.known import constant_value
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core.compare import where
from twinflow.ops.core.complex import complex as complex_of
from twinflow.ops.core.complex import conj, real
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_any, reduce_mean
from twinflow.ops.core.rounding import ceil, floor, is_nan
from twinflow.ops.core.rounding import round as rounded
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import assert_greater_equal, assert_less_equal
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.signal.fourier import fft, ifft


def auto_correlation(
    x: TensorValue, axis: int = -1, max_lags: Any = None, center: bool = True,
    normalize: bool = True, name: str | None = "auto_correlation",
) -> Tensor:  # fmt: skip
    """The auto-correlation along an axis, by Fourier transforms.

    RXX[m] = E[W[n] conj(W[n + m])], W = x - mean(x)

    Args:
        x: float32 or complex64 tensor. axis: int. max_lags: int, the largest m, by
            default all. center: whether the mean is subtracted.
        normalize: whether the result is divided by RXX[0]. name: the name scope.
    Returns:
        A tensor of the dtype of x, max_lags + 1 long along the axis.
    Raises:
        TypeError: another dtype.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        shift = -1 - axis if axis < 0 else (x.shape.ndims - 1 - axis)
        x_rotated = rotate_transpose(x, shift)
        if center:
            x_rotated -= reduce_mean(x_rotated, axis=-1, keepdims=True)
        size = x.shape.with_rank_at_least(1)[axis].value
        size = shape(x)[axis] if size is None else size
        lags = size - 1 if max_lags is None else max_lags
        found = _correlated(x_rotated, x.dtype, size)[..., : lags + 1]
        per = cast(size - range_of(lags + 1), found.dtype.real_dtype)
        found = found / cast(per, found.dtype)
        if normalize:
            found /= found[..., :1]
        return rotate_transpose(found, -shift)


def _correlated(x, dtype, size):
    """sum_n x[n] conj(x[n + m]) along the last axis, for all m."""
    wide = 2 * size
    lead = shape(x)[:-1]
    padded = concat([x, zeros(concat([lead, [wide - size]], 0), x.dtype)], -1)
    if dtype.is_floating:
        padded = complex_of(padded, zeros(shape(padded), padded.dtype))
    elif not dtype.is_complex:
        raise TypeError(
            f"Argument x must have either float or complex dtype found: {dtype}"
        )
    spectrum = fft(padded)
    found = ifft(spectrum * conj(spectrum))
    return real(found) if dtype.is_floating else cast(found, dtype)


def percentile(
    x: TensorValue, q: TensorValue, axis: Any = None, interpolation: str | None = None,
    keep_dims: bool = False, validate_args: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The q-th percentile of samples along axes.

    Args:
        x: float or int tensor. q: scalar in [0, 100].
        axis: ints, known when the graph is built; all axes if None.
        interpolation: "lower", "higher" or "nearest" (if None): which sample is taken
            where the percentile lies between two.
        keep_dims: whether the axes stay, of size 1.
        validate_args: whether to check q. name: the name scope in a graph.
    Raises:
        ValueError: another interpolation, or x has no known rank.
    Example:
        tf.contrib.distributions.percentile([1.0, 2.0, 3.0, 4.0, 5.0], 50.0)  # 3.0
    """
    name = name or "percentile"
    allowed = {"lower", "higher", "nearest"}
    interpolation = "nearest" if interpolation is None else interpolation
    if interpolation not in allowed:
        raise ValueError(
            f"Argument 'interpolation' must be in {allowed}.  Found {interpolation}"
        )
    with name_scope(name, values=[x, q]):
        x = convert_to_tensor(x, name="x")
        double = dtypes.float64
        q = cast(convert_to_tensor(q, name="q"), double)
        q.shape.assert_has_rank(0)
        checks = []
        if validate_args:
            checks = [assert_less_equal(q, np.float64(100.0))]
            checks.append(assert_greater_equal(q, np.float64(0.0)))
        with control_dependencies(checks):
            axes = _axes(x, axis)
            rows = _last(x, axes)
            return _nth(x, rows, q, interpolation, axes, keep_dims)


def _axes(x, axis):
    """The axes as ints from 0, or None for all."""
    if axis is None:
        return None
    found = constant_value(axis)
    if found is None:
        raise ValueError(
            f"Expected argument 'axis' to be statically available.  Found: {axis}"
        )
    ndims = x.shape.ndims
    if ndims is None:
        raise ValueError(
            f"Expected argument 'x' to have statically defined 'ndims'.  Found: {x}"
        )
    axes = []
    for a in np.atleast_1d(found):
        if a >= ndims:
            raise ValueError(f"dim {a} not in the interval [0, {ndims - 1}].")
        if a < -ndims:
            raise ValueError(
                f"Negatively indexed dim {a} not in the interval [-{ndims}, -1]"
            )
        axes.append(int(a) % ndims)
    return sorted(set(axes))


def _last(x, axes):
    """x with the axes joined into one, the last."""
    if axes is None:
        return reshape(x, [-1])
    rest = [i for i in range(x.shape.ndims) if i not in axes]
    if not axes:
        return expand_dims(x, -1)
    moved = transpose(x, perm=rest + axes)
    return reshape(moved, concat([shape(moved)[: len(rest)], [-1]], 0))


def _nth(x, rows, q, interpolation, axes, keep_dims):
    d = cast(shape(rows)[-1], q.dtype)
    place = (d - 1.0) * (1.0 - q / 100.0)  # from the largest on
    word = {"lower": ceil, "higher": floor, "nearest": rounded}[interpolation]
    index = clip_by_value(cast(word(place), dtypes.int32), 0, shape(rows)[-1] - 1)
    ordered = top_k(rows, k=shape(rows)[-1]).values
    found = ordered[..., index]
    if x.dtype.is_floating:
        nan = np.array(np.nan, x.dtype.as_numpy_dtype)
        holes = reduce_any(is_nan(rows), axis=-1)
        found = where(holes, ones(shape(found), x.dtype) * nan, found)
    if keep_dims:
        ndims = x.shape.ndims
        for a in range(ndims) if axes is None else axes:
            found = expand_dims(found, a)
    return found
