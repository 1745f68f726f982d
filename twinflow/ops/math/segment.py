"""Sums, means, ... of runs of rows: segments whose ids are sorted.

How many rows come out is the last id plus one, so these run on the host; the
unsorted ones (ops.math.segment_unsorted) are told the number and compile.
"""

import numpy as np

from twinflow.base import dtypes, movement
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import equal, greater, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.division import divide
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.index import gather, with_axes_of
from twinflow.ops.core.infer import at_least, ranked


def _infer_sorted(data, segment_ids):
    (n,) = ranked(segment_ids._shape, 1, "segment_ids should be a vector.")
    wrong = "segment_ids should be the same size as dimension 0 of input."
    d = at_least(data._shape, 1, wrong)
    if d is None:
        return None
    if None not in (n, d[0]) and n != d[0]:
        raise InferError(wrong, later=True)
    return (None, *d[1:])


def runs(ids):
    """Where each run of equal ids starts."""
    return np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))


def check_sorted(data, segment_ids):
    """TensorFlow's words for ids that do not grow from 0, else None."""
    ids = np.asarray(segment_ids)
    if data is not None and len(ids) != len(data):
        return "segment_ids should be the same size as dimension 0 of input."
    if ids.size and ids[-1] < 0:
        return "segment ids must be >= 0"
    return check_runs(ids, int(ids[-1]) + 1 if ids.size else 0)


def check_runs(ids, n):
    """TensorFlow's words for ids outside of [0, n) or smaller than the one before.

    It goes from run to run, and looks at the next one first.
    """
    if not ids.size:
        return None
    firsts = ids[runs(ids)]
    fell = firsts[1:] < firsts[:-1]
    stop = int(np.argmax(fell)) if fell.any() else len(firsts)
    bad = (firsts[:stop] < 0) | (firsts[:stop] >= n)
    if bad.any():
        return (
            f"Segment id {firsts[np.argmax(bad)]} out of range [0, {n}), possibly "
            "because 'segment_ids' input is not sorted."
        )
    return "segment ids are not increasing" if fell.any() else None


def reduced_runs(ufunc, data, ids, out):
    """Put the reduction of each run of rows into the row of `out` that it names."""
    if len(ids):
        starts = runs(ids)
        out[ids[starts]] = ufunc.reduceat(data, starts, axis=0)
    return out


def divided(total, count):
    """total / count in the dtype of `total`; whole numbers are cut off."""
    if total.dtype.kind in "iu":
        return (np.sign(total) * (np.abs(total) // count)).astype(total.dtype)
    return (total / count).astype(total.dtype)


def counts_like(total, ids):
    """How many rows went to each row of `total`, at least 1, to divide it by."""
    n = np.bincount(ids, minlength=len(total))[: len(total)]
    n = np.maximum(n, 1).reshape((-1,) + (1,) * (total.ndim - 1))
    return n.astype(total.real.dtype if total.dtype.kind == "c" else total.dtype)


def _kernel(ufunc, empty=0):
    def kernel(data, segment_ids):
        n = int(segment_ids[-1]) + 1 if len(segment_ids) else 0
        found = movement.summed(data, segment_ids, n) if ufunc is np.add else None
        if found is not None:
            return found
        out = np.full((n, *data.shape[1:]), empty, data.dtype)
        return reduced_runs(ufunc, data, segment_ids, out)

    return kernel


def _mean_kernel(data, segment_ids):
    total = _sum(data, segment_ids)
    return divided(total, counts_like(total, segment_ids)) if len(total) else total


_sum = _kernel(np.add)


def _define(kind, kernel, rule):
    return define(
        f"Segment{kind}",
        infer=_infer_sorted,
        grad=[rule],
        check=check_sorted,
        host=kernel,
    )


def _mean_grad(dy, segment_ids):
    count = segment_sum(ones_like(segment_ids), segment_ids)
    return gather(divide(dy, with_axes_of(cast(count, dy.dtype), dy)), segment_ids)


def _extreme_grad(dy, data, output, segment_ids):
    """Rows that share the extreme value share the gradient."""
    best = equal(data, gather(output, segment_ids))
    count = segment_sum(cast(best, dy.dtype), segment_ids)
    share = gather(divide(dy, count), segment_ids)
    return where(best, share, zeros_like(share))


def _product_grad(dy, data, output, segment_ids):
    return product_slope(
        data,
        gather(dy, segment_ids),
        gather(output, segment_ids),
        lambda x: gather(segment_sum(x, segment_ids), segment_ids),
        lambda x: gather(segment_prod(x, segment_ids), segment_ids),
    )


def product_slope(data, dy, output, total, product):
    """dy times the product of the other rows: divide by what is not zero.

    Args:
        data: the rows. dy, output: the gradient and the product, for each row.
        total, product: functions from rows to the sum and product, for each row.
    """
    zero = equal(data, zeros_like(data))
    safe = where(zero, ones_like(data), data)
    others = where(zero, product(safe), divide(output, safe))
    several = greater(total(cast(zero, dtypes.int32)), 1)
    return multiply(where(several, zeros_like(dy), dy), others)


SegmentSum = _define("Sum", _sum, lambda dy, segment_ids: gather(dy, segment_ids))
SegmentMean = _define("Mean", _mean_kernel, _mean_grad)
SegmentProd = _define("Prod", _kernel(np.multiply, 1), _product_grad)
SegmentMax = _define("Max", _kernel(np.fmax), _extreme_grad)
SegmentMin = _define("Min", _kernel(np.fmin), _extreme_grad)


def _public(op, what, empty, types, example):
    def segment(
        data: TensorValue, segment_ids: TensorValue, name: str | None = None
    ) -> Tensor:
        return apply(op, (data, segment_ids), None, name)

    fname = f"segment_{op.type[7:].lower()}"
    segment.__name__ = segment.__qualname__ = fname
    segment.__module__ = "twinflow"
    segment.__doc__ = f"""out[i] is the {what} of the rows of `data` whose segment is i.

    Args:
        data: a {types} tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are {empty}.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.{fname}([1, 2, 5], [0, 0, 1])  # {example}
    """
    return segment


segment_sum = _public(SegmentSum, "sum", "0", "numeric", "[3, 5]")
segment_mean = _public(SegmentMean, "mean", "0", "numeric", "[1, 5]")
segment_prod = _public(SegmentProd, "product", "1", "numeric", "[2, 5]")
segment_max = _public(SegmentMax, "maximum", "0", "real", "[2, 5]")
segment_min = _public(SegmentMin, "minimum", "0", "real", "[1, 5]")
