"""How often values occur: bins, histograms, buckets, confusion matrices."""

import itertools
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import add, maximum, minimum, multiply, subtract
from twinflow.ops.core.index import unsorted_segment_sum
from twinflow.ops.core.infer import dim_is, host_ranked, one_int, ranked, text
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.core.rounding import floor
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.size import size
from twinflow.ops.math.clip import clip_by_value


def _added(xp, count, places, values):
    """Zeros[count] to which `values` are added; places outside are left out."""
    if xp is np:
        out = np.zeros(count, values.dtype)
        kept = (places >= 0) & (places < count)
        np.add.at(out, places[kept], np.broadcast_to(values, places.shape)[kept])
        return out
    places = xp.where(places < 0, count, places)
    return xp.zeros(count, values.dtype).at[places].add(values, mode="drop")


# ------------------------------------------------------------------ bincount
def _infer_bincount(arr, size, weights):
    a, w = arr._shape, weights._shape
    known = None not in ((a, w) if a is None or w is None else (*a, *w))
    if known and 0 not in w and a != w:
        raise InferError(
            f"weights must have the shape of arr or be empty, got {text(w)} and "
            f"{text(a)}"
        )
    if type(size) is not tuple:
        host_ranked(size, 0, "size must be a scalar, got shape {}")
    n = one_int(size)
    return (n if n is None or n >= 0 else None,)


@bind_first
def _bincount_kernel(xp, arr, size, weights):
    one = np.ones((), weights.dtype)
    values = weights.reshape(-1) if weights.size else one
    return _added(xp, one_int(size), arr.reshape(-1), values)


Bincount = define(
    "Bincount",
    on_host="size",
    infer=_infer_bincount,
    kernel=_bincount_kernel,
    guard=lambda xp: lambda arr, size, weights: xp.all(arr >= 0),
    check=lambda arr, size, weights: _bad_bincount(arr, one_int(size)),
)


def _bad_bincount(arr, size):
    if size < 0:
        return f"size ({size}) must be non-negative"
    return "Input arr must be non-negative!" if np.any(arr < 0) else None


def bincount(
    arr: Any, weights: TensorValue | None = None, minlength: Any = None,
    maxlength: Any = None, dtype: DTypeValue = dtypes.int32,
) -> Tensor:  # fmt: skip
    """How often each of the numbers 0, 1, ... occurs in `arr`.

    Args:
        arr: int32 tensor of numbers >= 0, of any shape.
        weights: a tensor of its shape, which is added up instead of ones.
        minlength, maxlength: bounds of the length of the result, which is by default
            the largest number + 1; larger numbers are left out.
        dtype: of the result where there are no weights: int32, int64, float32, float64.
    Returns:
        dtype[length], or of the dtype of the weights.
    Raises:
        InvalidArgumentError: a number is negative.
    Example:
        tf.bincount([1, 1, 3])  # [0, 2, 0, 1]
    """
    arr = convert_to_tensor(arr, dtypes.int32, name="arr")
    some = cast(_not_empty(arr), dtypes.int32)
    length = multiply(some, add(reduce_max(arr), 1))
    if minlength is not None:
        low = convert_to_tensor(minlength, dtypes.int32, name="minlength")
        length = maximum(low, length)
    if maxlength is not None:
        high = convert_to_tensor(maxlength, dtypes.int32, name="maxlength")
        length = minimum(high, length)
    if weights is not None:
        return unsorted_segment_sum(convert_to_tensor(weights), arr, length)
    return apply(Bincount, (arr, length, constant(np.zeros(0), dtype)))


def _not_empty(t):
    return size(t) > 0


# ------------------------------------------------------------------ histograms
def _infer_histogram(values, value_range, nbins, dtype):
    (n,) = ranked(value_range._shape, 1, "value_range should be a vector.")
    dim_is(n, 2, "value_range should be a vector of 2 elements.")
    if type(nbins) is not tuple:
        host_ranked(nbins, 0, "nbins should be a scalar.")
    n = one_int(nbins)
    if n is not None and n <= 0:
        raise InferError(
            f"nbins should be a positive number, but got '{n}'",
            f"Requires nbins > 0: {n}",
        )
    return (n,)


@bind_first
def _histogram_kernel(xp, values, value_range, nbins, dtype):
    n, low = one_int(nbins), value_range[0]
    step = (value_range[1] - low).astype(np.float64) / n
    x = xp.maximum(values.reshape(-1), low) - low
    place = xp.minimum(x.astype(np.float64) / step, n - 1)
    place = xp.where(xp.isnan(place), n, place).astype(np.int32)
    return _added(xp, n, place, np.ones((), dtype.np))


