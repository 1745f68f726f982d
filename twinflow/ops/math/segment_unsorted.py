"""Products, maxima, ... of the rows that share an id, in any order.

The sum is in ops.core.index, whose gradients need it.
"""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import equal, greater_equal, logical_and, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.division import divide
from twinflow.ops.core.elementwise import maximum, multiply, sqrt
from twinflow.ops.core.index import (
    check_segments,
    gather,
    infer_segments,
    unsorted_segment_sum,
    with_axes_of,
)
from twinflow.ops.core.infer import one_int
from twinflow.ops.math.segment import product_slope, reduced_runs


def _lowest(dtype):
    return np.array(dtypes.from_numpy(dtype).min, dtype)


def _highest(dtype):
    return np.array(dtypes.from_numpy(dtype).max, dtype)


def _kernels(ufunc, method, empty):
    """As that of the sum (ops.core.index), for another reduction."""

    def numpy_kernel(data, segment_ids, num_segments):
        rest = data.shape[segment_ids.ndim :]
        ids = segment_ids.reshape(-1)
        out = np.full((one_int(num_segments), *rest), empty(data.dtype), data.dtype)
        order = np.argsort(ids, kind="stable")
        order = order[ids[order] >= 0]
        rows = data.reshape(ids.size, *rest)
        return reduced_runs(ufunc, rows[order], ids[order], out)

    def bound(xp):
        def kernel(data, segment_ids, num_segments):
            rest, n = data.shape[segment_ids.ndim :], one_int(num_segments)
            ids = segment_ids.reshape(-1)
            ids = xp.where(ids < 0, n, ids)
            out = xp.full((n, *rest), empty(data.dtype), data.dtype)
            rows = data.reshape((ids.size, *rest))
            return getattr(out.at[ids], method)(rows, mode="drop")

        return numpy_kernel if xp is np else kernel

    return bound


def _define(kind, kernels, rule):
    return define(
        f"UnsortedSegment{kind}",
        on_host="num_segments",
        infer=infer_segments,
        kernel=kernels,
        grad=[rule],
        guard=lambda xp: (
            lambda data, segment_ids, num_segments: xp.all(
                segment_ids < one_int(num_segments)
            )
        ),
        check=check_segments,
    )


def _kept(segment_ids, rows):
    """Whether a row belongs to a segment, in the shape of the rows."""
    kept = with_axes_of(cast(greater_equal(segment_ids, 0), dtypes.int32), rows)
    return greater_equal(multiply(kept, ones_like(rows, dtypes.int32)), 1)


def _taken(values, segment_ids):
    """The row of each segment id; any row for a negative one."""
    return gather(values, maximum(segment_ids, 0))


def _extreme_grad(dy, data, segment_ids, output, num_segments):
    """Rows that share the extreme value share the gradient."""
    best = equal(data, _taken(output, segment_ids))
    best = logical_and(best, _kept(segment_ids, data))
    count = unsorted_segment_sum(cast(best, dy.dtype), segment_ids, num_segments)
    share = _taken(divide(dy, maximum(count, ones_like(count))), segment_ids)
    return where(best, share, zeros_like(share))


def _product_grad(dy, data, segment_ids, output, num_segments):
    dx = product_slope(
        data,
        _taken(dy, segment_ids),
        _taken(output, segment_ids),
        lambda x: _taken(
            unsorted_segment_sum(x, segment_ids, num_segments), segment_ids
        ),
        lambda x: _taken(
            unsorted_segment_prod(x, segment_ids, num_segments), segment_ids
        ),
    )
    return where(_kept(segment_ids, dx), dx, zeros_like(dx))


UnsortedSegmentProd = _define(
    "Prod", _kernels(np.multiply, "multiply", lambda dtype: 1), _product_grad
)
UnsortedSegmentMax = _define("Max", _kernels(np.maximum, "max", _lowest), _extreme_grad)
UnsortedSegmentMin = _define(
    "Min", _kernels(np.minimum, "min", _highest), _extreme_grad
)


def _document(function, fname, what, empty, types, example):
    function.__name__ = function.__qualname__ = fname
    function.__module__ = "twinflow"
    function.__doc__ = f"""out[i] is the {what} of the rows whose segment is i.

    Args:
        data: a {types} tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives {empty}.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.{fname}([1., 2., 6.], [0, 1, 1], 2)  # {example}
    """
    return function


def _public(op, *facts):
    def segment(
        data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        return apply(op, (data, segment_ids, num_segments), None, name)

    return _document(segment, f"unsorted_segment_{op.type[15:].lower()}", *facts)


unsorted_segment_prod = _public(
    UnsortedSegmentProd, "product", "1", "numeric", "[1., 12.]"
)
unsorted_segment_max = _public(
    UnsortedSegmentMax, "maximum", "the lowest number of its dtype", "real", "[1., 6.]"
)
unsorted_segment_min = _public(
    UnsortedSegmentMin, "minimum", "the highest number of its dtype", "real", "[1., 2.]"
)


def _averaged(fname, scale, *facts):
    """The sum over a function of the number of rows."""

    def segment(
        data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        with dispatch.current_mode().name_scope(name or fname):
            data = convert_to_tensor(data)
            ids = convert_to_tensor(segment_ids)
            ones = ones_like(ids, dtypes.int32)
            n = maximum(unsorted_segment_sum(ones, ids, num_segments), 1)
            n = cast(n, data.dtype)
            total = unsorted_segment_sum(data, ids, num_segments)
            return divide(total, with_axes_of(scale(n), total))

    return _document(segment, fname, *facts)


unsorted_segment_mean = _averaged(
    "unsorted_segment_mean", lambda n: n, "mean", "0", "float", "[1., 4.]"
)
unsorted_segment_sqrt_n = _averaged(
    "unsorted_segment_sqrt_n",
    sqrt,
    "sum over the square root of the number",
    "0",
    "float",
    "[1., 5.66]",
)