def _bad_range(values, value_range, nbins, dtype):
    low, high = value_range.tolist()
    if low < high:
        return None
    return (
        "value_range should satisfy value_range[0] < value_range[1], but got "
        f"'[{low:g}, {high:g}]'"
    )


HistogramFixedWidth = define(
    "HistogramFixedWidth",
    on_host="nbins",
    infer=_infer_histogram,
    kernel=_histogram_kernel,
    guard=lambda xp: (
        lambda values, value_range, *_, **__: value_range[0] < value_range[1]
    ),
    check=_bad_range,
)


def histogram_fixed_width(
    values: TensorValue, value_range: Any, nbins: TensorValue = 100,
    dtype: DTypeValue = dtypes.int32, name: str | None = None,
) -> Tensor:  # fmt: skip
    """How many values are in each of `nbins` equal parts of a range.

    Args:
        values: int32, int64, float32 or float64 tensor of any shape.
        value_range: of its dtype [2]; values outside count for the first or last bin.
        nbins: int32[], at least 1. dtype: int32 or int64, of the result.
        name: the name of the node in a graph.
    Returns:
        dtype[nbins]
    Raises:
        InvalidArgumentError: the range is empty. ValueError (graph): the shapes are
            wrong.
    Example:
        tf.histogram_fixed_width([-1., 0., 1.5, 5.], [0., 5.], 5)  # [2, 1, 0, 0, 1]
    """
    attrs = {"dtype": dtypes.as_dtype(dtype)}
    with dispatch.current_mode().name_scope(name or "histogram_fixed_width") as scope:
        values = convert_to_tensor(values, name="values")
        value_range = convert_to_tensor(value_range, values.dtype, name="value_range")
        inputs = (values, value_range, nbins)
        return apply(HistogramFixedWidth, inputs, attrs, scope)


def histogram_fixed_width_bins(
    values: TensorValue, value_range: Any, nbins: TensorValue = 100,
    dtype: DTypeValue = dtypes.int32, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The bin of each value; see `tf.histogram_fixed_width`.

    Args:
        values: float tensor of any shape. value_range: of its dtype [2].
        nbins: int32[]. dtype: accepted; the result is int32, as in TensorFlow.
        name: the name scope in a graph.
    Returns:
        int32, of the shape of `values`.
    Example:
        tf.histogram_fixed_width_bins([-1., 1.5, 5.], [0., 5.], 5)  # [0, 1, 4]
    """
    with dispatch.current_mode().name_scope(name or "histogram_fixed_width_bins"):
        values = convert_to_tensor(values, name="values")
        shape, flat = shape_of(values), reshape(values, [-1])
        value_range = convert_to_tensor(value_range, name="value_range")
        count = convert_to_tensor(nbins, dtypes.int32, name="nbins")
        count = cast(count, values.dtype)
        low, high = value_range[0], value_range[1]
        scaled = truediv(subtract(flat, low), subtract(high, low), "scaled_values")
        places = floor(multiply(count, scaled), "indices")
        places = clip_by_value(places, 0, subtract(count, 1))
        return reshape(cast(places, dtypes.int32), shape)


# ------------------------------------------------------------------ buckets
def _bad_boundaries(input, boundaries):
    sorted_ = all(a <= b for a, b in itertools.pairwise(boundaries))
    return None if sorted_ else "Expected sorted boundaries"


@bind_first
def _bucketize_kernel(xp, input, boundaries):
    x = input if input.dtype == np.float64 else input.astype(np.float32)
    edges = np.array(boundaries, np.float32).astype(x.dtype)
    found = xp.searchsorted(edges, x.reshape(-1), side="right")
    return found.astype(np.int32).reshape(input.shape)


Bucketize = define(
    "Bucketize",
    infer=lambda input, boundaries: input._shape,
    kernel=_bucketize_kernel,
    guard=lambda xp: (
        lambda input, boundaries: np.bool_(_bad_boundaries(input, boundaries) is None)
    ),
    check=_bad_boundaries,
)


def bucketize(input, boundaries, name=None):
    """How many of `boundaries` are at most as large as each element.

    Args:
        input: int32, int64, float32 or float64 tensor of any shape.
        boundaries: a sorted list of floats. name: the name of the node in a graph.
    Returns:
        int32, of the shape of `input`.
    Example:
        bucketize([-5., 1., 150.], [0., 10., 100.])  # [0, 1, 3]
    """
    if not isinstance(boundaries, list | tuple):
        raise TypeError(
            "Expected list for 'boundaries' argument to 'bucketize' Op, not "
            f"{boundaries!r}."
        )
    attrs = {"boundaries": [float(b) for b in boundaries]}
    return apply(Bucketize, (input,), attrs, name)
